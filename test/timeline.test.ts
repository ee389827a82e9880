// A quarter of an hour in which nodes of a real network were frozen, benched, killed and restarted, and the balance of an L1
// validator ran out and was topped up: what each observer said at each moment, as series. Each moment is a second of
// test/fixtures/recorded-beyond: calls outside of that second have no data. The expected values follow from those
// answers and from these numbers:
//
// On the L1 nodes 2 to 5 weigh 100 each and node 6 weighs 10. One that never ran and never had a balance weighs 5, and another
// one that never ran weighs 7: it was registered with a balance of 0.05 tokens at 00:44. Node 1 does not track the L1.
// On the primary network nodes 1 to 5 have 2,000,000 tokens each, node 1 has 500 more, and node 6 has 2,600. Without node 2
// that is 8,003,100.

import { describe, expect, test } from 'vitest'
import type { AnyCollector } from '../src/collectors/define.ts'
import { nodeHealth } from '../src/collectors/nodes/node-health.ts'
import { nodePeers } from '../src/collectors/nodes/node-peers.ts'
import { nodeUptime } from '../src/collectors/nodes/node-uptime.ts'
import { l1Liveness } from '../src/collectors/subnets/l1-liveness.ts'
import { subnet } from '../src/collectors/subnets/subnet.ts'
import { l1Validators } from '../src/collectors/validators/l1-validators.ts'
import { uptime } from '../src/collectors/validators/uptime.ts'
import { BaseError } from '../src/errors.ts'
import { PRIMARY_NETWORK_ID } from '../src/lib/primary-network.ts'
import { asClient } from './recorded/as-client.ts'
import { beyond, type Recorded } from './recorded/recorded.ts'
import { createPoller } from './support/poll.ts'
import { rowsOf } from './support/rows.ts'

const SUBNET = '231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv'
const CHAIN = 'fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet'
/** By number. Each answers at port 9640 and ten times its number. */
const NODES = [
  'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
  'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
  'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
  'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
  'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i',
] as const
const REGISTERED = 'NodeID-6txADf7AQMHhappJS1i7GpcaAFP9gd2Sr'
const portOf = (node: number) => String(9640 + 10 * node)

const configOf = (node: number) => `
networks:
  - name: local
    nodes: [{ name: observer, url: "http://127.0.0.1:${portOf(node)}", node_id: ${NODES[node - 1]!} }]
    subnets: [{ id: ${SUBNET}, name: my-l1 }]
    validators:
      - { node_id: ${NODES[4]}, name: p5 }
      - { node_id: ${NODES[5]}, name: p6 }
      - { node_id: ${NODES[2]}, subnet: my-l1, name: v3 }
      - { node_id: ${NODES[4]}, subnet: my-l1, name: v5 }
      - { node_id: ${NODES[5]}, subnet: my-l1, name: v6 }
      - { node_id: ${REGISTERED}, subnet: my-l1, name: v7 }
`

interface Params {
  subnetID?: string
  nodeIDs?: readonly string[]
}
const paramsOf = ({ request }: Recorded): Params =>
  request.body === '' ? {} : ((JSON.parse(request.body) as { params: Params | null }).params ?? {})
const timeOf = ({ headers }: Recorded) => Date.parse(headers['date'] ?? headers['Date'] ?? '')

/** What the node said in that second. Of some validators the P-Chain's list of all will do, or that of one of them. */
function said(node: number, now: number, operation: string, asked: Params): unknown {
  // No call asked for it in those minutes; it does not change.
  if (operation === 'platform.getBlockchains') {
    return { blockchains: [{ id: CHAIN, name: 'my-l1', subnetID: SUBNET, vmID: 'vm' }] }
  }
  // It does not change while a node runs, and all of the network run the same software: Helicon is not scheduled.
  if (operation === 'info.upgrades') return asClient(operation, 'plain')
  const of = operation === 'health.health' ? 'health' : operation
  const then = beyond.filter(
    (one) => one.of === of && timeOf(one) === now && one.request.url.includes(`:${portOf(node)}/`),
  )
  const about = then.filter(
    (one) => (paramsOf(one).subnetID ?? PRIMARY_NETWORK_ID) === (asked.subnetID ?? PRIMARY_NETWORK_ID),
  )
  const ofThem = (one: Recorded) => paramsOf(one).nodeIDs ?? []
  const found =
    about.find((one) => ofThem(one).length === 0) ??
    about.find((one) => ofThem(one).every((id) => asked.nodeIDs?.includes(id)))
  const isFiltered = of === 'validators.getCurrentValidators' && asked.nodeIDs !== undefined
  if (!found || isFiltered) return new BaseError('timeout', 'nothing was recorded then')
  if (of !== 'health') return asClient(of, found.case)
  return (found.response as { result?: unknown }).result ?? found.response
}

