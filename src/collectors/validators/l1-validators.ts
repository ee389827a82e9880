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
  async collect({ subject, network, memory: before = {}, attempt }) {
    const asked = await attempt((ask) => newestPChain(network, ask.call))
    const chain = asked.value
    const sets = []
    for (const subnet of subject.subnets) {
      const params = { subnetID: subnet.id, ...nodeIdsOf(subnet) }
      const set = await attempt((ask) => ask.call(getCurrentValidators, params))
      sets.push({ subnet, set, records: l1Records(set.value?.value.validators ?? [], subnet) })
    }
    const current = chain
      ? tracksOf(
          before,
          sets.flatMap(({ records }) => records),
          chain.time,
        )
      : {}
    const isWhole = chain !== undefined && sets.every(({ set }) => set.state !== 'failed')
    const tracks = isWhole ? current : { ...before, ...current }
    const prices = { accrued: chain?.accrued, slope: slopePrice(Object.values(current)) }
    const market = marketOf(prices.accrued ?? prices.slope, chain?.active, network)
    return {
      samples: [],
      parts: [
        ...sets.flatMap(({ subnet, set, records }) => [
          {
            name: `balances of ${subnet.name}`,
            of: [set],
            samples: records.flatMap((record) => recordSamples(record, subnet)),
          },
          {
            name: `runway of ${subnet.name}`,
            of: [set, asked],
            samples: records.flatMap((record) => runwaySamples(record, subnet, chain?.time, market)),
          },
        ]),
        { name: 'price by fees', of: [asked], samples: priceSamples('accrued', prices.accrued) },
        {
          name: 'price by balances',
          of: [asked, ...sets.map(({ set }) => set)],
          samples: priceSamples('slope', prices.slope),
        },
      ],
      memory: tracks as z.output<typeof memory>,
    }
  },
})

function l1Records(records: readonly ValidatorRecord[], subnet: SubnetSubject): L1Record[] {
  return watchedMembers(records, subnet).flatMap((record) => {
    const { balance, validationID: key = `${subnet.id} ${record.nodeID}` } = record
    return balance === undefined ? [] : [{ ...record, balance, key }]
  })
}

function tracksOf(before: Tracks, records: readonly L1Record[], time: number): Tracks {
  return Object.fromEntries(
    records
      .filter(({ balance }) => balance > 0n)
      .map(({ key, balance }) => [key, track(before[key] ?? [], time, Number(balance))]),
  )
}

function recordSamples({ nodeID, balance, minNonce: nonce }: L1Record, { tracked, name }: SubnetSubject): Sample[] {
  const labels = { ...validatorLabels(nodeID, tracked), subnet: name }
  return [
    balanceTokens.sample(labels, toTokens(balance)),
    active.sample(labels, balance > 0n ? 1 : 0),
    ...(nonce === undefined ? [] : [minNonce.sample(labels, Number(nonce))]),
  ]
}

function runwaySamples(
  { nodeID, balance }: L1Record,
  { tracked, name }: SubnetSubject,
  time: number | undefined,
  market: FeeMarket | undefined,
): Sample[] {
  const labels = { ...validatorLabels(nodeID, tracked), subnet: name }
  if (balance === 0n) return [runway.sample(labels, 0)]
  if (!market || time === undefined) return []
  const left = runwaySeconds(Number(balance), market)
  return [runway.sample(labels, left), depletion.sample(labels, time + left)]
}

function priceSamples(method: string, value: number | undefined): Sample[] {
  return value === undefined ? [] : [price.sample({ method }, value / 1e9)]
}
