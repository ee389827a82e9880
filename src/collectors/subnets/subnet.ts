// subnet: each configured subnet as a whole. platform.getCurrentValidators (document 2) gives the whole set; for L1s
// platform.getValidatorFeeState gives the chain time of the balances and the price per second, or else the fallbacks of
// src/collectors/answers/l1-market.ts.

import { nakamotoCoefficient, topRatio, totalOf } from '../../judgements/stake.ts'
import { type FeeMarket, runwaySeconds } from '../../judgements/runway.ts'
import { toTokens } from '../../lib/units.ts'
import { ofSubnet, type Sample } from '../../metrics/define.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { defineCollector } from '../define.ts'
import {
  askChain,
  asksMarket,
  FOLLOWED,
  ifOtherNode,
  marketMemory,
  marketOf,
  nextMemory,
  tracksOf,
  unknownRunwayError,
} from '../answers/l1-market.ts'
import {
  allSubnets,
  members,
  noMembers,
  type SubnetSubject,
  type ValidatorRecord,
  votingWeight,
} from '../subjects/subnets.ts'

const validatorsByState = ofSubnet.gauge('stakewatch_subnet_validators', {
  help: 'Validators of the subnet by state, each in exactly one.',
  details:
    '`connected` and `disconnected` as seen by the answering node, `inactive` without a balance, else `unknown`.',
  labels: ['state'],
})
const weightByState = ofSubnet.gauge('stakewatch_subnet_weight', {
  help: "Voting weight of the subnet's validators by state.",
  details: 'The weight of inactive L1 validators still counts in the total.',
  labels: ['state'],
})
const depleting = ofSubnet.gauge('stakewatch_subnet_weight_depleting', {
  help: 'Weight of the active L1 validators whose balance runs out within the time `within`.',
  details:
    'At the price that the node states, else by the accrued fees of the data service, else by the fall of the balances.',
  labels: ['within'],
})
const delegators = ofSubnet.gauge('stakewatch_subnet_delegators', {
  help: 'Number of delegations to all validators of the primary network (platform.getCurrentValidators).',
})
const stakeTokens = ofSubnet.gauge('stakewatch_subnet_stake_tokens', {
  help: 'Own and delegated stake on the primary network (platform.getCurrentValidators).',
})
const topWeight = ofSubnet.gauge('stakewatch_subnet_top_weight_ratio', {
  is: 'share',
  help: 'Share of the voting weight that the `top` heaviest validators hold.',
  labels: ['top'],
})
const nakamoto = ofSubnet.gauge('stakewatch_subnet_nakamoto_coefficient', {
  help: 'Smallest number of validators that together hold more than a third of the voting weight.',
})

type State = 'connected' | 'disconnected' | 'inactive' | 'unknown'

const DAY = 86_400
const windows = { '1d': DAY, '7d': 7 * DAY, '30d': 30 * DAY }
const tops = [1, 5, 10, 33]

type Weighed = ValidatorRecord & { votes: bigint | undefined }

export const subnet = defineCollector({
  name: 'subnet',
  about: 'Size, weight, stake and concentration of each subnet, and the weight that is about to go inactive.',
  every: '5m',
  uses: [getCurrentValidators, ...asksMarket],
  metrics: [validatorsByState, weightByState, depleting, delegators, stakeTokens, topWeight, nakamoto],
  memory: marketMemory,
  subjects: allSubnets,
  estimate: () => ({ calls: [getCurrentValidators], series: 14 }),
  async collect({ subject, network, memory: before, now, call, attempt, flawed }) {
    const { value, at, source, dropped } = await call(getCurrentValidators, { subnetID: subject.id })
    const records = members(value.validators).map((record) => ({ ...record, votes: votingWeight(record, subject) }))
    if (records.length === 0) throw noMembers()
    // Counts, sums and shares need all of them.
    const isWhole = dropped === 0
    const samples = isWhole
      ? [...stateSamples(records), ...concentrationSamples(records), ...stakeSamples(records, subject)]
      : []
    const paying = records.filter(isPaying)
    if (paying.length === 0) return { samples }
    // After the set, which shows whether any validator pays. A block in between does not matter for windows of days.
    const chain = await askChain(network, { attempt, now }, before)
    const followed = paying
      .slice(0, FOLLOWED)
      .map(({ nodeID, balance = 0n, validationID: key = nodeID }) => ({ key, balance }))
    const tracks = tracksOf(before?.tracks ?? {}, followed, chain)
    const market = marketOf(chain, tracks, network)
    const flaw = unknownRunwayError(chain, market, network)
    if (flaw) flawed(flaw)
    const part = {
      name: 'depleting',
      of: [...chain.time.of, ...market.of, ...ifOtherNode(chain, source)],
      samples: isWhole ? depletingSamples(records, market.value, chain.time.value, at.wall / 1_000) : [],
    }
    return { samples, parts: [part], memory: nextMemory(chain, tracks, before, true) }
  },
})