type Series = Readonly<Record<string, string>>

/** By name and own labels, to four decimals. */
async function seriesOf(collectors: readonly AnyCollector[], node: number, now: number): Promise<Series> {
  const all: Record<string, string> = {}
  for (const collector of collectors) {
    const poller = createPoller(configOf(node), collector, now)
    await poller.poll((operation, { body }) => said(node, now, operation, body))
    for (const { name, labels, value } of poller.series(/^stakewatch_(?!collector|upstream)/)) {
      const own = Object.keys(labels).filter((label) => !['network', 'subnet', 'node_id', 'source'].includes(label))
      all[[name.replace('stakewatch_', ''), ...own.map((label) => labels[label])].join(' ')] = String(
        Math.round(value * 10_000) / 10_000,
      )
    }
  }
  return all
}

const row = (series: Series, ...names: readonly string[]) => names.map((name) => series[name] ?? '-').join(' ')
const stateIn = (series: Series, metric: string) =>
  Object.keys(series)
    .find((key) => key.startsWith(`${metric} `) && series[key] === '1')
    ?.slice(metric.length + 1) ?? '-'

const at = (time: string) => Date.parse(`2026-11-22T${time}Z`)
const ofL1 = (metric: string) => ['v3', 'v5', 'v6', 'v7'].map((name) => `l1_validator_${metric} ${name}`)

/** What had happened by then, to the network or to the asked node. */
const happened: Readonly<Record<string, string>> = {
  '00:39:39': 'all are up',
  '00:41:28': 'node 5 is frozen for 80 s',
  '00:43:54': 'the balance of node 6 is used up for 28 s',
  '00:43:54 6': 'its chain process is frozen for 73 s',
  '00:44:51': 'node 2 has benched node 6, which was topped up, and a validator was registered under a minute ago',
  '00:45:35': 'node 2 has benched node 6, whose balance was topped up',
  '00:45:35 6': 'its chain process has died',
  '00:45:59': 'the chain process of node 6 has died',
  '00:46:35': 'node 5 is killed for 25 s',
  '00:46:49': 'nodes 3 and 5 are down',
  '00:47:28': 'node 4 was restarted then',
  '00:50:06': 'all nodes of the L1 were restarted but node 5: 310 of 422',
  '00:52:26': 'all are up',
  '00:52:55': 'the chain process of node 3 is frozen for 30 s',
}

/** Rows that begin with the time and the asked node, with what had happened as their third cell. */
const casesOf = (table: string) =>
  rowsOf(table).map(([time = '', node = '', ...expected]) => {
    const what = happened[`${time} ${node}`] ?? happened[time] ?? ''
    return [time, node, what, ...expected]
  })

