// platform.getCurrentValidators (document 2, P-Chain interface), on the wire.

import { describe, expect, test } from 'vitest'
import { uptimeOf } from '../../src/simulator/world/views.ts'
import { networkOfFile, networkOfTest, rpc } from './network.ts'

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
})
