// The levers of the control endpoint that concern validators, connections and messages: what a client sees of each.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EPOCH, type Network, post, rpc, startNetwork } from './network.ts'

let network: Network
beforeEach(async () => {
  network = await startNetwork({ dialect: 'live', isCalm: true, nodes: 3, paces: { P: 10, X: 20, C: 2 } })
})
afterEach(() => network.stop())

const act = async (action: object) => (await post(`${network.controlUrl}/actions`, action)).status
const at = (now: number) => {
  network.clock.now = now
  network.world.advance(EPOCH + now)
}
const result = async (node: number, method: string, params: object, path?: string) =>
  (await rpc(network.nodes[node]!.url, method, params, path)).result ?? {}
const ids = () => [...network.world.validators.all.keys()]
const WATCHED = 6

interface Seen {
  txID: string
  startTime: string
  endTime: string
  connected: boolean
  uptime: string
  validationRewardOwner: { addresses: string[] }
  signer?: { publicKey: string }
  weight: string
}

async function seen(nodeId: string, node = 0): Promise<Seen | undefined> {
  const said = await result(node, 'platform.getCurrentValidators', { nodeIDs: [nodeId] })
  return (said['validators'] as Seen[])[0]
}

async function peers(node: number): Promise<string[]> {
  const said = await result(node, 'info.peers', {}, '/ext/info')
  return (said['peers'] as { nodeID: string }[]).map(({ nodeID }) => nodeID)
}

describe('a connection', () => {
  test('of one node to a validator is lost and comes back, in the eyes of that node alone', async () => {
    const [nodeId, observer] = [ids()[WATCHED]!, network.nodes[1]!.nodeId]
    expect(await act({ kind: 'part', nodeId, observer })).toBe(200)
    const connected = () => Promise.all([0, 1, 2].map(async (node) => (await seen(nodeId, node))?.connected))
    expect(await connected()).toEqual([true, false, true])
    expect([(await peers(0)).includes(nodeId), (await peers(1)).includes(nodeId)]).toEqual([true, false])
    await act({ kind: 'meet', nodeId, observer })
    expect(await connected()).toEqual([true, true, true])
  })

  test.each([
    [0.3, [true, true, true]],
    [1, [false, true, true]],
  ])('a node that has lost %d of the stake has it no more until it rejoins', async (share, theirs) => {
    const { nodeId } = network.nodes[0]!
    const stakeOf = (seenBy: readonly string[]) => {
      const all = [...network.world.validators.all.values()]
      const weight = (some: typeof all) =>
        some.reduce(
          (sum, one) => sum + Number(one.weight) + one.delegations.reduce((s, d) => s + Number(d.weight), 0),
          0,
        )
      return weight(all.filter((one) => seenBy.includes(one.nodeId))) / weight(all)
    }
    const before = await peers(0)
    expect(await act({ kind: 'isolate', nodeId, share })).toBe(200)
    const connected = stakeOf([...(await peers(0)), nodeId])
    expect(connected).toBeLessThanOrEqual(share === 1 ? 0.1 : 0.7)
    expect((await peers(1)).includes(nodeId)).toBe(share < 1)
    expect(
      await Promise.all([0, 1, 2].map(async (node) => (await seen(network.nodes[1]!.nodeId, node))?.connected)),
    ).toEqual(theirs)
    await act({ kind: 'rejoin', nodeId })
    expect(await peers(0)).toEqual(before)
  })

  test.each([
    ['of a node without an API', { kind: 'part', nodeId: 'KNOWN', observer: 'NodeID-none' }],
    ['to an unknown node', { kind: 'part', nodeId: 'NodeID-none', observer: 'KNOWN' }],
    ['by isolation of a node without an API', { kind: 'isolate', nodeId: 'NodeID-none', share: 1 }],
  ])('%s cannot be lost', async (_, action) => {
    const given = JSON.stringify(action).replace('KNOWN', ids()[0]!)
    expect((await post(`${network.controlUrl}/actions`, given)).status).toBe(400)
  })
})

