// A plan that is polled for as long as a test wants, on a clock that jumps, and what reaches its upstreams.

import { defineCollector } from '../../src/collectors/define.ts'
import type { Facts } from '../../src/config/schema.ts'
import { listLatestEvmBlocks } from '../../src/operations/data/evm.ts'
import { listLatestPrimaryNetworkBlocks } from '../../src/operations/data/primary-network-blocks.ts'
import { listPendingRewards } from '../../src/operations/data/rewards.ts'
import { getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { createAccounts, withBudget } from '../../src/budget/accounts.ts'
import { plan } from '../../src/scheduler/plan.ts'
import { createCircuits } from '../../src/upstream/circuit.ts'
import { type CallReport, createClient } from '../../src/upstream/client.ts'
import type { Http } from '../../src/upstream/http.ts'
import { configFrom } from './poll.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { quietRunner } from './quiet-runner.ts'

/** Each network asks its own questions. */
const dataNetworkOf = ({ data_api }: Facts) => data_api!.network

const emptyCollector = { metrics: [], subjects: () => [{ name: 'all', labels: {} }] }

/** Reads pages as long as there are any: 20 units each, and two of them in an ordinary run. */
const blocks = defineCollector({
  ...emptyCollector,
  name: 'blocks',
  about: 'For tests.',
  every: '5m',
  uses: [listLatestPrimaryNetworkBlocks],
  observer: 'any',
  estimate: () => ({ calls: [{ operation: listLatestPrimaryNetworkBlocks, times: 2 }], series: 0 }),
  async collect({ pages, network }) {
    const of = { network: dataNetworkOf(network), blockchainId: 'p-chain' } as const
    for await (const _ of pages(listLatestPrimaryNetworkBlocks, of));
    return { samples: [] }
  },
})
/** 10 units. */
const heads = defineCollector({
  ...emptyCollector,
  name: 'heads',
  about: 'For tests.',
  every: '5m',
  isEssential: true,
  uses: [listLatestEvmBlocks],
  observer: 'any',
  estimate: () => ({ calls: [{ operation: listLatestEvmBlocks, times: 1 }], series: 0 }),
  async collect({ call, network }) {
    await call(listLatestEvmBlocks, { chainId: network.name })
    return { samples: [] }
  },
})
/** 100 units. */
const rewards = defineCollector({
  ...emptyCollector,
  name: 'rewards',
  about: 'For tests.',
  every: '30m',
  uses: [listPendingRewards],
  observer: 'any',
  estimate: () => ({ calls: [{ operation: listPendingRewards, times: 1 }], series: 0 }),
  async collect({ call, network }) {
    await call(listPendingRewards, {
      network: dataNetworkOf(network),
      nodeIds: 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
    })
    return { samples: [] }
  },
})
/** 1 unit. */
const supply = defineCollector({
  ...emptyCollector,
  name: 'supply',
  about: 'For tests.',
  every: '10m',
  uses: [getCurrentSupply],
  observer: 'each',
  estimate: () => ({ calls: [{ operation: getCurrentSupply, times: 1 }], series: 0 }),
  async collect({ call }) {
    await call(getCurrentSupply, {})
    return { samples: [] }
  },
})

/** What a request costs, from its path: written down here, so that it is not what the client thinks that counts. */
export function unitsOf(path: string): number {
  if (path.includes('rewards')) return 100
  return path.includes('/v1/networks/') ? 20 : path.includes('/v1/chains/') ? 10 : 1
}

/** Two networks with the same data service, and a node. `poll` resolves when the time is over. */
export function createPolling(clock: VirtualClock, http: Http, urls: { data: string; node: string }, budget = '') {
  const data = `data_api: { url: "${urls.data}", key: k${budget} }`
  const config = configFrom(
    `networks: [{ name: fuji, nodes: [{ name: node-a, url: "${urls.node}" }], ${data} }, { name: testnet, ${data} }]`,
  )
  const tasks = plan(config, [blocks, heads, rewards, supply])
  const reports: CallReport[] = []
  const results = new Map<string, number>()
  const intervals = new Map<string, number>()
  const log = { info: () => {}, warn: () => {} }
  const circuits = createCircuits(clock, () => 0.5)
  const accounts = createAccounts({ tasks, clock, circuits, log })
  const report = (call: CallReport) => void reports.push(call)
  const client = createClient({ http, timeout: 10_000, clock, circuits, accountOf: accounts.of, report })
  const runner = quietRunner({
    client,
    publish(message) {
      if (message.kind !== 'status') return
      const key = `${message.status.key} ${message.status.result}`
      results.set(key, (results.get(key) ?? 0) + 1)
    },
    clock,
    log,
  })
  const paid = withBudget(runner, accounts)
  const { signal } = new AbortController()
  return {
    tasks,
    reports,
    results,
    intervals,
    accounts,
    /** All at once at the start, and then each at its interval, unless the run before is still going on. */
    async poll(milliseconds: number): Promise<void> {
      for (const task of tasks) {
        let isRunning = false
        const due = () => {
          const { every } = accounts.stretched(task).settings
          intervals.set(task.key, every)
          clock.after(every, due)
          if (isRunning) return
          isRunning = true
          void paid.run(task, signal).finally(() => (isRunning = false))
        }
        due()
      }
      await clock.pass(milliseconds)
    },
  }
}

/** The most units in any span, as a witness in between counts that only sees when each request came. */
export function mostIn(span: number, seen: readonly { at: number; units: number }[]): number {
  let [most, sum, first] = [0, 0, 0]
  for (const { at, units } of seen) {
    sum += units
    while (seen[first]!.at <= at - span) sum -= seen[first++]!.units
    most = Math.max(most, sum)
  }
  return most
}
