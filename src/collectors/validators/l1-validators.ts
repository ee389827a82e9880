// l1-validators: balances of the watched L1 validators and when they run out. platform.getCurrentValidators (document
// 2) gives the balances, platform.getValidatorFeeState their chain time and the price per second. The newest P-Chain
// blocks (document 1, operation 14) give the number of all validators, and the price if the node does not. Otherwise
// the price follows from the fall of the balances.

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { type FeeMarket, runwaySeconds, slopePrice } from '../../judgements/runway.ts'
import { toTokens } from '../../lib/units.ts'
import { ofNetwork, ofShownValidator, ofValidator, type Sample } from '../../metrics/define.ts'
import { listLatestPrimaryNetworkBlocks } from '../../operations/data/primary-network-blocks.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { getValidatorFeeConfig, getValidatorFeeState } from '../../operations/node/platform-fees.ts'
import {
  askChainWith,
  asksMarket,
  type Chain,
  ifOtherNode,
  type Made,
  marketMemory,
  marketOf,
  nextMemory,
  tracksOf,
  unknownRunwayError,
} from '../answers/l1-market.ts'
import { type Attempt, defineCollector, type Part } from '../define.ts'
import { type Asked, askWatched, refusedIdsType } from '../answers/asked-validators.ts'
import {
  byNodeId,
  membersOf,
  type SubnetSubject,
  type Tracked,
  validatorLabels,
  type ValidatorRecord,
  watchedMembers,
  watchedSubnets,
} from '../subjects/subnets.ts'

const balanceTokens = ofValidator.gauge('stakewatch_l1_validator_balance_tokens', {
  help: "Balance from which the L1 validator pays its fee, at the node's last block (platform.getCurrentValidators).",
})
const active = ofValidator.gauge('stakewatch_l1_validator_active', {
  help: 'Whether the L1 validator has balance left and is active: 1 or 0 (platform.getCurrentValidators).',
})
const minNonce = ofShownValidator.gauge('stakewatch_l1_validator_min_nonce', {
  help: 'Lowest nonce that the next weight change of the L1 validator must carry (platform.getCurrentValidators).',
})
const depletion = ofValidator.gauge('stakewatch_l1_validator_depletion_timestamp_seconds', {
  is: 'future',
  help: "When the L1 validator's balance runs out if nothing changes; absent while time or price is unknown.",
  details:
    'Chain time of the node that reports the balance, plus the runway; assumes that no validator tops up, joins or leaves.',
})
const runway = ofShownValidator.gauge('stakewatch_l1_validator_runway_seconds', {
  help: "How long the L1 validator's balance lasts from the node's last block; 0 once depleted, absent while time or price is unknown.",
})
const price = ofNetwork.gauge('stakewatch_l1_fee_price_tokens_per_second', {
  help: 'Fee that an active L1 validator pays per second, by the method that determined it.',
  details:
    '`fee_state`: stated by the node (platform.getValidatorFeeState); `accrued`: from the accrued fees of one page of at most 50 data-service blocks; `slope`: mean fall of the watched balances over 12 runs; runways use the first that is known.',
  labels: ['method'],
})

interface L1Record extends ValidatorRecord {
  balance: bigint
  key: string
}

interface SubnetAnswer {
  subnet: SubnetSubject
  tracked: Tracked
  set: Attempt<Asked>
  records: L1Record[]
}

const memory = marketMemory.extend({
  refused: z.record(z.string(), refusedIdsType).optional(),
})

export const l1Validators = defineCollector({
  name: 'l1-validators',
  about: 'Balances of the watched L1 validators, the price per second, and when they run out.',
  every: '1m',
  uses: [getCurrentValidators, ...asksMarket],
  isReserved: true,
  metrics: [balanceTokens, active, minNonce, depletion, runway, price],
  memory,
  // One run for the whole network, as the price is the same for all of it.
  subjects: (network) => {
    const subnets = watchedSubnets(network).filter(({ isPrimary }) => !isPrimary)
    return subnets.length === 0 ? [] : [{ name: 'all', labels: {}, subnets }]
  },
  estimate: ({ subnets }) => ({
    calls: [
      { operation: getCurrentValidators, times: subnets.length },
      // Before the balances and after them.
      { operation: getValidatorFeeState, times: 2 },
      getValidatorFeeConfig,
      listLatestPrimaryNetworkBlocks,
    ],
    series: 3 + 5 * subnets.reduce((sum, one) => sum + membersOf(one), 0),
  }),
  async collect({ subject, network, memory: before, now, attempt, flawed }) {
    const { chain, result: answers } = await askChainWith(network, { attempt, now }, before, async () => {
      const sets: SubnetAnswer[] = []
      for (const subnet of subject.subnets) {
        const set = await attempt((ask) =>
          askWatched({ call: ask.call, flawed, now }, subnet, before?.refused?.[subnet.name]),
        )
        sets.push({ subnet, set, tracked: byNodeId(subnet.tracked), records: l1Records(set.value, subnet) })
      }
      return sets
    })
    const records = answers.flatMap((one) => one.records)
    const timed = answers.filter(({ set }) => ifOtherNode(chain, set.value?.answer.source).length === 0)
    const followed = timed.flatMap((one) => one.records)
    const tracks = tracksOf(before?.tracks ?? {}, followed, chain)
    const market = marketOf(chain, tracks, network)
    const isPaid = records.some(({ balance }) => balance > 0n)
    const flaws = [...answers.map(unknownBalanceError), isPaid ? unknownRunwayError(chain, market, network) : undefined]
    for (const flaw of flaws) if (flaw) flawed(flaw)
    const isWhole = timed.length === answers.length && answers.every(({ set }) => set.state !== 'failed')
    const refused = answers.flatMap(({ subnet: { name }, set }) => {
      const ids = set.value ? set.value.refused : before?.refused?.[name]
      return ids ? [[name, ids] as const] : []
    })
    return {
      samples: [],
      parts: [...answers.flatMap((one) => partsOf(one, chain, market)), ...priceParts(answers, chain, tracks)],
      memory: { ...nextMemory(chain, tracks, before, isWhole), refused: Object.fromEntries(refused) },
    }
  },
})

