// Levers that concern validators, and of which the incidents that CI plays do not show all.

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
