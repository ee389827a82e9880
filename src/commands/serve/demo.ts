// demo: the simulated network and the daemon that watches it, ready to look at.

import type { Command } from 'commander'
import { collectors } from '../../collectors/index.ts'
import { parseConfig } from '../config.ts'
import { type Io, type LogFlags, logFlags, type WebFlags, webFlags } from '../io.ts'
import { serveUntilStopped } from './serve.ts'
import { type SimulatorFlags, simulatorFlags, startFlagged } from './simulate.ts'

export function demo(program: Command, io: Io): void {
  const command = program.command('demo').description('watch a simulated network: simulate and serve in one')
  // The documentation lacks some fields of the live services.
  logFlags(webFlags(simulatorFlags(command, 'live'))).action(async (flags: SimulatorFlags & WebFlags & LogFlags) => {
    // The live metrics service does not report its last run.
    const simulator = await startFlagged(flags, io, { metricsDialect: 'document' })
    try {
      const config = parseConfig(simulator.config(collectors.map(({ name }) => name)), 'demo.yaml', io)
      const announce = (url: string) => {
        io.stdout(`stakewatch watches a simulated network of ${simulator.world.validators.all.size} validators.\n`)
        io.stdout(`  metrics:           ${url}\n`)
        io.stdout(`  the network's own: ${simulator.controlUrl}/state\n`)
      }
      await serveUntilStopped(config, flags, io, { announce, isSimulated: true })
    } finally {
      await simulator.stop()
    }
  })
}
