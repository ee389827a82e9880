// The checks that a simulated node makes: how each state of the node and of its chains shows in them, and from when on. The
// forms are held by the recorded cases (test/recorded); here are times, numbers and names, worked out by hand.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { order } from '../recorded/asking.ts'
import { ask, EPOCH, type Network, rpc, startNetwork } from './network.ts'

let network: Network
/** The L1 whose chain the first node runs. All are connected, and only levers disconnect them. */
let l1: (typeof network.world.l1s.all)[0]
beforeEach(async () => {
  network = await startNetwork({ dialect: 'live', speed: 0 })
  l1 = network.world.l1s.all.find(({ name }) => name === 'orchard')!
  pass(0)
})
afterEach(() => network.stop())

/** Time goes on without the outages that the simulated network has by itself. */
function pass(seconds: number): void {
  const { world, nodes } = network
  world.advance(world.now() + seconds)
  for (const { followers } of world.l1s.all) followers.clear()
  l1.followers.add(nodes[0]!.nodeId)
  for (const { views } of [...world.validators.all.values(), ...l1.validators]) {
    for (const view of views.values()) {
      for (const reason of view.reasons) if (reason !== 'ordered') view.reasons.delete(reason)
      if (view.reasons.size === 0) view.since = undefined
    }
  }
}

interface Check {
  message?: { networking?: { percentConnected: number }; engine?: { vm: unknown } } & Record<string, unknown>
  error?: string
  timestamp: string
  contiguousFailures?: number
  timeOfFirstFailure?: string
}

async function health(path = '/ext/health') {
  const { status, body } = await ask(network.nodes[0]!.url + path)
  return { status, ...(body as { checks: Record<string, Check>; healthy: boolean }) }
}
/** Seconds since the network was handed over, which was 10 s after a round of checks. */
const at = (text: string | undefined) => (text === undefined ? undefined : Math.floor(Date.parse(text) / 1_000) - EPOCH)
const chain = async () => (await health()).checks[l1.blockchainId]!
const summary = ({ error, timestamp, contiguousFailures, timeOfFirstFailure }: Check) => [
  error,
  at(timestamp),
  contiguousFailures,
  at(timeOfFirstFailure),
]
const act = (what: object) => order(network, { node: 'node-a', ...what })

test('a chain whose process died fails from the next round of checks on', async () => {
  await act({ kind: 'kill-chain', blockchainId: l1.blockchainId })
  expect(summary(await chain())).toEqual([undefined, -10, undefined, undefined])
  pass(50)
  const error = 'health check failed: rpc error: code = Canceled desc = grpc: the client connection is closing'
  expect(summary(await chain())).toEqual([error, 50, 2, 20])
  await act({ kind: 'revive-chain', blockchainId: l1.blockchainId })
  expect(summary(await chain())).toEqual([undefined, 50, undefined, undefined])
})

test('all checks wait a minute for a chain whose process is frozen; then that one fails', async () => {
  await act({ kind: 'freeze-chain', blockchainId: l1.blockchainId })
  pass(59)
  const waiting = await health()
  expect(waiting.status).toBe(200)
  expect(new Set(Object.values(waiting.checks).map(({ timestamp }) => at(timestamp)))).toEqual(new Set([-10]))
  pass(31)
  const failed = await health()
  expect(failed.status).toBe(503)
  expect(summary(failed.checks[l1.blockchainId]!)).toEqual([
    expect.stringMatching(/^health check failed: rpc error: code = Unavailable /),
    80,
    1,
    80,
  ])
  expect(Object.values(failed.checks).filter(({ error }) => error !== undefined)).toHaveLength(1)
})

test('a chain whose process is frozen gives no answer until it goes on', async () => {
  const head = async (chain: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(2_000)
    const path = `/ext/bc/${chain}/rpc`
    const answer = await fetch(network.nodes[0]!.url + path, { method: 'POST', body, headers, signal })
    return answer.status
  }
  expect(await head(l1.blockchainId)).toBe(200)
  await act({ kind: 'freeze-chain', blockchainId: l1.blockchainId })
  await expect(head(l1.blockchainId)).rejects.toMatchObject({ name: 'TimeoutError' })
  await act({ kind: 'revive-chain', blockchainId: l1.blockchainId })
  expect(await head(l1.blockchainId)).toBe(200)
})

test('a chain begins when three quarters of its weight are connected, whatever has no balance included', async () => {
  const { nodes } = network
  const isBootstrapped = async () => {
    const { result } = await rpc(nodes[0]!.url, 'info.isBootstrapped', { chain: l1.blockchainId }, '/ext/info')
    return result!['isBootstrapped']
  }
  const others = l1.validators.map(({ nodeId }) => nodeId)
  const weights = l1.validators.map(({ weight }) => Number(weight))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const nodeId of others) network.world.take({ kind: 'disconnect', nodeId })
  await act({ kind: 'start' })
  await act({ kind: 'bootstrapped' })
  let connected = 0
  for (const [place, nodeId] of others.entries()) {
    expect([connected, await isBootstrapped()]).toEqual([connected, connected >= 0.75 * total])
    network.world.take({ kind: 'reconnect', nodeId })
    connected += weights[place]!
  }
  expect(await isBootstrapped()).toBe(true)
  // Once it has begun it goes on, however few are connected.
  for (const nodeId of others) network.world.take({ kind: 'disconnect', nodeId })
  expect(await isBootstrapped()).toBe(true)
})

