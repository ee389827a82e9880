// A daemon that polls a simulated network over HTTP while it runs on: what its counters say, and what the network itself
// has counted meanwhile.

import { expect, type TestContext } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { collectors } from '../../src/collectors/index.ts'
import { createLogger } from '../../src/logger.ts'
import { type Simulator, startSimulator, type SimulatorOptions } from '../../src/simulator/simulator.ts'
import { scrape } from '../e2e/support/scrape.ts'
import { configFrom } from '../support/poll.ts'
import { clockOf } from '../support/clock.ts'

const EPOCH = 1_780_000_000
export const [MINUTE, HOUR] = [60, 3_600] as const

interface Case extends Pick<SimulatorOptions, 'seed' | 'dialect' | 'delegations'> {
  collectors: readonly string[]
  /** What is watched in addition to the services. */
  watch: (simulator: Simulator) => object
}

/** Polls a network over HTTP; with `waits` above 0 the network advances while its lists are read. */
export async function watched({ onTestFinished }: TestContext, { collectors: own, watch, ...options }: Case) {
  const clock = { now: 0, pace: 0 }
  const simulator = await startSimulator({
    epoch: EPOCH,
    clock: () => (clock.now += clock.pace),
    validators: 20,
    delegations: 40,
    ...options,
  })
  onTestFinished(() => simulator.stop())
  const network = {
    name: 'fuji',
    nodes: simulator.nodes.map(({ name, url, nodeId }) => ({ name, url, node_id: nodeId, index: true })),
    data_api: { url: simulator.dataUrl },
    ...watch(simulator),
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

  async function poll(wait: number, pace: number) {
    clock.now += wait
    clock.pace = pace
    const { text, rows, failed } = await app.once()
    clock.pace = 0
    expect(failed.map(({ key }) => [key, rows.find((row) => row.key === key)])).toEqual([])
    return text
  }
  return {
    simulator,
    /** Gives what is exposed after the last one. */
    async polls(waits: readonly number[], between: (at: number) => void = () => {}): Promise<string> {
      await poll(0, 0)
      for (const [at, wait] of waits.entries()) {
        between(at)
        await poll(wait, wait === 0 ? 0 : 0.01)
      }
      // A body is rebuilt after a second.
      return poll(1, 0)
    },
    /** Since the first poll. */
    counted: async <T>(of: string) =>
      JSON.parse(await scrape(`${simulator.controlUrl}/counts/${of}?since=${EPOCH}`)) as Record<string, T>,
  }
}

export const seeds = [
  { seed: 1, dialect: 'document' },
  { seed: 65_537, dialect: 'live' },
] as const
/** None takes longer than a few seconds, on a machine that has nothing else to do. */
export const TIME = 30_000

/** By the names that the network's counts have for them. The C-Chain is an EVM chain as well. */
export const C = '43113'
export function chainsOf({ world: { evm, l1s } }: Simulator) {
  return [
    { id: 'p-chain', name: 'P' },
    { id: 'x-chain', name: 'X' },
    ...evm.map(({ chainId }) => {
      const id = l1s.all.find(({ evmChainId }) => evmChainId === chainId)?.blockchainId ?? 'c-chain'
      return { id, name: String(chainId), evm_chain_id: chainId }
    }),
  ]
}
