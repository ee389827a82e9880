import { describe, expect, test } from 'vitest'
import { nodePeers } from '../../../src/collectors/nodes/node-peers.ts'
import { BaseError } from '../../../src/errors.ts'
import { asClient } from '../../recorded/as-client.ts'
import { isOtherState } from '../../support/exposition.ts'
import { createPoller, type Upstream } from '../../support/poll.ts'

const NODE_2 = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const NODE_4 = 'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu'
const NODE_6 = 'NodeID-JLDbAAPFmXnPt3zMt3VgQDywZrTMVkG1i'
const SUBNET = '231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv'
const NOW = Date.parse('2026-11-22T00:39:40Z')
const seconds = (text: string) => Date.parse(text) / 1_000

const yaml = (nodeId = NODE_2, more = '') => `
networks:
  - name: local
    nodes: [{ name: node-2, url: "http://127.0.0.1:9660", node_id: ${nodeId} }]
    subnets: [{ id: ${SUBNET}, name: my-l1 }]
    validators:
      - { node_id: ${NODE_6}, name: six }
      - { node_id: ${NODE_6}, subnet: my-l1, name: six-of-l1 }
${more}`

const answering =
  (peers: unknown, set: unknown = primary, upgrades: unknown = unscheduled): Upstream =>
  (operation) => {
    if (operation === 'info.peers') return peers
    return operation === 'info.upgrades' ? upgrades : set
  }
const ofPeers = (name: string) => asClient('info.peers', name)
const primary = asClient('platform.getCurrentValidators', 'primary')
const unscheduled = asClient('info.upgrades', 'plain')

async function polled(answers: Upstream, config = yaml()) {
  const poller = createPoller(config, nodePeers, NOW)
  await poller.poll(answers)
  return poller
}
type Poller = Awaited<ReturnType<typeof polled>>

/** By name and own labels, to five places; of a state the current one. */
function published(poller: Poller): Record<string, number> {
  const current = poller.series(/^stakewatch_(node|validator)_/).filter((one) => !isOtherState(one))
  return Object.fromEntries(
    current.map(({ name, labels: { network: _, source: __, node_id: ___, ...own }, value }) => [
      [name.replace('stakewatch_', ''), ...Object.values(own)].join(' '),
      Math.round(value * 100_000) / 100_000,
    ]),
  )
}

const benched = (value: number) => ({
  'validator_benched primary six': value,
  'validator_benched my-l1 six-of-l1': value,
})
const counts = (peers: number, ofThem = 0) => ({ node_peers: peers, node_benched_peers: ofThem })
const OLD = 'node_peer_stake_ratio avalanchego/1.14.2'
const votes = (agree: number, against: number, unknown: number, state: string) => ({
  'node_vote_stake_ratio for': agree,
  'node_vote_stake_ratio against': against,
  'node_vote_stake_ratio unknown': unknown,
  [`node_vote_state ${state}`]: 1,
})

/**
 * Of the six validators node 2 itself has 2 000 000, three others as well, one 2 000 500 with its delegation, and node 6 has
 * 2 600: in all 8 003 100 without node 2.
 */
