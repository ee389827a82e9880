import { describe, expect, test } from 'vitest'
import { nodeState } from '../../../src/collectors/nodes/node-state.ts'
import { BaseError } from '../../../src/errors.ts'
import { asClient } from '../../recorded/as-client.ts'
import { createPoller, type Upstream, type Poller } from '../../support/poll.ts'

const yaml = `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660" }]
`
const MINUTE = 60_000
const START = Date.parse('2026-11-22T00:50:00Z')
const NO_CHAIN = asClient('info.isBootstrapped', 'node starting, /ext/info {"chain": "<L1')
const ZERO = { error: 'not yet run', timestamp: '0001-01-01T00:00:00Z', duration: 0 }
const RAN = { timestamp: '2026-11-22T00:49:30Z', duration: 1 }
const late = new BaseError('timeout', 'late')

interface Node {
  P?: unknown
  X?: unknown
  C?: unknown
  health?: unknown
}
const done = { isBootstrapped: true }
const behind = { isBootstrapped: false }
const well = { healthy: true, checks: { P: RAN, bootstrapped: RAN } }

const node =
  ({ P = done, X = done, C = done, health = well }: Node = {}): Upstream =>
  (operation, { body }) =>
    operation === 'health.health' ? health : { P, X, C }[String(body['chain']) as 'P' | 'X' | 'C']

const current = (poller: Poller) =>
  poller.series('stakewatch_node_state').flatMap(({ labels, value }) => (value === 1 ? labels['state'] : []))
const since = (poller: Poller) => poller.list('stakewatch_node_state_since_timestamp_seconds')
const restarts = (poller: Poller) => poller.list('stakewatch_node_restarts_total')
const caughtUp = (poller: Poller) =>
  poller.series('stakewatch_node_bootstrapped').map(({ labels, value }) => `${labels['blockchain']} ${value}`)

/** The answers one after the other, a minute apart. */
async function polled(...answers: Upstream[]) {
  const poller = createPoller(yaml, nodeState, START)
  for (const [at, answer] of answers.entries()) {
    poller.clock.now = START + at * MINUTE
    await poller.poll(answer)
  }
  return poller
}

describe("node-state (the node's own interfaces, info and health)", () => {
  test.each<[string, Node, string, string[]]>([
    ['that runs', {}, 'running', ['P 1', 'X 1', 'C 1']],
    ['that has no chain yet', { P: NO_CHAIN, X: NO_CHAIN, C: NO_CHAIN }, 'starting', []],
    ['that has its P-Chain alone', { P: behind, X: NO_CHAIN, C: NO_CHAIN }, 'bootstrapping', ['P 0']],
    ['of which one chain is behind', { C: behind }, 'bootstrapping', ['P 1', 'X 1', 'C 0']],
    ['that runs the P-Chain alone', { X: NO_CHAIN, C: NO_CHAIN }, 'running', ['P 1']],
    [
      'whose L1 waits for its validators',
      { health: asClient('health', 'L1 chain: all its nodes restarted') },
      'running',
      ['P 1', 'X 1', 'C 1'],
    ],
    ['whose health page is closed', { health: new BaseError('unsupported', '404') }, 'running', ['P 1', 'X 1', 'C 1']],
    ['whose health page hangs', { health: late }, 'running', ['P 1', 'X 1', 'C 1']],
  ])('a node %s', async (_, answers, state, chains) => {
    const poller = await polled(node(answers))
    expect(current(poller)).toEqual([state])
    expect(caughtUp(poller)).toEqual(chains)
    expect(since(poller)).toEqual([START / 1_000])
    expect(poller.success()).toEqual([1])
    expect(poller.reasons).toEqual([])
  })

  test('a recorded node that cannot bootstrap is in its state since its check fails', async () => {
    const moment = 'node 4 restarted while nodes 3 and 5 are down: its P-Chain cannot bootstrap'
    const P = asClient('info.isBootstrapped', `${moment}, chain P`)
    const C = asClient('info.isBootstrapped', `${moment}, chain C`)
    const poller = await polled(node({ P, X: C, C, health: asClient('health', moment) }))
    expect(current(poller)).toEqual(['bootstrapping'])
    const { checks } = asClient('health', moment) as { checks: Record<string, { timeOfFirstFailure: string }> }
    expect(since(poller)).toEqual([Math.trunc(Date.parse(checks['bootstrapped']!.timeOfFirstFailure)) / 1_000])
  })

  test('publishes not_answering without chain states for a silent node', async () => {
    const poller = await polled(node(), () => late)
    expect(current(poller)).toEqual(['not_answering'])
    expect(since(poller)).toEqual([(START + MINUTE) / 1_000])
    expect([caughtUp(poller), poller.success()]).toEqual([[], [0]])
  })

  test('an unsent request (no budget) says nothing about the node', async () => {
    const poller = await polled(node(), () => new BaseError('over_budget', 'no room'))
    expect(current(poller)).toEqual(['running'])
    expect(poller.success()).toEqual([0])
  })

  test('publishes when a state began', async () => {
    const poller = await polled(node(), node(), node({ P: behind }), node({ P: behind }))
    expect(since(poller)).toEqual([(START + 2 * MINUTE) / 1_000])
  })

  const fresh = { healthy: false, checks: { P: ZERO, bootstrapped: ZERO } }
  test.each<[string, Upstream[], number]>([
    ['none in what is seen first', [node({ P: behind })], 0],
    ['none in an outage', [node(), () => late, node()], 0],
    ['one that was seen bootstrapping', [node(), node({ P: behind }), node({ P: behind }), node()], 1],
    ['one behind an outage', [node(), () => late, node({ P: behind })], 1],
    [
      'one too quick to be seen bootstrapping, by checks that have not run',
      [node(), node({ health: fresh }), node()],
      1,
    ],
    ['two', [node(), node({ P: behind }), node(), node({ P: NO_CHAIN }), node()], 2],
    ['none when the C-Chain alone falls back', [node(), node({ C: behind }), node()], 0],
  ])('restarts: %s', async (_, answers, count) => {
    expect(restarts(await polled(...answers))).toEqual([count])
  })
})
