// subnet: each configured subnet as a whole. platform.getCurrentValidators (document 2) for the whole set; for L1s the
// newest P-Chain blocks (document 1, operation 14), which tell what their time costs.

import type { Network } from '../../config/schema.ts'
import { nakamotoCoefficient, topRatio, totalOf } from '../../judgements/concentration.ts'
import { runwaySeconds } from '../../judgements/runway.ts'
import { toTokens } from '../../lib/units.ts'
import { gauge, type Sample } from '../../metrics/define.ts'
import { listLatestPrimaryNetworkBlocks } from '../../operations/data/list-latest-primary-network-blocks.ts'
import { getCurrentValidators } from '../../operations/node/platform.getCurrentValidators.ts'
import { defineCollector } from '../define.ts'
import { marketOf, newestPChain, type PChain } from '../answers/l1-market.ts'
import { allSubnets, members, noMembers, type SubnetSubject, type ValidatorRecord } from '../subjects/subnets.ts'

const validatorsByState = gauge({
  name: 'stakewatch_subnet_validators',
  help: 'Validators of the subnet by state, each in one: connected and disconnected as the answering node sees them, inactive without balance, else unknown.',
  of: 'subnet',
  labels: ['state'],
})
const weightByState = gauge({
  name: 'stakewatch_subnet_weight',
  help: 'Weight of the validators of the subnet by state; that of inactive L1 validators still counts for the total.',
  of: 'subnet',
  labels: ['state'],
})
const depleting = gauge({
  name: 'stakewatch_subnet_weight_depleting',
  help: 'Weight of the active L1 validators whose balance runs out within the time given, at the price of the accrued fees.',
  of: 'subnet',
  labels: ['within'],
})
const delegators = gauge({
  name: 'stakewatch_subnet_delegators',
  help: 'Delegations to all validators of the primary network (platform.getCurrentValidators).',
  of: 'subnet',
})
const stakeTokens = gauge({
  name: 'stakewatch_subnet_stake_tokens',
  help: 'Stake on the primary network, own and delegated (platform.getCurrentValidators).',
  of: 'subnet',
})
const topWeight = gauge({
  name: 'stakewatch_subnet_top_weight_ratio',
  help: 'Share of the weight that the heaviest validators hold, by their number.',
  of: 'subnet',
  labels: ['top'],
})
const nakamoto = gauge({
  name: 'stakewatch_subnet_nakamoto_coefficient',
  help: 'Least number of validators that together hold more than a third of the weight.',
  of: 'subnet',
})

type State = 'connected' | 'disconnected' | 'inactive' | 'unknown'

const DAY = 86_400
const windows = { '1d': DAY, '7d': 7 * DAY, '30d': 30 * DAY }
const tops = [1, 5, 10, 33]

export const subnet = defineCollector({
  name: 'subnet',
  about: 'Size, weight, stake and concentration of each subnet, and the weight that is about to go inactive.',
  every: '5m',
  uses: [getCurrentValidators, listLatestPrimaryNetworkBlocks],
  observer: 'any',
  metrics: [validatorsByState, weightByState, depleting, delegators, stakeTokens, topWeight, nakamoto],
  subjects: allSubnets,
  estimate: () => ({ calls: [{ operation: getCurrentValidators, times: 1 }], series: 14 }),
  async collect({ subject, network, call, attempt }) {
    const { value, at } = await call(getCurrentValidators, { subnetID: subject.id })
    const records = members(value.validators)
    if (records.length === 0) throw noMembers()
    const samples = [...stateSamples(records), ...concentrationSamples(records), ...stakeSamples(records, subject)]
    if (!records.some(isPaying)) return { samples }
    const chain = await attempt((ask) => newestPChain(network, ask.call))
    const depleting = depletingSamples(records, chain.value, network, at / 1_000)
    return { samples, parts: [{ name: 'depleting', of: [chain], samples: depleting }] }
  },
})

function stateOf({ connected, balance }: ValidatorRecord): State {
  if (connected !== undefined) return connected ? 'connected' : 'disconnected'
  return balance === 0n ? 'inactive' : 'unknown'
}

/** A state that nobody can be in, as the answer tells nothing about it, has no series. */
function stateSamples(records: readonly ValidatorRecord[]): Sample[] {
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
    return isWeighed ? [count, weightByState.sample({ state }, Number(weightOf(inState)))] : [count]
  })
}

function concentrationSamples(records: readonly ValidatorRecord[]): Sample[] {
  const weights = records.map(({ weight }) => weight)
  if (!weights.every((weight) => weight !== undefined)) return []
  const heaviestFirst = weights.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const coefficient = nakamotoCoefficient(heaviestFirst)
  return [
    ...tops.flatMap((top) => {
      const ratio = topRatio(heaviestFirst, top)
      return ratio === undefined ? [] : [topWeight.sample({ top: String(top) }, ratio)]
    }),
    ...(coefficient === undefined ? [] : [nakamoto.sample({}, coefficient)]),
  ]
}

function stakeSamples(records: readonly ValidatorRecord[], { isPrimary }: SubnetSubject): Sample[] {
  if (!isPrimary) return []
  const stake = totalOf(records.flatMap(({ weight, delegatorWeight }) => [weight, delegatorWeight]))
  const count = totalOf(records.map(({ delegatorCount }) => delegatorCount))
  return [
    ...(stake === undefined ? [] : [stakeTokens.sample({}, toTokens(stake))]),
    ...(count === undefined ? [] : [delegators.sample({}, Number(count))]),
  ]
}

function isPaying({ balance = 0n }: ValidatorRecord): boolean {
  return balance > 0n
}

function depletingSamples(
  records: readonly ValidatorRecord[],
  chain: PChain | undefined,
  network: Network,
  at: number,
): Sample[] {
  const market = marketOf(chain?.accrued, chain?.active, network)
  if (!chain || !market || weightOf(records) === undefined) return []
  // Balances are as of the newest block: the time since then is used up already.
  const behind = Math.max(0, at - chain.time)
  const runways = records.filter(isPaying).map(({ balance, weight }) => {
    return { weight, left: runwaySeconds(Number(balance), market) - behind }
  })
  return Object.entries(windows).map(([within, seconds]) =>
    depleting.sample({ within }, Number(weightOf(runways.filter(({ left }) => left <= seconds)))),
  )
}

function weightOf(records: readonly { weight?: bigint | undefined }[]): bigint | undefined {
  return totalOf(records.map(({ weight }) => weight))
}
