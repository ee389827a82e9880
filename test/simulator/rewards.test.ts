// Rewards over HTTP (document 1, operations 9 and 10): what was paid, what is still to come, and how one becomes the other.

import { describe, expect, test } from 'vitest'
import { avaxAsset as avax } from '../support/avax.ts'
import { EPOCH, type Network, networkOfFile, networkOfTest } from './network.ts'

const PAID = '/v1/networks/fuji/rewards'
const PENDING = `${PAID}:listPending`
const DAY = 86_400

interface Reward {
  addresses: string[]
  txHash: string
  nodeId: string
  startTimestamp: number
  endTimestamp: number
  rewardType: string
}
interface Paid extends Reward {
  utxoId: string
  outputIndex: number
  rewardTxHash: string
  reward: { amount: string; historicalPrice?: { currencyCode: string; value: string | number } }
}
interface Pending extends Reward {
  estimatedReward: { amount: string }
}

async function paid(network: Network, query: string): Promise<Paid[]> {
  const { body } = await network.askLater(`${PAID}?pageSize=100&${query}`)
  return (body as { historicalRewards: Paid[] }).historicalRewards
}
async function pending(network: Network, query: string): Promise<Pending[]> {
  const { body } = await network.askLater(`${PENDING}?pageSize=100&${query}`)
  return (body as { pendingRewards: Pending[] }).pendingRewards
}
const validator = ({ world }: Network, at: number) => [...world.validators.all.values()][at]!
const idsOf = (found: readonly Paid[]) => found.map(({ utxoId }) => utxoId)

const network = await networkOfFile({ speed: 0 })

const priceText = expect.stringMatching(/^\d+(\.\d+)?$/) as string

const live = await networkOfFile({ speed: 0, dialect: 'live' })

describe.each([
  ['document', network, priceText, {}],
  ['live', live, expect.any(Number), { stakingType: 'fixed' }],
] as const)('in the form of the %s', (_, own, value, stakingType) => {
  test('what a validation earned before the one that runs now', async () => {
    // It began with what the one before had staked, for the same reward.
    const { nodeId, owner, start, weight, reward } = validator(own, 0)
    const found = (await paid(own, `nodeIds=${nodeId}`)).filter(({ rewardType }) => rewardType === 'VALIDATOR')
    expect(found).toEqual([
      {
        addresses: [owner],
        txHash: expect.stringMatching(/^\w{44,51}$/),
        amountStaked: String(weight),
        nodeId,
        startTimestamp: expect.any(Number),
        endTimestamp: start,
        ...stakingType,
        rewardType: 'VALIDATOR',
        utxoId: expect.stringMatching(/^\w{44,51}$/),
        outputIndex: 0,
        rewardTxHash: expect.stringMatching(/^\w{44,51}$/),
        reward: {
          ...avax,
          amount: String(reward),
          historicalPrice: { currencyCode: 'usd', value },
        },
      },
    ])
    expect(found[0]!.startTimestamp).toBeLessThan(start)
  })

  test('what a delegation will earn', async () => {
    const { nodeId, fee, delegations } = validator(own, 10)
    const { txId, owner, start, end, weight, reward } = delegations[0]!
    const found = (await pending(own, `addresses=${owner}`)).filter(({ txHash }) => txHash === txId)
    expect(found).toEqual([
      {
        addresses: [owner],
        txHash: txId,
        amountStaked: String(weight),
        nodeId,
        startTimestamp: start,
        endTimestamp: end,
        ...stakingType,
        rewardType: 'DELEGATOR',
        progress: expect.closeTo((EPOCH - start) / (end - start), 3),
        estimatedReward: { ...avax, amount: String(reward - (reward * BigInt(fee)) / 100n) },
      },
    ])
  })
})