// Each row: when, asked at which node; then a dash for what no source reported.
describe('the timeline of a real network', () => {
  // Of validators 3, 5, 6, 7: connected, uptime, whether it may stop. Of the L1: weight in all, active, connected; what is
  // connected beyond the 75 % that blocks need: now, when the greatest stops, when the next balance has run out.
  test.each(
    casesOf(`
      // 410 of 415: 0.98795. 310 of 415: 0.74699, so that none that weighs 100 may stop. The next balance is that of node 6.
      00:39:39 | 2 | running       | 1 1 1 - | 1 1 0.9368 -                | 0 0 1 - | 415 410 410 | 0.238 -0.003 0.2139
      // What a node says of itself is no evidence.
      00:39:39 | 3 | running       | - 1 1 - | - 1 0.9289 -                | 0 0 1 - | 415 410 410 | 0.238 -0.003 -
      00:39:39 | 1 | untracked     | - - - - | - - - -                     | - - - - | - - -       | - - -
      // 310, 210 and 300 of 415.
      00:41:28 | 2 | running       | 1 0 1 - | 1 0.8536 0.9558 -           | 0 0 0 - | 415 410 310 | -0.003 -0.244 -0.0271
      // Node 6 counts as connected for up to a minute more. 400 and 300 of 415; the next balance is that of node 5.
      00:43:54 | 2 | running       | 1 1 1 - | 1 0.8563 0.9685 -           | 0 0 1 - | 415 400 400 | 0.2139 -0.0271 -0.0271
      // The chain refuses the whole list, and no call asked for the others.
      00:44:51 | 2 | -             | - - - - | - - - -                     | - - - - | - - -       | - - -
      // 400 and 300 of 422. Who is away may stop: 400 are left, and 316.5 are needed.
      00:45:35 | 2 | running       | 1 1 0 0 | 1 0.8801 0.8752 0           | 0 0 1 1 | 422 417 400 | 0.1979 -0.0391 -
      00:45:35 | 6 | dead          | - - - - | - - - -                     | - - - - | - - -       | - - -
      // 300 and 200 of 422; the next balance is that of the one that never ran.
      00:46:35 | 2 | running       | 1 0 0 0 | 1 0.8401 0.8864 0           | 0 0 0 0 | 422 417 300 | -0.0391 -0.2761 -0.0391
      // 200 and 100 of 422.
      00:46:49 | 2 | running       | 0 0 0 0 | 0.9795 0.8228 0.8887 0      | 0 0 0 0 | 422 417 200 | -0.2761 -0.513 -0.2761
      00:47:28 | 4 | bootstrapping | - - - - | - - - -                     | - - - - | - - -       | - - -
      00:50:06 | 2 | bootstrapping | - - - - | - - - -                     | - - - - | - - -       | - - -
      // All are up again. Node 2 and node 4 have benched node 6. Each has its own uptimes. 410 and 310 of 422.
      00:52:26 | 2 | running       | 1 1 0 0 | 0.9343 0.7902 0.8186 0.2789 | 0 0 1 1 | 422 417 400 | 0.1979 -0.0391 -
      00:52:26 | 4 | running       | 1 1 0 0 | 0.9637 0.8578 0.6892 0.3657 | 0 0 1 1 | 422 417 400 | 0.1979 -0.0391 -
      00:52:26 | 5 | running       | 1 - 1 0 | 1 - 0.8667 0.7211           | 0 0 1 1 | 422 417 410 | 0.2216 -0.0154 -
      00:52:26 | 6 | running       | 1 1 - 0 | 1 0.9284 - 0.7645           | 0 0 1 1 | 422 417 410 | 0.2216 -0.0154 -
    `),
  )(
    '%s, the L1 by its chain on node %d: %s',
    async (time, node, _, state, connected, uptimes, mayStop, weights, margins) => {
      const series = await seriesOf([l1Liveness], Number(node), at(time))
      const margin = (when: string) => `l1_liveness_margin blocks ${when}`
      expect([
        stateIn(series, 'l1_chain_state'),
        row(series, ...ofL1('connected')),
        row(series, ...ofL1('uptime_ratio')),
        row(series, ...ofL1('may_stop')),
        row(series, ...['total', 'active', 'connected'].map((of) => `l1_weight ${of}`)),
        row(series, ...['now', 'greatest_stops', 'balance_ends'].map(margin)),
      ]).toEqual([state, connected, uptimes, mayStop, weights, margins])
    },
  )

  // Of validators 5, 6, 7: the balance in the smallest unit, and whether it is active. Then the weight of all that are not.
  test.each(
    casesOf(`
      00:39:39 | 2 | 100000000 480 -            | 1 1 - | 5
      // The chain has not made a block since.
      00:41:28 | 2 | 100000000 480 -            | 1 1 - | 5
      00:43:54 | 2 | 99999520 0 -               | 1 0 - | 15
      00:44:51 | 2 | 99999464 99999997 50000000 | 1 1 1 | 5
      00:46:49 | 2 | 99999464 99999997 50000000 | 1 1 1 | 5
      00:47:28 | 4 | - - -                      | - - - | -
    `),
  )('%s, balances by node %d: %s', async (time, node, _, balances, active, inactive) => {
    const series = await seriesOf([l1Validators, subnet], Number(node), at(time))
    const tokens = await tokensOf(Number(node), at(time))
    expect([tokens, row(series, ...ofL1('active').slice(1)), row(series, 'subnet_weight inactive')]).toEqual([
      balances,
      active,
      inactive,
    ])
  })

  async function tokensOf(node: number, now: number): Promise<string> {
    const poller = createPoller(configOf(node), l1Validators, now)
    await poller.poll((operation, { body }) => said(node, now, operation, body))
    const unitsOf = (name: string) => {
      const tokens = poller.value('stakewatch_l1_validator_balance_tokens', { validator: name })
      return tokens === undefined ? '-' : String(Math.round(tokens * 1e9))
    }
    return ['v5', 'v6', 'v7'].map(unitsOf).join(' ')
  }

  // Of validators 5 and 6 of the primary network: connected, uptime, benched. Of the asked node: shares of the stake that
  // would vote for its reward and of which nothing is known, how the vote would end; what info.uptime makes of it, with the
  // node's own stake in it, and the mean; the health checks that fail.
  const ALL = ['C', 'P', 'X', 'L1']
  test.each(
    casesOf(`
      00:39:39 | 2 | 1 1 | 1 0.9972 | 0 0 | 1 0 granted           | 1 0.992       |
      // For 6,003,100 of 8,003,100: 0.75010. The one that is away is not among the peers.
      00:41:28 | 2 | 0 1 | 1 0.9973 | - 0 | 0.7501 0.2499 granted | 0.8001 0.7941 |
      // Disconnected as node 2 has benched it on the L1; node 1 has not.
      00:44:51 | 2 | 1 0 | 1 0.9908 | 0 1 | 1 0 granted           | 1 0.992       |
      00:44:51 | 1 | - 1 | - 0.9993 | - - | - - -                 | - -           | -
      00:46:35 | 2 | - - | - -      | - 1 | - - -                 | 0.8001 0.7941 |
      // Too little stake is connected: three chains of the primary network and the L1 are unhealthy.
      00:46:49 | 2 | - - | - -      | - 1 | - - -                 | 0.6001 0.5961 | C P X L1
      00:47:28 | 4 | - - | - -      | - 0 | - - -                 | - -           | C P X L1 bootstrapped
      00:50:06 | 2 | - - | - -      | - 0 | - - -                 | 0.8001 0.7941 | bootstrapped
      00:52:26 | 2 | - - | - -      | 0 1 | - - -                 | 1 0.992       | -
      00:43:54 | 6 | - - | - -      | - - | - - -                 | - -           | L1
      00:45:59 | 6 | - - | - -      | - - | - - -                 | - -           | L1
      // Its checks have stood still for half a minute by then, and say that all is well.
      00:52:55 | 3 | - - | - -      | - - | - - -                 | - -           |
    `),
  )(
    '%s, the primary network by node %d: %s',
    async (time, node, _, connected, uptimes, benched, votes, rewarding, failing) => {
      const series = await seriesOf([uptime, nodePeers, nodeUptime, nodeHealth], Number(node), at(time))
      const checks = Object.entries(series).filter(([key]) => key.startsWith('node_health_check_passing '))
      const failed = checks.filter(([, value]) => value === '0').map(([key]) => key.split(' ')[1]!.replace(CHAIN, 'L1'))
      const inOrder = [...ALL, 'bootstrapped'].filter((one) => failed.includes(one))
      expect(failed.length).toBe(inOrder.length)
      expect([
        row(series, 'validator_connected p5', 'validator_connected p6'),
        row(series, 'validator_uptime_ratio p5', 'validator_uptime_ratio p6'),
        row(series, 'validator_benched p5', 'validator_benched p6'),
        `${row(series, 'node_vote_stake_ratio for', 'node_vote_stake_ratio unknown')} ${stateIn(series, 'node_vote_state')}`,
        row(series, 'node_rewarding_stake_ratio', 'node_observed_uptime_ratio'),
        checks.length === 0 ? '-' : inOrder.join(' '),
      ]).toEqual([connected, uptimes, benched, votes, rewarding, failing])
    },
  )
})
