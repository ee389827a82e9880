// The node's own interfaces, info and health, on the wire: in the form that was recorded from a real node.

import { expect, test } from 'vitest'
import { EPOCH, networkOfFile, post, rpc } from './network.ts'

const network = await networkOfFile({ dialect: 'live' })

const DAY = 86_400

interface Check {
  error?: string
  timestamp: string
  contiguousFailures?: number
  timeOfFirstFailure?: string
}
interface Health {
  checks: Record<string, Check>
  healthy: boolean
}

async function healthOf(node: 0 | 1): Promise<Health> {
  const { result } = await rpc(network.nodes[node]!.url, 'health.health', {}, '/ext/health')
  return result as unknown as Health
}

test('health: while a node bootstraps a check fails, from the first round of checks on', async () => {
  const { clock, controlUrl } = network
  const order = (kind: string) => post(`${controlUrl}/actions`, { kind, node: 'node-b' })
  const bootstrapped = async () => {
    const { checks, healthy } = await healthOf(1)
    const { error, contiguousFailures, timestamp, timeOfFirstFailure } = checks['bootstrapped']!
    const seconds = (text: string | undefined) =>
      text === undefined ? undefined : Math.floor(Date.parse(text) / 1_000) - EPOCH
    return [error, contiguousFailures, seconds(timestamp), seconds(timeOfFirstFailure), error === undefined || !healthy]
  }
  // Chains of L1s begin by a rule of their own.
  for (const { followers } of network.world.l1s.all) followers.delete(network.nodes[1]!.nodeId)
  // Checks are made at whole half minutes: the network began 10 s after one of them.
  expect(EPOCH % 30).toBe(10)
  clock.now = 65
  await order('start')
  // Until the next round the check has not run, and has Go's zero time.
  const zero = Date.parse('0001-01-01T00:00:00Z') / 1_000 - EPOCH
  expect(await bootstrapped()).toEqual(['not yet run', undefined, zero, undefined, true])
  clock.now = 115
  await order('bootstrap')
  expect(await bootstrapped()).toEqual(['subnets not bootstrapped', 2, 110, 80, true])
  await order('bootstrapped')
  expect(await bootstrapped()).toEqual([undefined, undefined, 110, undefined, true])
})

test('nodes take over a release one by one, days before its upgrade comes into force', () => {
  const { releases, upgrade, validators } = network.world
  const ids = [...validators.all.keys()]
  // The network is handed over a week after Helicon. The next upgrade comes another week later, and its release came a
  // day before; within two days all have it.
  expect(EPOCH - upgrade).toBe(7 * DAY)
  const next = upgrade + 14 * DAY
  const versions = (at: number) => Object.fromEntries(Map.groupBy(ids, (id) => releases.of(id, at).version))
  expect(Object.keys(versions(EPOCH - DAY - 1))).toEqual(['avalanchego/1.15.0'])
  const { 'avalanchego/1.15.0': old, 'avalanchego/1.15.1': updated } = versions(EPOCH)
  expect(old!.length).toBeGreaterThan(0)
  expect(updated!.length).toBeGreaterThan(0)
  expect(Object.keys(versions(EPOCH + DAY))).toEqual(['avalanchego/1.15.1'])
  expect(releases.of(old![0]!, EPOCH).upgradeTime).toBe(upgrade)
  expect(releases.of(updated![0]!, EPOCH).upgradeTime).toBe(next)
  expect(releases.upgradesKnownTo(old![0]!, EPOCH)).toEqual([
    ['helicon', upgrade],
    ['iris', undefined],
  ])
  expect(releases.upgradesKnownTo(updated![0]!, EPOCH)).toEqual([
    ['helicon', upgrade],
    ['iris', next],
    ['juniper', undefined],
  ])
})

test('peers come, go and are benched as validators connect and disconnect', async () => {
  const { world, nodes, clock, controlUrl } = network
  const [{ url, nodeId: own }] = nodes as [(typeof nodes)[0]]
  const ask = async (params: object = {}) => {
    const { result } = await rpc(url, 'info.peers', params, '/ext/info')
    return result as unknown as {
      numPeers: string
      peers: { nodeID: string; observedUptime: string; benched: string[] }[]
    }
  }
  // After the test before.
  clock.now += 30
  const views = [...world.validators.all.values()].map(({ nodeId, views: all }) => [nodeId, all.get(own)!] as const)
  const { numPeers, peers } = await ask()
  expect(Number(numPeers)).toBe(peers.length)
  const benched = new Map(peers.map(({ nodeID, benched: chains }) => [nodeID, chains.length > 0]))
  for (const [nodeId, { since, reasons }] of views) {
    const isAway = since !== undefined
    // The node counts those that it has benched as disconnected, and has a connection to them all the same.
    const isOnBench = isAway && [...reasons].every((reason) => /^way \d*[02468]$/.test(reason))
    const expected = nodeId === own || (isAway && !isOnBench) ? undefined : isOnBench
    expect([nodeId, benched.get(nodeId)]).toEqual([nodeId, expected])
  }

  const [one] = views.find(([nodeId, { since }]) => nodeId !== own && since === undefined)!
  const order = (kind: string) => post(`${controlUrl}/actions`, { kind, nodeId: one })
  const alone = async () => (await ask({ nodeIDs: [one] })).peers.map(({ observedUptime }) => Number(observedUptime))
  expect(await alone()).toEqual([expect.toSatisfy((uptime: number) => uptime > 50)])
  await order('disconnect')
  expect(await alone()).toEqual([])
  clock.now += 60
  await order('reconnect')
  // It does not say at once what it has seen.
  expect(await alone()).toEqual([0])
  clock.now += 21
  expect(await alone()).toEqual([0])
  clock.now += 1
  expect(await alone()).toEqual([expect.toSatisfy((uptime: number) => uptime > 50)])
})
