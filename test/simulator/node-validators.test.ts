// platform.getCurrentValidators (document 2, P-Chain interface), on the wire.

import { describe, expect, test } from 'vitest'
import { uptimeOf } from '../../src/simulator/world/views.ts'
import { EPOCH, networkOfFile, networkOfTest, post, rpc } from './network.ts'

const network = await networkOfFile()

describe('platform.getCurrentValidators', () => {
  const list = async (params: object, node = 0) => {
    const { result } = await rpc(network.nodes[node]!.url, 'platform.getCurrentValidators', params)
    return result!['validators'] as { nodeID: string; uptime: string; connected: boolean; delegators?: unknown[] }[]
  }
  const ids = () => [...network.world.validators.all.keys()]
  /** The one whose validation is the first to be followed by another. */
  const soonest = ({ world }: typeof network) =>
    [...world.validators.all.values()].filter(({ renewal }) => !renewal).toSorted((a, b) => a.end - b.end)[0]!

  test('a whole record has the form of the document', async () => {
    const validator = network.world.validators.all.get(ids()[6]!)!
    const view = validator.views.get(network.nodes[1]!.nodeId)!
    const owner = { locktime: '0', threshold: '1', addresses: [`P-${validator.owner}`] }
    expect((await list({}, 1))[6]).toEqual({
      txID: validator.txId,
      startTime: String(validator.start),
      endTime: String(validator.end),
      weight: String(validator.weight),
      nodeID: validator.nodeId,
      validationRewardOwner: owner,
      delegationRewardOwner: owner,
      potentialReward: String(validator.reward),
      delegationFee: expect.stringMatching(/^(2|5|10)\.0000$/),
      uptime: (100 * uptimeOf(validator, view, network.world.now())).toFixed(4),
      connected: true,
      delegatorCount: String(validator.delegations.length),
      delegatorWeight: String(validator.delegations.reduce((sum, { weight }) => sum + weight, 0n)),
      signer: {
        publicKey: expect.stringMatching(/^0x[0-9a-f]{96}$/),
        proofOfPosession: expect.stringMatching(/^0x[0-9a-f]{192}$/),
      },
    })
  })

  test('each has a key of its own that stays, but for those that were added without one', async () => {
    const own = await networkOfTest()
    const signers = async (node: number) => {
      const { result } = await rpc(own.nodes[node]!.url, 'platform.getCurrentValidators', {})
      return (result!['validators'] as { signer?: { publicKey: string } }[]).map(({ signer }) => signer)
    }
    const before = await signers(0)
    const keyless = before.flatMap((signer, at) => (signer ? [] : [at]))
    expect(keyless).toEqual([8, 18])
    expect(new Set(before.map((signer) => signer?.publicKey)).size).toBe(18 + 1)
    const next = soonest(own)
    const { txId, end } = next
    own.world.advance(end)
    expect(next.txId).not.toBe(txId)
    expect(await signers(1)).toEqual(before)
  })

  test('live nodes spell the proof in another way, and tell what fees of delegations are collected', async () => {
    const own = await networkOfTest({ dialect: 'live' })
    const { nodeId, delegations, fee, end } = soonest(own)
    const [document] = await list({ nodeIDs: [nodeId] })
    const read = async () => {
      const { result } = await rpc(own.nodes[0]!.url, 'platform.getCurrentValidators', { nodeIDs: [nodeId] })
      return (result!['validators'] as (object & { accruedDelegateeReward: string })[])[0]!
    }
    const { signer, ...common } = document as typeof document & {
      signer: { publicKey: string; proofOfPosession: string }
    }
    const { publicKey, proofOfPosession: proofOfPossession } = signer
    // Some delegations were over before the network began.
    const collected = own.world.staking
      .paidFor(nodeId)
      .filter(({ type }) => type === 'VALIDATOR_FEE')
      .reduce((sum, { amount }) => sum + amount, 0n)
    const accruedDelegateeReward = String(collected)
    expect(await read()).toEqual({ ...common, signer: { publicKey, proofOfPossession }, accruedDelegateeReward })
    const [first] = delegations.toSorted((a, b) => a.end - b.end) as [(typeof delegations)[0]]
    expect(first.end).toBeLessThan(end)
    own.world.advance(first.end)
    expect((await read()).accruedDelegateeReward).toBe(String(collected + (first.reward * BigInt(fee)) / 100n))
    own.world.advance(end)
    expect((await read()).accruedDelegateeReward).toBe('0')
  })

  test('one that renews itself says for how long, and who may change that', async () => {
    const { nodeId, start, end, owner } = network.world.validators.all.get(ids()[5]!)!
    const [record] = await list({ nodeIDs: [nodeId] })
    expect(record).toMatchObject({
      startTime: String(start),
      endTime: String(end),
      nextPeriod: String(30 * 86_400),
      autoCompoundRewardShares: '500000',
      validatorAuthority: { locktime: '0', threshold: '1', addresses: [`P-${owner}`] },
    })
    const others = (await list({})).filter((one) => !('nextPeriod' in one))
    expect(others).toHaveLength(18)
  })

  test('of an L1 lists those with a balance, as of the last block, and those from before the conversion', async () => {
    const { l1s, chains } = network.world
    const { subnetId, validators, legacy } = l1s.all[1]!
    const records = await list({ subnetID: subnetId })
    expect(records).toHaveLength(5 + 3)
    const [paying, permissioned] = [validators[0]!, legacy[0]!]
    const owner = { locktime: '0', threshold: '1', addresses: [`P-${paying.owner}`] }
    expect(records[0]).toEqual({
      validationID: paying.validationId,
      nodeID: paying.nodeId,
      publicKey: expect.stringMatching(/^0x[0-9a-f]{96}$/),
      remainingBalanceOwner: owner,
      deactivationOwner: owner,
      startTime: String(paying.start),
      weight: String(paying.weight),
      minNonce: expect.stringMatching(/^[0-3]$/),
      balance: String(l1s.balance(paying, chains.P.block(chains.P.head())!.time)),
    })
    expect(records[5]).toEqual({
      txID: permissioned.txId,
      nodeID: permissioned.nodeId,
      weight: String(permissioned.weight),
      startTime: String(permissioned.start),
      endTime: String(permissioned.end),
    })
    const ids = [permissioned.nodeId, paying.nodeId, 'NodeID-none']
    expect(await list({ subnetID: subnetId, nodeIDs: ids })).toEqual([records[0], records[5]])
  })

  test('an L1 validator out of balance stays in the list with its weight, until it is topped up', async () => {
    const own = await networkOfTest()
    const { l1s, chains } = own.world
    const { subnetId, validators } = l1s.all[2]!
    const read = async () => {
      const { result } = await rpc(own.nodes[0]!.url, 'platform.getCurrentValidators', { subnetID: subnetId })
      return (result!['validators'] as object[])[0]
    }
    const [{ validationId, weight }] = validators as [(typeof validators)[number]]
    expect(await read()).toMatchObject({ validationID: validationId, balance: '0', weight: String(weight) })
    const topUp = { kind: 'top-up', validationId, amount: 5_120 }
    expect((await post(`${own.controlUrl}/actions`, topUp)).status).toBe(200)
    own.clock.now = chains.P.due() - EPOCH
    expect(await read()).toMatchObject({ validationID: validationId, balance: '5120', weight: String(weight) })
  })

  test('permissioned validators are gone at their end', async () => {
    const own = await networkOfTest()
    const { subnetId, legacy } = own.world.l1s.all[1]!
    const end = EPOCH + 60
    legacy[1]!.end = end
    const left = async (time: number) => {
      own.clock.now = time - EPOCH
      const { result } = await rpc(own.nodes[0]!.url, 'platform.getCurrentValidators', { subnetID: subnetId })
      return (result!['validators'] as object[]).filter((one) => !('balance' in one)).length
    }
    expect(await left(end - 1)).toBe(3)
    // By the next block at the latest.
    expect(await left(end + 14)).toBe(2)
  })

  test('each node has its own view, and an ordered outage is in it to the second', async () => {
    // Its own network: time passes here.
    const own = await networkOfTest({ epoch: 0 })
    const [a, b] = own.nodes
    const id = [...own.world.validators.all.keys()][6]!
    const views = async () => {
      const answers = [a, b].map((node) => rpc(node!.url, 'platform.getCurrentValidators', { nodeIDs: [id] }))
      return (await Promise.all(answers)).map(
        ({ result }) => (result!['validators'] as { uptime: string; connected: boolean }[])[0]!,
      )
    }
    const action = (kind: string) => post(`${own.controlUrl}/actions`, { kind, nodeId: id })
    // Before the first accident of this world: at 0 everyone begins without a past.
    own.clock.now = 20
    await action('disconnect')
    own.clock.now = 25
    const down = { uptime: '80.0000', connected: false }
    expect(await views()).toMatchObject([down, down])
    await action('reconnect')
    own.clock.now = 30
    // 5 of 30 seconds were lost: 83.3333 % were not.
    const up = { uptime: '83.3333', connected: true }
    expect(await views()).toMatchObject([up, up])
    own.world.validators.disconnect(id, 'way', 30, [a!.nodeId])
    own.clock.now = 40
    // The first node lost 15 of 40 seconds, the second one 5.
    expect(await views()).toMatchObject([
      { uptime: '62.5000', connected: false },
      { uptime: '87.5000', connected: true },
    ])
  })
})