describe('the past of a validator', () => {
  test('is what it is set to, in the eyes of all or of one', async () => {
    const nodeId = ids()[WATCHED]!
    const { start } = network.world.validators.all.get(nodeId)!
    const uptimeAfter = (lost: number) => (100 * (1 - lost / (EPOCH - start))).toFixed(4)
    const uptimes = () => Promise.all([0, 1, 2].map(async (node) => (await seen(nodeId, node))?.uptime))
    await act({ kind: 'set-past', nodeId, seconds: 7_200 })
    expect(await uptimes()).toEqual([uptimeAfter(7_200), uptimeAfter(7_200), uptimeAfter(7_200)])
    await act({ kind: 'set-past', nodeId, seconds: 0, observer: network.nodes[2]!.nodeId })
    expect(await uptimes()).toEqual([uptimeAfter(7_200), uptimeAfter(7_200), '100.0000'])
  })

  test('of a node decides what stake would reward it', async () => {
    const { nodeId } = network.nodes[0]!
    const rewarding = async () => (await result(0, 'info.uptime', {}, '/ext/info'))['rewardingStakePercentage']
    expect(await rewarding()).toBe('100.0000')
    const { start } = network.world.validators.all.get(nodeId)!
    const seconds = Math.ceil((EPOCH - start) / 4)
    await act({ kind: 'set-past', nodeId, seconds, observer: network.nodes[1]!.nodeId })
    expect(await rewarding()).toBe('50.0000')
  })
})

describe('the end of a stake', () => {
  test.each([
    ['goes on with a new stake', false],
    ['is the last', true],
  ])('comes at the given time and %s', async (_, isLast) => {
    const nodeId = ids()[WATCHED]!
    const before = (await seen(nodeId))!
    expect(await act({ kind: 'set-end', nodeId, seconds: 300, isLast })).toBe(200)
    expect(Number((await seen(nodeId))?.endTime)).toBe(EPOCH + 300)
    at(299)
    expect((await seen(nodeId))?.txID).toBe(before.txID)
    at(320)
    const after = await seen(nodeId)
    expect(after === undefined).toBe(isLast)
    expect(after?.startTime).toBe(isLast ? undefined : String(EPOCH + 300))
    expect(after?.txID).not.toBe(before.txID)
    const paid = network.world.staking
      .paidFor(nodeId)
      .filter(({ type, stake }) => type === 'VALIDATOR' && stake.end === EPOCH + 300)
    expect(paid).toHaveLength(1)
    // Nothing happens any more at the end that it had before.
    const { end } = network.world.validators.all.get(ids()[0]!)!
    expect(end).toBeGreaterThan(EPOCH)
  })

  test('leaves a budget of downtime that minutes use up', async () => {
    const nodeId = ids()[WATCHED]!
    const { start } = network.world.validators.all.get(nodeId)!
    await act({ kind: 'set-end', nodeId, seconds: 600 })
    // A fifth of its time may be lost: all of that but two minutes.
    await act({ kind: 'set-past', nodeId, seconds: Math.floor((EPOCH + 600 - start) / 5) - 120 })
    await act({ kind: 'disconnect', nodeId })
    at(180)
    await act({ kind: 'reconnect', nodeId })
    at(640)
    expect(network.world.staking.paidFor(nodeId).some(({ stake }) => stake.end === EPOCH + 600)).toBe(false)
  })
})

describe('a validation that is made again', () => {
  test('has another owner of its rewards', async () => {
    const nodeId = ids()[WATCHED]!
    const before = (await seen(nodeId))!
    const { address } = network.world.trade.traders[0]!
    expect(await act({ kind: 'set-reward-owner', nodeId, owner: address })).toBe(200)
    at(10)
    const after = (await seen(nodeId))!
    expect(after.validationRewardOwner.addresses).toEqual([`P-${address}`])
    expect([after.endTime, after.weight]).toEqual([before.endTime, before.weight])
    expect(after.txID).not.toBe(before.txID)
    expect(network.world.ledger.find(after.txID)?.facts.rewardAddresses).toEqual([address])
  })

  test('has another key', async () => {
    const nodeId = ids()[WATCHED]!
    const before = (await seen(nodeId))!
    expect(await act({ kind: 'set-signer', nodeId })).toBe(200)
    at(10)
    const after = (await seen(nodeId))!
    expect(after.signer?.publicKey).toMatch(/^0x[0-9a-f]{96}$/)
    expect(after.signer?.publicKey).not.toBe(before.signer?.publicKey)
    expect([after.endTime, after.validationRewardOwner]).toEqual([before.endTime, before.validationRewardOwner])
  })

  test.each([
    ['set-balance-owner', { owner: 'fuji1owner' }, ['P-fuji1owner', true]],
    ['set-l1-signer', {}, [undefined, false]],
  ])('on an L1 by %s', async (kind, change, [owner, isKeyKept]) => {
    const [orchard] = network.world.l1s.all
    const { nodeId, validationId, weight, owner: formerly, publicKey } = orchard!.validators[0]!
    expect(await act({ kind, subnet: 'orchard', nodeId, ...change })).toBe(200)
    at(10)
    const after = orchard!.validators.find((one) => one.nodeId === nodeId)!
    const said = await result(0, 'platform.getL1Validator', { validationID: after.validationId })
    expect(after.validationId).not.toBe(validationId)
    expect(said['weight']).toBe(String(weight))
    expect((said['remainingBalanceOwner'] as { addresses: string[] }).addresses).toEqual([owner ?? `P-${formerly}`])
    expect(said['publicKey'] === publicKey).toBe(isKeyKept)
  })
})

