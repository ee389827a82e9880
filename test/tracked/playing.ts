// A simulated network that takes the actions of a test, and a daemon that polls it over HTTP when the test says so. Times
// are seconds since the network was handed over. The P-Chain has a block every ten seconds, one of them at 0.

import { onTestFinished } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import { createLogger } from '../../src/logger.ts'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import type { Action } from '../../src/simulator/world/actions.ts'
import { configFrom } from '../support/poll.ts'
import { clockOf } from '../support/clock.ts'

/** Unix seconds. */
const EPOCH = 1_780_000_000

/** Ids of nodes that no world has. */
export const [ONE, TWO, THREE, FOUR] = [
  'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
  'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
  'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
] as const

export async function playing() {
  const clock = { now: 0 }
  const simulator = await startSimulator({
    seed: 1,
    epoch: EPOCH,
    clock: () => clock.now,
    validators: 20,
    delegations: 5,
    paces: { P: 10, X: 20, C: 2 },
    dialect: 'live',
  })
  onTestFinished(() => simulator.stop())
  return {
    simulator,
    /** The subnet that was created by this name. */
    subnet: (name: string) => simulator.world.l1s.all.find((one) => one.name === name)!,
    async tell(at: number, action: Action | NodeAction): Promise<void> {
      clock.now = at
      const body = JSON.stringify(action)
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${simulator.controlUrl}/actions`, { method: 'POST', headers, body })
      if (answer.status !== 200) throw new Error(`${body}: ${await answer.text()}`)
    },
    daemon: (own: readonly string[], watch: object) => daemon(simulator, clock, own, watch),
  }
}

/** Actions on a node itself, which are no part of the world. */
type NodeAction = { kind: 'bootstrap' | 'bootstrapped'; node: string }

function daemon(simulator: Simulator, clock: { now: number }, own: readonly string[], watch: object) {
  const network = {
    name: 'fuji',
    nodes: simulator.nodes.map(({ name, url, nodeId }) => ({ name, url, node_id: nodeId, index: true })),
    data_api: { url: simulator.dataUrl },
    ...watch,
  }
  const enabled = collectors.map(({ name }) => [name, { enabled: own.includes(name) }] as const)
  const app = createDaemon({
    config: configFrom(JSON.stringify({ networks: [network], collectors: Object.fromEntries(enabled) })),
    version: 'test',
    log: createLogger({ level: 'warn', format: 'json', write: () => {} }),
    clock: clockOf(() => (EPOCH + clock.now) * 1_000),
    random: () => 0,
  })
  onTestFinished(() => app.stop())
  return {
    /** Every collector runs once: the series that matter, as they are exposed, and the tasks that failed. */
    async polled(at: number, matter: RegExp): Promise<Polled> {
      clock.now = at
      const { text, failed } = await app.once()
      const lines = text.split('\n').filter((line) => !line.startsWith('#') && matter.test(line))
      return inOrder(
        readable(lines, simulator),
        failed.map(({ key }) => key),
      )
    },
  }
}

interface Polled {
  lines: string[]
  failed: string[]
}

/**
 * What a daemon publishes in the course of a test: times in the first line, then a line for each series, with its value at each
 * time, or a dash where it is absent. Gives what is expected at a time.
 */
export function seen(table: string): (at: number, ...failed: readonly string[]) => Polled {
  const [times = '', ...rows] = table.split('\n').filter((line) => line !== '')
  const columns = times.trim().split(/\s+/)
  return (at, ...failed) => {
    const column = columns.indexOf(String(at))
    if (column < 0) throw new Error(`the table says nothing of ${at}`)
    const lines = rows.flatMap((row) => {
      const cells = row.trim().split(/\s+/, columns.length)
      const series = row.trim().replace(new RegExp(`^(?:\\S+\\s+){${columns.length}}`), '')
      return cells[column] === '-' ? [] : [`stakewatch_${series} ${cells[column]}`]
    })
    return inOrder(lines, failed)
  }
}

/** The order of the collectors does not matter. */
const inOrder = (lines: readonly string[], failed: readonly string[]): Polled => ({
  lines: lines.toSorted(),
  failed: failed.toSorted(),
})

/** Drops the label `network` and replaces ids by names, so that expected lines can be written by hand. */
function readable(lines: readonly string[], { world, nodes }: Simulator): string[] {
  const validations = world.l1s.all.flatMap(({ validators }) => validators)
  const ids = [
    ...Object.entries({ ONE, TWO, THREE, FOUR }),
    ...nodes.map(({ name, nodeId }) => [name, nodeId] as const),
    ...validations.map(
      ({ nodeId, start, validationId }) => [`${nodeId} since ${start - EPOCH}`, validationId] as const,
    ),
  ]
  return lines.map((line) =>
    ids.toReversed().reduce((named, [name, id]) => named.replaceAll(id, name), line.replace('network="fuji",', '')),
  )
}