test('a chain that cannot be created is named with its subnet, and holds up the others of it', async () => {
  const other = '2A9t6E6viNm34a4v2wTwK6gu7xTwV3DJWUmH8Wr6BZH1y76G6g'
  await act({ kind: 'fail-chain', blockchainId: other, subnetId: l1.subnetId, reason: 'plugin' })
  await act({ kind: 'start' })
  await act({ kind: 'bootstrapped' })
  pass(30)
  const { checks } = await health()
  expect(checks[other]!.error).toBe(
    `failed to create chain on subnet ${l1.subnetId}: error while creating vm: handshake failed: vm process not found`,
  )
  expect(checks['bootstrapped']).toMatchObject({ message: [l1.subnetId], error: 'subnets not bootstrapped' })
  // The chain is there, and has no block to tell of.
  expect(checks[l1.blockchainId]!.message!.engine).toEqual({ consensus: {}, vm: { database: null, health: null } })
  await act({ kind: 'revive-chain', blockchainId: other })
  expect((await health('/ext/health/readiness')).status).toBe(200)
})

test('a node reports its peers ten minutes after its start', async () => {
  await act({ kind: 'start' })
  await act({ kind: 'bootstrapped' })
  const ingress = async () => (await health()).checks['network']!.message!['primary network validator health']
  pass(600)
  expect(await ingress()).toBeUndefined()
  pass(1)
  const ingressConnectionCount = network.world.validators.all.size - 1
  expect(await ingress()).toEqual({ ingressConnectionCount, primaryNetworkValidator: true })
})

test('the share of the stake is with what is delegated, and no node reports itself', async () => {
  const { world, nodes } = network
  const [one] = [...world.validators.all.values()].filter(
    ({ nodeId, delegations }) => nodeId !== nodes[0]!.nodeId && delegations.length > 0,
  )
  const weightOf = ({ weight, delegations }: typeof one & object) =>
    Number(delegations.reduce((sum, each) => sum + each.weight, weight))
  const total = [...world.validators.all.values()].reduce((sum, each) => sum + weightOf(each), 0)
  world.take({ kind: 'disconnect', nodeId: one!.nodeId })
  const { checks } = await health()
  expect(checks['P']!.message!.networking).toEqual({
    disconnectedValidators: [one!.nodeId],
    percentConnected: expect.closeTo(1 - weightOf(one!) / total, 9),
  })
  // Some have taken over the newest release already: the upgrade that most of the connected stake knows, in percent.
  const own = world.validators.all.get(nodes[0]!.nodeId)!
  const peers = [...world.validators.all.values()].filter((each) => each !== own && each !== one)
  const times = Map.groupBy(peers, ({ nodeId }) => world.releases.of(nodeId, world.now()).upgradeTime)
  const shares = [...times.values()].map((some) => (100 * some.reduce((sum, each) => sum + weightOf(each), 0)) / total)
  expect(shares.length).toBeGreaterThan(1)
  expect(checks['futureupgrade']!.message).toMatchObject({
    modeUpgradeWeightPercentage: expect.closeTo(Math.max(...shares), 6),
    numUpgradeTimes: shares.length,
  })
})

test('a validator that one node has benched on a chain counts as disconnected there, on all chains, and stays a peer', async () => {
  const { world, nodes } = network
  const [, other] = [...world.validators.all.keys()]
  const bench = { nodeId: other!, observer: nodes[0]!.nodeId, blockchainId: l1.blockchainId }
  const seen = async (node: 0 | 1) => {
    const { result } = await rpc(nodes[node]!.url, 'platform.getCurrentValidators', { nodeIDs: [other] })
    const { validators } = result as unknown as { validators: { connected: boolean }[] }
    const { result: response } = await rpc(nodes[node]!.url, 'info.peers', { nodeIDs: [other] }, '/ext/info')
    const { peers } = response as unknown as { peers: { benched: string[] }[] }
    return [validators[0]!.connected, peers.map(({ benched }) => benched)]
  }
  expect(nodes[1]!.nodeId).toBe(other)
  world.take({ kind: 'bench', ...bench })
  expect(await seen(0)).toEqual([false, [[l1.blockchainId]]])
  expect((await health()).checks['P']!.message!.networking).toMatchObject({ disconnectedValidators: [other] })
  world.take({ kind: 'unbench', ...bench })
  expect(await seen(0)).toEqual([true, [[]]])
})
