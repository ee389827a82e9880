// pending-rewards: what running stakes will earn if they are rewarded. List pending rewards (document 1, operation 10).
// For a wallet, all rewards that go to its addresses; for a validator only its own, as the answer for a node id also
// has the rewards of its delegators.

import type { Network } from '../../config/schema.ts'
import type { DataNetwork } from '../../lib/primary-network.ts'
import { sumOf, toTokens } from '../../lib/units.ts'
import { ofAddress, ofShownValidator, ofValidator, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { listPendingRewards } from '../../operations/data/rewards.ts'
import { boundedWord, knownSpelling } from '../answers/spelling.ts'
import { wholeList } from '../answers/whole-list.ts'
import { defineCollector } from '../define.ts'
import { validatorsOnPrimary } from '../subjects/subnets.ts'
import { isStakingToken } from './staking-token.ts'
import { ownItems, primaryWallets } from './wallets.ts'
import { least } from '../../lib/statistics.ts'

const forWallets = {
  tokens: ofAddress.gauge('stakewatch_address_pending_reward_tokens', {
    help: 'Staking-token rewards that the wallet gets if its running stakes are rewarded, by type (data service).',
    details: 'Absent for a type when one of its rewards does not state its asset.',
    labels: ['reward_type'],
  }),
  rewards: ofAddress.gauge('stakewatch_address_pending_rewards', {
    help: "Number of staking-token rewards that the wallet's running stakes wait for, by type (data service).",
    labels: ['reward_type'],
  }),
  nextEnd: ofAddress.gauge('stakewatch_address_pending_reward_next_end_timestamp_seconds', {
    is: 'end',
    help: "When the next of the wallet's stakes with a pending reward ends; absent without any (data service).",
  }),
}
const otherAssets = ofAddress.gauge('stakewatch_address_pending_rewards_other_assets', {
  help: "Number of the wallet's pending rewards in other assets, which no other metric counts (data service).",
})
const forValidators = {
  tokens: ofValidator.gauge('stakewatch_validator_pending_reward_tokens', {
    help: "The validator's own pending rewards and fees by type, without those of its delegators (data service).",
    labels: ['reward_type'],
  }),
  rewards: ofShownValidator.gauge('stakewatch_validator_pending_rewards', {
    help: "Number of the validator's own stakes and fees that wait for a reward, by type (data service).",
    labels: ['reward_type'],
  }),
  nextEnd: ofShownValidator.gauge('stakewatch_validator_pending_reward_next_end_timestamp_seconds', {
    is: 'end',
    help: 'When the next stake with a pending reward or fee of the validator ends; absent without any (data service).',
  }),
}

type Reward = AnswerOf<typeof listPendingRewards>['pendingRewards'][number]

const PAGE = 100
/** The types that exist today: without any reward of a type its sum is known to be 0. */
const addressTypes = ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']
const validatorTypes = ['VALIDATOR', 'VALIDATOR_FEE']

export const pendingRewards = defineCollector({
  name: 'pending-rewards',
  about: 'Rewards that wallets and tracked validators get if they are rewarded.',
  every: '15m',
  uses: [listPendingRewards],
  metrics: [...Object.values(forWallets), otherAssets, ...Object.values(forValidators)],
  subjects,
  estimate: ({ of }) => ({ series: of === 'address' ? 2 * addressTypes.length + 2 : 2 * validatorTypes.length + 1 }),
  async collect({ subject: { network, of, asked }, pages }) {
    const filter = of === 'address' ? { addresses: asked } : { nodeIds: asked }
    const listed = pages(listPendingRewards, { network, ...filter, pageSize: PAGE })
    const all = await wholeList('rewards', listed, (value) => value.pendingRewards, identityOf)
    const own = ownItems({ addresses: asked }, all, (reward) => namedBy(reward, of))
    const rewards = own.filter((reward) => !isInOtherAsset(reward, network))
    if (of === 'validator') {
      const ofItself = rewards.filter(({ rewardType }) => knownSpelling(validatorTypes, rewardType) !== undefined)
      return { samples: rewardSamples(forValidators, ofItself, validatorTypes) }
    }
    return {
      samples: [
        ...rewardSamples(forWallets, rewards, addressTypes),
        otherAssets.sample({}, own.length - rewards.length),
      ],
    }
  },
})

function subjects(network: Network) {
  const { data_api } = network
  if (!data_api) return []
  // A wallet and a validator may share a name: the target says which of them it is.
  const wallets = primaryWallets(network).map(({ name, labels, addresses }) => ({
    name: `address:${name}`,
    of: 'address' as const,
    labels,
    network: data_api.network,
    asked: addresses,
  }))
  const validators = validatorsOnPrimary(network).map(({ name, labels, nodeId }) => ({
    name: `validator:${name}`,
    of: 'validator' as const,
    labels,
    network: data_api.network,
    asked: nodeId,
  }))
  return [...wallets, ...validators]
}

function namedBy({ addresses = [], nodeId }: Reward, of: 'address' | 'validator'): readonly string[] {
  if (of === 'address') return addresses
  return nodeId === undefined ? [] : [nodeId]
}

/**
 * Everything about a reward except its progress. Transaction and type are not enough: the documents do not say whether
 * each fee of a validator names its delegation or the validation.
 */
function identityOf({ txHash, rewardType, nodeId, amountStaked, estimatedReward, ...times }: Reward): string {
  const { startTimestamp, endTimestamp } = times
  const { assetId, amount } = estimatedReward
  return [txHash, rewardType, nodeId, startTimestamp, endTimestamp, amountStaked, assetId, amount].join(' ')
}

/**
 * A stake on an elastic subnet earns the subnet's own asset, which cannot be added to the network's. Others may stake
 * in favour of a wallet: such rewards must neither count nor make the rest unknown.
 */
function isInOtherAsset({ estimatedReward: { assetId } }: Reward, network: DataNetwork): boolean {
  return assetId !== undefined && !isStakingToken(assetId, network)
}

function rewardSamples(
  { tokens, rewards: counts, nextEnd }: typeof forWallets | typeof forValidators,
  rewards: readonly Reward[],
  types: readonly string[],
): Sample[] {
  const byType: Record<string, Reward[]> = Object.fromEntries(types.map((type) => [type, []]))
  for (const reward of rewards) {
    const type = boundedWord(byType, reward.rewardType ?? 'other')
    ;(byType[type] ??= []).push(reward)
  }
  const ends = rewards.flatMap(({ endTimestamp }) => endTimestamp ?? [])
  return [
    ...Object.entries(byType).flatMap(([reward_type, ofType]) => [
      ...(ofType.every(({ estimatedReward: { assetId } }) => assetId !== undefined)
        ? [tokens.sample({ reward_type }, totalTokens(ofType))]
        : []),
      counts.sample({ reward_type }, ofType.length),
    ]),
    ...(ends.length === 0 ? [] : [nextEnd.sample({}, least(ends))]),
  ]
}

function totalTokens(rewards: readonly Reward[]): number {
  const [decimals] = rewards.flatMap(({ estimatedReward: { denomination } }) => denomination ?? [])
  return toTokens(sumOf(rewards.map(({ estimatedReward: { amount } }) => amount)), decimals)
}