describe("node-peers (the node's own interface, info; document 2, Validator record)", () => {
  test.each([
    ['plain', counts(5), benched(0), 1],
    // 6 003 100 of 8 003 100, and 4 003 100 of them. The chain process of node 6 has died by then.
    ['node 5 killed 25 s ago', counts(4, 1), benched(1), 0.7501],
    ['nodes 3 and 5 down', counts(3, 1), benched(1), 0.50019],
    ['node 6 benched by this node', counts(5, 1), benched(1), 1],
  ])('recorded: %s', async (name, counted, six, share) => {
    const poller = await polled(answering(ofPeers(name)))
    expect(published(poller)).toEqual({
      ...counted,
      ...six,
      [OLD]: share,
      // Just over a half when nodes 3 and 5 are down: more than half of the stake is for it, whatever they would say.
      ...votes(share, 0, Math.round((1 - share) * 100_000) / 100_000, 'granted'),
    })
    expect(poller.success()).toEqual([1])
  })

  test("peers' zero uptime right after a start of the node is no vote against it", async () => {
    const name = 'node 4 restarted while nodes 3 and 5 are down: its P-Chain cannot bootstrap'
    const poller = await polled(answering(ofPeers(name)), yaml(NODE_4))
    // Of 8 003 100 without node 4: 2 000 500 + 2 000 000 + 2 600 are connected.
    expect(published(poller)).toEqual({ ...counts(3), ...benched(0), [OLD]: 0.50019, ...votes(0, 0, 1, 'undecided') })
  })

  test('counts peers but publishes no stake while the P-Chain bootstraps', async () => {
    const name = 'node 4 restarted while nodes 3 and 5 are down: its P-Chain cannot bootstrap'
    const poller = await polled(
      answering(ofPeers(name), asClient('platform.getCurrentValidators', `${name}, primary`)),
      yaml(NODE_4),
    )
    expect(published(poller)).toEqual({ ...counts(3), ...benched(0) })
    expect(poller.success()).toEqual([0])
  })

  const START = NOW / 1_000 - 1_000
  /** Stakes of 10 to 40, and the node itself with 1000. */
  const set = {
    validators: [NODE_2, 'NodeID-a', 'NodeID-b', 'NodeID-c', 'NodeID-d'].map((nodeID, at) => ({
      txID: `t${at}`,
      nodeID,
      startTime: String(START),
      endTime: String(START + 90_000),
      weight: at === 0 ? '1000' : String(10 * at),
      delegatorWeight: '0',
    })),
  }
  const peersOf = (members: Readonly<Record<string, object>>) => ({
    numPeers: String(Object.keys(members).length),
    peers: Object.entries(members).map(([name, more]) => ({ nodeID: `NodeID-${name}`, ...more })),
  })

  // Validators that began after the upgrade need 90 %.
  test.each([
    ['80 % by its start', '', { a: 79, b: 80, c: 0 }, votes(0.2, 0.1, 0.7, 'undecided')],
    [
      '90 % by its start',
      'upgrade_time: 2026-11-22T00:00:00Z',
      { a: 89, b: 90, c: 100 },
      votes(0.5, 0.1, 0.4, 'undecided'),
    ],
    [
      '95 % as configured',
      `upgrade_time: 2026-11-22T00:00:00Z\n    required`,
      { a: 94, b: 95 },
      votes(0.2, 0.1, 0.7, 'undecided'),
    ],
    ['80 %, and gets it', '', { a: 79, b: 80, d: 81 }, votes(0.6, 0.1, 0.3, 'granted')],
    ['80 %, and does not get it', '', { b: 79, d: 1 }, votes(0, 0.6, 0.4, 'refused')],
  ])('votes about a node that needs %s', async (_, more, observed, expected) => {
    const required = more.includes('required')
    const config = required
      ? yaml(NODE_2, `      - { node_id: ${NODE_2}, name: two, required_uptime: 0.95 }\n`)
      : yaml(NODE_2, more === '' ? '' : `    ${more}\n`)
    const peers = Object.fromEntries(
      Object.entries(observed).map(([name, uptime]) => [name, { observedUptime: String(uptime) }]),
    )
    const poller = await polled(answering(peersOf(peers), set), config)
    expect(published(poller)).toMatchObject(expected)
  })

  test('a node that is no validator has no votes', async () => {
    const poller = await polled(
      answering(peersOf({ a: { observedUptime: '99' } }), set),
      yaml('NodeID-EYfbUn864t7bqLDGkFwnGPPgiWdHuCZXC'),
    )
    expect(Object.keys(published(poller)).filter((name) => name.startsWith('node_vote'))).toEqual([])
    // Of 1100.
    expect(published(poller)['node_peer_stake_ratio unknown']).toBe(0.00909)
  })

  test('publishes stake by version, and merges the smallest ones beyond the limit', async () => {
    const poller = await polled(
      answering(
        peersOf({ a: { version: 'v1' }, b: { version: 'v2' }, c: { version: 'v1' }, stranger: { version: 'v3' } }),
        set,
      ),
    )
    expect(published(poller)).toMatchObject({ 'node_peer_stake_ratio v1': 0.4, 'node_peer_stake_ratio v2': 0.2 })
    expect(Object.keys(published(poller))).not.toContain('node_peer_stake_ratio v3')

    const names = Array.from({ length: 40 }, (_, at) => `n${at}`)
    const many = {
      validators: names.map((name, at) => ({ ...set.validators[0], nodeID: `NodeID-${name}`, weight: String(at + 1) })),
    }
    const each = peersOf(Object.fromEntries(names.map((name) => [name, { version: `of ${name}` }])))
    const ratios = Object.entries(published(await polled(answering(each, many)))).filter(([name]) =>
      name.includes('peer_stake'),
    )
    // Of 1 to 40, 820 in all, the least eight: 36.
    expect(ratios.length).toBe(33)
    expect(Object.fromEntries(ratios)).toMatchObject({
      'node_peer_stake_ratio other': 0.0439,
      'node_peer_stake_ratio of n39': 0.04878,
    })
  })

  const NEXT = '2026-12-01T15:00:00Z'
  const next = { upgradeTime: seconds(NEXT) }
  const old = { upgradeTime: seconds('2025-11-19T16:00:00Z') }
  const scheduled = { graniteTime: '2025-11-19T16:00:00Z', heliconTime: NEXT, laterTime: '9999-12-01T00:00:00Z' }
  const upgrade = (name: string, ratio: number, more: object = {}) => ({
    [`node_upgrade_timestamp_seconds ${name}`]: seconds(NEXT),
    node_peers_upgrade_ready_ratio: ratio,
    ...more,
  })
  const knows = (isReady: 0 | 1) => ({ node_upgrade_ready: isReady })
  const silent = new BaseError('unsupported', 'no such method')
  const most = { a: old, b: next, d: next }
  test.each<[string, Readonly<Record<string, object>>, unknown, object]>([
    ['that the node knows and some of the stake', most, scheduled, upgrade('helicon', 0.6, knows(1))],
    ['that the node hears of alone', most, unscheduled, upgrade('unknown', 0.6, knows(0))],
    ['that no other node knows yet', { a: old, b: old }, scheduled, upgrade('helicon', 0, knows(1))],
    ['of which a node does not tell whether it knows it', { a: next }, silent, upgrade('unknown', 0.1)],
    ['of which there is none', { a: old }, unscheduled, {}],
  ])('an upgrade %s', async (_, peers, upgrades, expected) => {
    const poller = await polled(answering(peersOf(peers), set, upgrades))
    const all = Object.entries(published(poller)).filter(([name]) => name.includes('upgrade'))
    expect(Object.fromEntries(all)).toEqual(expected)
    expect(poller.success()).toEqual([1])
  })

  test.each<[string, object | undefined, number | undefined]>([
    ['knows it', next, 1],
    ['knows none but older ones', old, 0],
    ['knows a later one, and maybe this one', { upgradeTime: seconds('2027-06-01T15:00:00Z') }, undefined],
    ['does not tell', {}, undefined],
    ['is not connected', undefined, undefined],
  ])('an upgrade and a tracked validator that %s', async (_, six, ready) => {
    const peers = { d: next, ...(six && { [NODE_6.replace('NodeID-', '')]: six }) }
    const poller = await polled(answering(peersOf(peers), set, scheduled))
    const all = Object.entries(published(poller)).filter(([name]) => name.startsWith('validator_upgrade'))
    expect(Object.fromEntries(all)).toEqual(
      ready === undefined
        ? {}
        : { 'validator_upgrade_ready primary six': ready, 'validator_upgrade_ready my-l1 six-of-l1': ready },
    )
  })

  test('fields of a peer that cannot be read cost neither its stake nor the others', async () => {
    const peers = {
      a: { version: 'v1', observedUptime: '99', ...next },
      b: { version: 'x'.repeat(300), observedUptime: '99', ...next },
      c: { version: 'v1', observedUptime: '101', ...next },
      d: { version: 'v1', observedUptime: '99', upgradeTime: '18446744073709551615' },
      stranger: { upgradeTime: '18446744073709551615' },
    }
    const poller = await polled(answering(peersOf(peers), set, scheduled))
    expect(published(poller)).toEqual({
      ...counts(5),
      'node_peer_stake_ratio v1': 0.8,
      'node_peer_stake_ratio unknown': 0.2,
      ...votes(0.7, 0, 0.3, 'granted'),
      ...upgrade('helicon', 0.6, knows(1)),
    })
  })

  test.each([
    ['reports, reported, shows', {}],
    ['can read', { upgradeTime: 'soon' }],
  ])('the share that is ready is absent while a peer with stake has no upgrade time that the node %s', async (_, d) => {
    const poller = await polled(answering(peersOf({ a: next, d, stranger: {} }), set, scheduled))
    const all = Object.entries(published(poller)).filter(([name]) => name.includes('upgrade'))
    expect(Object.fromEntries(all)).toEqual({ 'node_upgrade_timestamp_seconds helicon': seconds(NEXT), ...knows(1) })
  })

  const good = peersOf({ a: { version: 'v1', observedUptime: '99', benched: [] } })
  test.each<[string, Upstream, Record<string, number>, number]>([
    ['has no peers', answering({ numPeers: '0', peers: [] }, set), { ...counts(0), ...votes(0, 0, 1, 'undecided') }, 1],
    [
      'has peers that cannot be read',
      answering({ numPeers: '2', peers: [...good.peers, { nodeID: 7 }] }, set),
      { node_peers: 2 },
      1,
    ],
    [
      // How much uptime is required depends on them.
      'does not tell its upgrades',
      answering(good, set, new BaseError('timeout', 'late')),
      { ...counts(1), 'node_peer_stake_ratio v1': 0.1 },
      0,
    ],
    [
      'has validators of unknown stake',
      answering(good, { validators: set.validators.map((one) => ({ ...one, delegatorWeight: undefined })) }),
      counts(1),
      1,
    ],
    ['has no validators', answering(good, { validators: [] }), counts(1), 1],
  ])('a node that %s', async (_, answers, expected, value) => {
    const poller = await polled(answers)
    expect(published(poller)).toEqual(expected)
    expect(poller.success()).toEqual([value])
  })
})