test('a delegation lasts as long as the action says, and earns a reward', async () => {
  const nodeId = ids()[WATCHED]!
  const delegators = async () => {
    const said = await result(0, 'platform.getCurrentValidators', { nodeIDs: [nodeId] })
    const [one] = said['validators'] as { delegators?: { weight: string; startTime: string; endTime: string }[] }[]
    return one?.delegators ?? []
  }
  const before = (await delegators()).length
  expect(await act({ kind: 'delegate', nodeId, amount: 30_000_000_000, duration: 600 })).toBe(200)
  at(10)
  const added = (await delegators()).filter(({ weight }) => weight === '30000000000')
  expect(added).toMatchObject([{ startTime: String(EPOCH + 10), endTime: String(EPOCH + 610) }])
  at(640)
  expect(await delegators()).toHaveLength(before)
  // Half a percent, of which the validator keeps its fee.
  const paid = network.world.staking.paidFor(nodeId).filter(({ stake }) => stake.end === EPOCH + 610)
  expect(paid.reduce((sum, { amount }) => sum + amount, 0n)).toBe(150_000_000n)
})

test('a delegation needs a validator', async () => {
  expect(await act({ kind: 'delegate', nodeId: 'NodeID-none', amount: 1, duration: 600 })).toBe(400)
})

test('the balance of an L1 validator is used up at the given time', async () => {
  const [orchard] = network.world.l1s.all
  const { nodeId, validationId } = orchard!.validators[0]!
  expect(await act({ kind: 'set-balance', subnet: 'orchard', nodeId, seconds: 600 })).toBe(200)
  const balance = async () =>
    Number((await result(0, 'platform.getL1Validator', { validationID: validationId }))['balance'])
  // 512 a second at the least price.
  expect(await balance()).toBe(512 * 600)
  at(590)
  expect(await balance()).toBe(512 * 10)
  at(620)
  expect(await balance()).toBe(0)
  expect(await act({ kind: 'set-balance', subnet: 'orchard', nodeId, seconds: 600 })).toBe(400)
})

test('a node of another network says so and has other blocks from the first one on', async () => {
  const said = async () => [
    (await result(0, 'info.getNetworkID', {}, '/ext/info'))['networkID'],
    (await rpc(network.nodes[0]!.url, 'eth_chainId', [], '/ext/bc/C/rpc')).result,
    ((await result(0, 'platform.getBlockByHeight', { height: 1, encoding: 'json' })) as { block: { id: string } }).block
      .id,
  ]
  const before = await said()
  expect(before.slice(0, 2)).toEqual(['5', '0xa869'])
  await act({ kind: 'move-network', node: 'node-a', networkId: 1 })
  const moved = await said()
  expect(moved.slice(0, 2)).toEqual(['1', '0xa86a'])
  expect(moved[2]).not.toBe(before[2])
  await act({ kind: 'move-network', node: 'node-a', networkId: 5 })
  expect(await said()).toEqual(before)
})

test('messages wait while the relayer is stopped, and are brought over when it is started again', () => {
  const { world } = network
  const sentFrom = (from: number, to: number) =>
    [...world.icm.sent()].filter(({ time }) => time > EPOCH + from && time <= EPOCH + to)
  world.take({ kind: 'stop-relayer' })
  world.advance(EPOCH + 3_600)
  const held = sentFrom(0, 3_400)
  expect(held.length).toBeGreaterThan(5)
  expect(held.filter((one) => world.icm.isDelivered(one))).toEqual([])
  world.take({ kind: 'start-relayer' })
  world.advance(EPOCH + 4_800)
  const brought = held.filter((one) => world.icm.isDelivered(one))
  expect(brought.length).toBeGreaterThan(held.length * 0.9)
  for (const one of brought) expect(world.icm.message(one).delivery!.time).toBeGreaterThanOrEqual(EPOCH + 3_600)
})

test('the validators of an L1 withhold their signatures until they give them again', async () => {
  const [, , lantern] = network.world.l1s.all
  const { ledger } = network.world
  const tx = ledger.transactionsOf(lantern!.validators[2]!.validationId)[0]!.id
  const signed = async () =>
    (await fetch(`${network.dataUrl}/v1/signatureAggregator/fuji/aggregateSignatures/${tx}`)).status
  const before = await signed()
  await act({ kind: 'withhold-signatures', subnet: 'lantern' })
  expect(await signed()).toBe(500)
  await act({ kind: 'give-signatures', subnet: 'lantern' })
  expect(await signed()).toBe(before)
  expect([200, 201]).toContain(before)
})
