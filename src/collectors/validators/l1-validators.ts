// l1-validators: balances of the watched L1 validators and when they run out. platform.getCurrentValidators (document 2)
// for the balances, the newest P-Chain blocks (document 1, operation 14) for chain time, fees and number of validators.

import { z } from 'zod'
import { type BalanceTrack, type FeeMarket, runwaySeconds, slopePrice, track } from '../../judgements/runway.ts'
import { toTokens } from '../../lib/units.ts'
import { gauge, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { listLatestPrimaryNetworkBlocks } from '../../operations/data/list-latest-primary-network-blocks.ts'
import { getCurrentValidators } from '../../operations/node/platform.getCurrentValidators.ts'
import { defineCollector } from '../define.ts'
import { marketOf, newestPChain } from '../answers/l1-market.ts'
import {
  membersOf,
  nodeIdsOf,
  type SubnetSubject,
  validatorLabels,
  watchedMembers,
  watchedSubnets,
} from '../subjects/subnets.ts'

const balanceTokens = gauge({
  name: 'stakewatch_l1_validator_balance_tokens',
  help: 'Balance that pays for the L1 validator, as of the last block of the node (platform.getCurrentValidators).',
  of: 'validator',
})
const active = gauge({
  name: 'stakewatch_l1_validator_active',
  help: 'Whether the L1 validator has a balance left and so takes part: 1 or 0 (platform.getCurrentValidators).',
  of: 'validator',
})
const minNonce = gauge({
  name: 'stakewatch_l1_validator_min_nonce',
  help: 'Least nonce that the next change of weight of the L1 validator must carry (platform.getCurrentValidators).',
  of: 'validator',
})
const depletion = gauge({
  name: 'stakewatch_l1_validator_depletion_timestamp_seconds',
  help: 'When the balance of the L1 validator runs out if nobody tops up, joins or leaves; absent while the price is unknown.',
  of: 'validator',
})
const runway = gauge({
  name: 'stakewatch_l1_validator_runway_seconds',
  help: 'Chain time until the balance of the L1 validator runs out; 0 when it has, absent while the price is unknown.',
  of: 'validator',
})
const price = gauge({
  name: 'stakewatch_l1_fee_price_tokens_per_second',
  help: "What an active L1 validator pays: by the blocks' accrued fees, mean of one page of at most 50 blocks (accrued); by the fall of the watched balances, mean of the last 12 runs (slope).",
  of: 'network',
  labels: ['method'],
})

type ValidatorRecord = AnswerOf<typeof getCurrentValidators>['validators'][number]
type L1Record = ValidatorRecord & { balance: bigint; key: string }

/** Balances over chain time by validation id. */
const memory = z.record(z.string(), z.array(z.tuple([z.number(), z.number()])))
type Tracks = Record<string, BalanceTrack>

export const l1Validators = defineCollector({
  name: 'l1-validators',
  about: 'Balances of the watched L1 validators, the price of their seconds, and when they run out.',
  every: '1m',
  uses: [getCurrentValidators, listLatestPrimaryNetworkBlocks],
  observer: 'any',
  metrics: [balanceTokens, active, minNonce, depletion, runway, price],
  memory,
  // One run for the whole network: the price is the same for all of it.
  subjects: (network) => {
    const subnets = watchedSubnets(network).filter(({ isPrimary }) => !isPrimary)
    return subnets.length === 0 ? [] : [{ name: 'all', labels: {}, subnets }]
  },
  estimate: ({ subnets }) => ({
    calls: [
      { operation: getCurrentValidators, times: subnets.length },
      { operation: listLatestPrimaryNetworkBlocks, times: 1 },
    ],
    series: 2 + 5 * subnets.reduce((sum, one) => sum + membersOf(one), 0),
  }),
  async collect({ subject, network, memory: before = {}, call, attempt }) {
    const chain = await attempt(newestPChain(network, call))
    const found: { subnet: SubnetSubject; record: L1Record }[] = []
    let failed: Promise<unknown> | undefined
    let answered = 0
    for (const subnet of subject.subnets) {
      const asked = call(getCurrentValidators, { subnetID: subnet.id, ...nodeIdsOf(subnet) })
      const answer = await attempt(asked)
      if (answer) answered += 1
      else failed = asked
      for (const record of watchedMembers(answer?.value.validators ?? [], subnet)) {
        const { balance, validationID: key = `${subnet.id} ${record.nodeID}` } = record
        if (balance !== undefined) found.push({ subnet, record: { ...record, balance, key } })
      }
    }
    // Nothing new is known: what was published stays until it expires.
    if (answered === 0) await failed
    const current = chain ? tracksOf(before, found, chain.time) : {}
    const tracks = chain && !failed ? current : { ...before, ...current }
    const prices = { accrued: chain?.accrued, slope: slopePrice(Object.values(current)) }
    const market = marketOf(prices.accrued ?? prices.slope, chain?.active, network)
    const samples = found.flatMap(({ subnet, record }) => recordSamples(record, subnet, chain?.time, market))
    for (const [method, value] of Object.entries(prices)) {
      if (value !== undefined) samples.push(price.sample({ method }, value / 1e9))
    }
    return { samples, memory: tracks as z.output<typeof memory> }
  },
})

function tracksOf(before: Tracks, found: readonly { record: L1Record }[], time: number): Tracks {
  return Object.fromEntries(
    found
      .filter(({ record }) => record.balance > 0n)
      .map(({ record: { key, balance } }) => [key, track(before[key] ?? [], time, Number(balance))]),
  )
}

function recordSamples(
  { nodeID, balance, minNonce: nonce }: L1Record,
  { tracked, name }: SubnetSubject,
  time: number | undefined,
  market: FeeMarket | undefined,
): Sample[] {
  const labels = { ...validatorLabels(nodeID, tracked), subnet: name }
  const samples = [
    balanceTokens.sample(labels, toTokens(balance)),
    active.sample(labels, balance > 0n ? 1 : 0),
    ...(nonce === undefined ? [] : [minNonce.sample(labels, Number(nonce))]),
  ]
  if (balance === 0n) return [...samples, runway.sample(labels, 0)]
  if (!market || time === undefined) return samples
  const left = runwaySeconds(Number(balance), market)
  return [...samples, runway.sample(labels, left), depletion.sample(labels, time + left)]
}
