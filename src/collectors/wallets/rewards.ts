// rewards: what ended stakes earned for wallets, in tokens and in the configured currency, each reward counted once.
// List historical rewards (document 1, operation 9). A reward gets its price a day later, and its value is counted
// then.

import { z } from 'zod'
import { toTokens } from '../../lib/units.ts'
import { ofAddress, type Sample } from '../../metrics/define.ts'
import type { Answer, AnswerOf } from '../../operations/define.ts'
import { listHistoricalRewards } from '../../operations/data/rewards.ts'
import { boundedWord } from '../answers/spelling.ts'
import { defineCollector } from '../define.ts'
import { followHistory, type HistoryOf, historyType, joinPages } from './history.ts'
import { isStakingToken } from './staking-token.ts'
import { askedOf, ownItems, type PrimaryWallet, primaryWallets } from './wallets.ts'
import { countType, momentType, sumType, wordType } from '../counting/remembered.ts'

const tokensTotal = ofAddress.counter('stakewatch_rewards_tokens_total', {
  help: 'Staking-token rewards paid to the wallet since counting began, by type (data service).',
  details: 'Rewards that the first run finds in the list are not counted.',
  labels: ['reward_type'],
})
const valueTotal = ofAddress.counter('stakewatch_rewards_value_total', {
  help: 'Value of the counted rewards at their historical prices, by type (data service).',
  details: 'A reward is added once its price is known.',
  labels: ['reward_type', 'currency'],
})
const unpriced = ofAddress.gauge('stakewatch_rewards_unpriced', {
  help: 'Counted rewards that have no price yet and are missing from the total value (data service).',
})
const lastReward = ofAddress.gauge('stakewatch_last_reward_timestamp_seconds', {
  is: 'past',
  help: "End of the stake that earned the wallet's newest reward; absent without any (data service).",
})
const gapsTotal = ofAddress.counter('stakewatch_rewards_gaps_total', {
  help: 'How often rewards went uncounted because the list did not reach back to those counted before (data service).',
})

type Answered = AnswerOf<typeof listHistoricalRewards>
type Reward = Answered['historicalRewards'][number]

const waitingType = z.object({
  id: z.string(),
  type: z.string(),
  amount: sumType,
  /** Its time in the list (seconds), and when it was counted (milliseconds). */
  time: momentType,
  since: momentType,
})
const totalsType = z.object({
  /** By type, in the smallest unit, exact. */
  tokens: z.record(wordType, sumType),
  /** By currency and type. */
  values: z.record(wordType, z.record(wordType, countType)),
  /** Rewards that wait for a price, and the number that were given up. */
  waiting: z.array(waitingType),
  priceless: countType,
})
type Totals = z.output<typeof totalsType>
const memory = historyType(totalsType)

const PAGE = 100
/** A reward without a price for this long will hardly get one. */
const PATIENCE = 7 * 86_400_000
const types = ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']

export const rewards = defineCollector({
  name: 'rewards',
  about: 'Rewards paid to wallets, in tokens and in a currency.',
  every: '1h',
  uses: [listHistoricalRewards],
  metrics: [tokensTotal, valueTotal, unpriced, lastReward, gapsTotal],
  memory,
  subjects: (network) => primaryWallets(network).map((wallet) => ({ ...wallet, id: askedOf(wallet) })),
  estimate: () => ({ series: 2 * types.length + 3 }),
  async collect({ subject, network: { currency }, memory: from, now, pages, flawed }) {
    const { network, addresses } = subject
    const asked = { network, addresses, currency, sortOrder: 'desc' as const, pageSize: PAGE }
    const own = ownRewards(pages(listHistoricalRewards, asked), subject)
    const newestFirst = readBack(own, from?.totals.waiting ?? [])
    const { history, listed, problem, refused } = await followHistory(countedAt(now), newestFirst, from, now)
    if (from && refused) return { samples: [], memory: { ...from, ...history }, refused }
    if (problem) flawed(problem)
    const totals = withPrices(history.totals, listed, currency, now)
    return {
      samples: [
        ...totalSamples(totals, currency),
        gapsTotal.sample({}, history.gaps),
        ...(history.position === '0' ? [] : [lastReward.sample({}, Number(history.position))]),
      ],
      memory: { ...history, totals },
    }
  },
})

/** A stake on an elastic subnet earns the subnet's own asset, which cannot be added to the network's. */
async function* ownRewards(listed: AsyncIterable<Answer<Answered>>, subject: PrimaryWallet): AsyncGenerator<Reward[]> {
  for await (const { value } of listed) {
    const own = ownItems(subject, value.historicalRewards, ({ addresses = [] }) => addresses)
    yield own.filter(({ reward: { assetId } }) => assetId === undefined || isStakingToken(assetId, subject.network))
  }
}

/** Reads back to the oldest reward without a price. */
function readBack(newestFirst: AsyncIterable<readonly Reward[]>, waiting: Totals['waiting']) {
  const oldest = waiting.reduce((least, { time }) => Math.min(least, time), Infinity)
  return joinPages(
    newestFirst,
    (page) => waiting.length === 0 || page.some(({ endTimestamp = Infinity }) => endTimestamp < oldest),
  )
}

function countedAt(now: number): HistoryOf<Reward, Totals> {
  return {
    // It is paid when its stake ends. An amount without an asset cannot be counted.
    time: ({ endTimestamp, reward: { assetId } }) => (assetId === undefined ? undefined : endTimestamp),
    id: identityOf,
    start: { tokens: Object.fromEntries(types.map((type) => [type, '0'])), values: {}, waiting: [], priceless: 0 },
    add({ tokens, waiting, ...totals }, reward) {
      const type = boundedWord(tokens, reward.rewardType ?? 'other')
      const { amount } = reward.reward
      const one = { id: identityOf(reward), type, amount: String(amount), time: reward.endTimestamp!, since: now }
      const sum = BigInt(tokens[type] ?? 0) + amount
      return { ...totals, tokens: { ...tokens, [type]: String(sum) }, waiting: [...waiting, one] }
    },
  }
}

function identityOf({ rewardTxHash, utxoId }: Reward): string {
  return `${rewardTxHash} ${utxoId}`
}

/** Counts the value of rewards whose prices have arrived. */
function withPrices(totals: Totals, listed: readonly Reward[], currency: string, now: number): Totals {
  const prices = new Map(listed.map((reward) => [identityOf(reward), priceIn(currency, reward)]))
  const values = { ...totals.values[currency] }
  const without = totals.waiting.filter(({ id, type, amount }) => {
    const price = prices.get(id)
    if (price !== undefined) values[type] = (values[type] ?? 0) + toTokens(BigInt(amount)) * price
    return price === undefined
  })
  const waiting = without.filter(({ since }) => now - since < PATIENCE)
  const priceless = totals.priceless + without.length - waiting.length
  return { ...totals, values: { ...totals.values, [currency]: values }, waiting, priceless }
}

/** The price of one token; undefined for a price in another currency. */
function priceIn(currency: string, { reward: { historicalPrice: price } }: Reward): number | undefined {
  return (price?.currencyCode ?? currency).toLowerCase() === currency ? price?.value : undefined
}

function totalSamples({ tokens, values, waiting, priceless }: Totals, currency: string): Sample[] {
  return [
    ...Object.entries(tokens).flatMap(([reward_type, sum]) => [
      tokensTotal.sample({ reward_type }, toTokens(BigInt(sum))),
      valueTotal.sample({ reward_type, currency }, values[currency]?.[reward_type] ?? 0),
    ]),
    unpriced.sample({}, waiting.length + priceless),
  ]
}