function partsOf(answers: SubnetAnswer, chain: Chain, market: Made<FeeMarket>): Part[] {
  const { subnet, set } = answers
  return [
    { name: `balances of ${subnet.name}`, of: [set], samples: samplesOfEach(answers, recordSamples) },
    {
      name: `runway of ${subnet.name}`,
      of: [set, ...chain.time.of, ...market.of, ...ifOtherNode(chain, set.value?.answer.source)],
      samples: samplesOfEach(answers, (record, labels) =>
        runwaySamples(record, labels, chain.time.value, market.value),
      ),
    },
  ]
}

function priceParts(answers: readonly SubnetAnswer[], chain: Chain, tracks: Parameters<typeof tracksOf>[0]): Part[] {
  const { fee, listed, time } = chain
  return [
    { name: 'price by the node', of: [fee], samples: priceSamples('fee_state', fee.value?.price) },
    { name: 'price by fees', of: [listed], samples: priceSamples('accrued', listed.value?.accrued) },
    {
      name: 'price by balances',
      of: [...time.of, ...answers.map(({ set }) => set)],
      samples: priceSamples('slope', slopePrice(Object.values(tracks))),
    },
  ]
}

function l1Records(asked: Asked | undefined, subnet: SubnetSubject): L1Record[] {
  return watchedMembers(asked?.answer.value.validators ?? [], subnet).flatMap((record) => {
    const { balance, validationID: key = `${subnet.id} ${record.nodeID}` } = record
    return balance === undefined ? [] : [{ ...record, balance, key }]
  })
}

/** Why the balance of an L1 validator is unknown. Legacy validators, without a validation id, have no balance. */
function unknownBalanceError({ subnet, tracked, set }: SubnetAnswer): BaseError | undefined {
  if (!set.value) return undefined
  const { value, dropped } = set.value.answer
  const listed = new Set(value.validators.map(({ nodeID }) => nodeID))
  const missing = subnet.tracked.find(({ node_id }) => dropped > 0 && !listed.has(node_id))
  if (missing) {
    return new BaseError('bad_response', `validator ${missing.name} may be among the unreadable records`)
  }
  const poor = watchedMembers(value.validators, subnet).find(
    ({ validationID, balance }) => validationID !== undefined && balance === undefined,
  )
  if (!poor) return undefined
  const { validator } = validatorLabels(poor.nodeID, tracked)
  return new BaseError('bad_response', `the node reports no balance of L1 validator ${validator}`)
}

type Labels = ReturnType<typeof validatorLabels> & { subnet: string }

function samplesOfEach(
  { records, tracked, subnet }: SubnetAnswer,
  samplesOf: (record: L1Record, labels: Labels) => Sample[],
) {
  return records.flatMap((record) =>
    samplesOf(record, { ...validatorLabels(record.nodeID, tracked), subnet: subnet.name }),
  )
}

function recordSamples({ balance, minNonce: nonce }: L1Record, labels: Labels): Sample[] {
  return [
    balanceTokens.sample(labels, toTokens(balance)),
    active.sample(labels, balance > 0n),
    ...minNonce.ifKnown(labels, nonce),
  ]
}

function runwaySamples(
  { balance }: L1Record,
  labels: Labels,
  time: number | undefined,
  market: FeeMarket | undefined,
): Sample[] {
  if (balance === 0n) return [runway.sample(labels, 0)]
  if (!market || time === undefined) return []
  const left = runwaySeconds(Number(balance), market)
  return [runway.sample(labels, left), depletion.sample(labels, time + left)]
}

function priceSamples(method: string, value: number | undefined): Sample[] {
  return value === undefined ? [] : [price.sample({ method }, value / 1e9)]
}
