// demo: the simulated network and the daemon that watches it, ready to look at.

import type { Command } from 'commander'
import { collectors } from '../../collectors/index.ts'
import { parseConfig } from '../config.ts'
import { DEFAULT_PORT, type Io, type LogFlags, logFlags, type WebFlags, webFlags } from '../io.ts'
import { serveUntilStopped } from './serve.ts'
import { type OrderedWindow, withWindow } from '../../simulator/control/control.ts'
import { type SimulatorFlags, simulatorFlags, startFlagged } from './simulate.ts'

type Flags = SimulatorFlags & WebFlags & LogFlags

/** Without a password, anyone who reaches it may look and begin drills. */
const THIS_MACHINE = '127.0.0.1'

export function demo(program: Command, io: Io): void {
  const command = program.command('demo').description('watch a simulated network: simulate and serve in one')
  // The documentation lacks some fields of the live services.
  logFlags(webFlags(simulatorFlags(command, 'live'), THIS_MACHINE)).action(async (given: Flags) => {
    const here = [{ host: THIS_MACHINE, port: DEFAULT_PORT }]
    // The folder is that of the nodes: what is counted of them does not outlive them.
    const { 'storage.path': _, ...own } = given
    const flags = given['web.systemdSocket'] ? own : { 'web.listenAddress': here, ...own }
    let text = ''
    let reload = () => {}
    const load = () => parseConfig(text, 'demo.yaml', io)
    function openWindow(window: OrderedWindow): void {
      const next = withWindow(text, window, Date.now())
      parseConfig(next, 'demo.yaml', io)
      text = next
      reload()
    }
    // The live metrics service does not report its last run.
    const simulator = await startFlagged(given, io, { metricsDialect: 'document', openWindow })
    try {
      text = simulator.config(collectors.map(({ name }) => name))
      const announce = (page: string, metrics: string) => {
        io.stdout(`stakewatch watches a simulated network of ${simulator.world.validators.all.size} validators.\n`)
        io.stdout(`  open:              ${page}\n`)
        io.stdout(`  metrics:           ${metrics}\n`)
        io.stdout(`  the network's own: ${simulator.controlUrl}/state\n`)
      }
      const reloading = {
        file: { isChanged: () => Promise.resolve(false) },
        load,
        flags: { 'config.autoReloadInterval': Infinity, 'web.enableLifecycle': true as const },
      }
      // As SIGHUP does.
      const onReload: Io['onReload'] = (work) => {
        reload = work
        io.onReload(work)
      }
      await serveUntilStopped(load(), flags, { ...io, onReload }, { announce, isSimulated: true, reloading })
    } finally {
      await simulator.stop()
    }
  })
}