function stateOf({ connected, balance }: ValidatorRecord): State {
  if (connected !== undefined) return connected ? 'connected' : 'disconnected'
  return balance === 0n ? 'inactive' : 'unknown'
}

/** A state has no series if the answer cannot show whether any validator is in it. */
function stateSamples(records: readonly Weighed[]): Sample[] {
  const byState = Map.groupBy(records, stateOf)
  const knowsConnection = records.some(({ connected }) => connected !== undefined)
  const knowsBalance = records.some(({ balance }) => balance !== undefined)
  const states: Record<State, boolean> = {
    connected: knowsConnection,
    disconnected: knowsConnection,
    inactive: knowsBalance,
    unknown: byState.has('unknown') || !knowsConnection,
  }
  const known = Object.entries(states).filter(([, isKnown]) => isKnown)
  const isWeighed = weightOf(records) !== undefined
  return known.flatMap(([state]) => {
    const inState = byState.get(state as State) ?? []
    const count = validatorsByState.sample({ state }, inState.length)
    return isWeighed ? [count, weightByState.sample({ state }, weightOf(inState)!)] : [count]
  })
}

function concentrationSamples(records: readonly Weighed[]): Sample[] {
  const weights = records.map(({ votes }) => votes)
  if (!weights.every((weight) => weight !== undefined)) return []
  const heaviestFirst = weights.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const coefficient = nakamotoCoefficient(heaviestFirst)
  return [
    ...tops.flatMap((top) => {
      const ratio = topRatio(heaviestFirst, top)
      return topWeight.ifKnown({ top: String(top) }, ratio)
    }),
    ...nakamoto.ifKnown({}, coefficient),
  ]
}

function stakeSamples(records: readonly ValidatorRecord[], { isPrimary }: SubnetSubject): Sample[] {
  if (!isPrimary) return []
  const stake = totalOf(records.flatMap(({ weight, delegatorWeight }) => [weight, delegatorWeight]))
  const count = totalOf(records.map(({ delegatorCount }) => delegatorCount))
  return [...stakeTokens.ifKnown({}, toTokens(stake)), ...delegators.ifKnown({}, count)]
}

function isPaying({ balance = 0n }: ValidatorRecord): boolean {
  return balance > 0n
}

function depletingSamples(
  records: readonly Weighed[],
  market: FeeMarket | undefined,
  time: number | undefined,
  at: number,
): Sample[] {
  if (!market || time === undefined || weightOf(records) === undefined) return []
  // Balances are as of chain time: the time since then is already used up.
  const behind = Math.max(0, at - time)
  const runways = records.filter(isPaying).map(({ balance, votes }) => {
    return { votes, left: runwaySeconds(Number(balance), market) - behind }
  })
  return Object.entries(windows).map(([within, seconds]) =>
    depleting.sample({ within }, weightOf(runways.filter(({ left }) => left <= seconds))!),
  )
}

function weightOf(records: readonly { votes: bigint | undefined }[]): bigint | undefined {
  return totalOf(records.map(({ votes }) => votes))
}