describe('of those who are asked for', () => {
  /** The UTXOs of an address that are rewards. */
  const utxosOf = (owner: string) => network.world.ledger.utxosOf(owner).filter(({ rewardType }) => rewardType)
  const nodeOf = (txId: string) => network.world.ledger.find(txId)!.facts.nodeId

  test('by node, for all receivers; with an address and a node, both must match', async () => {
    const [{ nodeId, owner, delegations }, other] = [validator(network, 0), validator(network, 1)]
    const owners = [owner, ...delegations.map((one) => one.owner)]
    const found = await paid(network, `nodeIds=${nodeId}`)
    const expected = owners.flatMap(utxosOf).filter(({ txId }) => nodeOf(txId) === nodeId)
    expect(new Set(idsOf(found))).toEqual(new Set(expected.map(({ id }) => id)))
    expect(found).toHaveLength(expected.length)
    const two = await paid(network, `nodeIds=${nodeId},${other.nodeId}`)
    expect(new Set(two.map((one) => one.nodeId))).toEqual(new Set([nodeId, other.nodeId]))
    expect(new Set(idsOf(await paid(network, `nodeIds=${nodeId}&addresses=${owner}`)))).toEqual(
      new Set(found.filter(({ addresses }) => addresses[0] === owner).map(({ utxoId }) => utxoId)),
    )
    expect(await paid(network, `nodeIds=${other.nodeId}&addresses=${owner}`)).toEqual([])
  })

  test('by the end of the stake, the newest first; of one transaction by the place of its UTXOs', async () => {
    const { nodeId } = validator(network, 0)
    const down = await paid(network, `nodeIds=${nodeId}`)
    const places = (found: readonly Paid[]) => found.map((one) => [one.endTimestamp, one.rewardTxHash, one.outputIndex])
    expect(down.map(({ endTimestamp }) => endTimestamp)).toEqual(
      down.map(({ endTimestamp }) => endTimestamp).toSorted((a, b) => b - a),
    )
    expect(new Set(down.map(({ endTimestamp }) => endTimestamp)).size).toBeGreaterThan(2)
    expect(places(await paid(network, `nodeIds=${nodeId}&sortOrder=desc`))).toEqual(places(down))
    const up = await paid(network, `nodeIds=${nodeId}&sortOrder=asc`)
    expect(places(up)).toEqual(places(down).toReversed())
    const ofDelegations = up.filter(({ rewardType }) => rewardType !== 'VALIDATOR')
    expect(ofDelegations.map(({ rewardType, outputIndex }) => [rewardType, outputIndex])).toEqual(
      ofDelegations.map((_, at) => (at % 2 === 0 ? ['DELEGATOR', 0] : ['VALIDATOR_FEE', 1])),
    )
  })

  test('pending ones by the start of the stake, the oldest first', async () => {
    const nodes = `nodeIds=${[6, 7, 8].map((at) => validator(network, at).nodeId).join(',')}`
    const all = await pending(network, nodes)
    const starts = all.map(({ startTimestamp }) => startTimestamp)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(await pending(network, `${nodes}&sortOrder=asc`)).toEqual(all)
    expect(await pending(network, `${nodes}&sortOrder=desc`)).toEqual(all.toReversed())
  })
})

test('a reward has a price when it is a day old, in the currency that is asked for', async () => {
  // In this network one comes to be a day old within the hour.
  const own = await networkOfTest({ speed: 0, seed: 2 })
  const nodeIds = `nodeIds=${[...own.world.validators.all.keys()].join(',')}&sortOrder=asc`
  const before = await paid(own, nodeIds)
  const isOld = ({ endTimestamp }: Paid) => endTimestamp <= EPOCH - DAY
  expect(before.map(({ reward }) => reward.historicalPrice !== undefined)).toEqual(before.map(isOld))
  const { utxoId, endTimestamp } = before.find((one) => !isOld(one))!
  const priceIn = async (currency: string) =>
    (await paid(own, `${nodeIds}&currency=${currency}`)).find((one) => one.utxoId === utxoId)!.reward.historicalPrice
  own.world.advance(endTimestamp + DAY - 1)
  expect([await priceIn('usd'), await priceIn('eur')]).toEqual([undefined, undefined])
  own.world.advance(endTimestamp + DAY)
  const [usd, eur] = [(await priceIn('usd'))!, (await priceIn('eur'))!]
  expect([usd, eur]).toEqual([
    { currencyCode: 'usd', value: priceText },
    { currencyCode: 'eur', value: priceText },
  ])
  // It is worth about 24 dollars, and a dollar 0.92 euros.
  expect(Math.abs(Number(usd.value) - 24)).toBeLessThan(2.5)
  expect(Number(eur.value) / Number(usd.value)).toBeCloseTo(0.92, 4)
  // Prices are those of the time when the stake ended.
  own.world.advance(endTimestamp + DAY + 3_600)
  expect(await priceIn('usd')).toEqual(usd)
})
