// What the public page shows: the facts about the public validators, and nothing else. What is private is never copied: each key
// is made here.

import type { Readings } from '../../conditions/board.ts'
import type { Config } from '../../config/schema.ts'
import { publicValidators } from '../../config/public-validators.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { median, least } from '../../lib/statistics.ts'
import { ofDelegation, ofObserver, ofRun, ofTurns, ofValidator, VOTES } from './metric-names.ts'
import { groupReadings, type Judged, keyOf, type OwnReadings, votersIn } from './readings.ts'
import type { Turns } from './status-schema.ts'
import { turnsIn } from './turns.ts'
import { activeOf } from './validators.ts'
import type { Moment } from '../../lib/clock.ts'
import { ownConfig } from '../../scheduler/shard.ts'
import { type LiveOptions, rebuilt } from './live.ts'

type Reward = 'on_course' | 'at_risk' | 'lost'

export type PublicStatus = ReturnType<typeof publicStatusOf>
/** A missing key does not apply to the validator, null is unknown. */
export type PublicValidator = PublicStatus['validators'][number]

type PublicOptions = Omit<LiveOptions, 'version' | 'instance'>

const metrics = [
  ofValidator.inSet,
  ofValidator.info,
  ofValidator.stake,
  ofValidator.end,
  ofValidator.active,
  ofValidator.listedBalance,
  ofDelegation.fee,
  ofDelegation.capacity,
  ofObserver.uptime,
  ofObserver.l1Uptime,
  ofObserver.connected,
  ofObserver.l1Connected,
  ofObserver.reward,
  ofTurns.turns,
]
/** The subject of collectors that read a network as a whole. */
const ALL = 'all'
const runs = [ofRun.lastSuccess, ofRun.interval]

export const publicMetricNames: ReadonlySet<string> = new Set([VOTES, ...metrics, ...runs, ofTurns.contradicted])

/** `now` is in seconds. */
function publicStatusOf(
  config: Config,
  title: string | undefined,
  readings: Readings,
  { turnsOf, votes, isSimulated, judged }: PublicOptions,
  now: number,
) {
  const readingsOf = groupReadings(readings, metrics, ['network', 'subnet', 'node_id'])
  const runsOf = groupReadings(readings, runs, ['network', 'collector', 'source', 'target'])
  // Before it is known which nodes count, none does.
  const isVoting = votersIn(readings) ?? (() => false)
  const votesOf = votes()
  const away = heldAway(judged())
  const validators = publicValidators(config).map(({ network, validator, name = null }) => {
    const { node_id, subnet } = validator
    const own = readingsOf(network.name, subnet, node_id)
    const isPrimary = network.subnets.some((one) => one.id === PRIMARY_NETWORK_ID && one.name === subnet)
    const opinions = opinionsOf(own).filter(({ source }) => isVoting(network.name, source))
    const { connected, isRewardLost } = votesOf({ network: network.name, subnet, node_id })
    const isAway = connected === undefined ? away.has(keyOf(network.name, subnet, node_id)) : connected < 0.5
    const facts = factsOf(own, opinions, { isAway, isPrimary, isRewardLost })
    const run = (collector: string, source = '', target = subnet) => runsOf(network.name, collector, source, target)
    const polls = [
      ...(own.value(ofValidator.inSet) === null ? [] : [run('validators')]),
      ...(own.value(ofValidator.active) !== null
        ? [run('l1-validators', '', ALL)]
        : own.value(ofValidator.listedBalance) === null
          ? []
          : [run('listed-l1s')]),
      ...opinions.map(({ source }) => run(isPrimary ? 'uptime' : 'l1-liveness', source)),
    ]
    const turns = turnsIn({ network, validator, own, readings, turnsOf, now })
    return { name, node_id, ...facts, ...(turns && { turns: totalOf(turns) }), ...timeOf(polls, now) }
  })
  return { title: title ?? null, simulated: isSimulated, timestamp_seconds: now, validators }
}

/** Which chains the operator watches is private. */
function totalOf({ made, missed, since_timestamp_seconds, whole_week }: Turns): Omit<Turns, 'chains'> {
  return { made, missed, since_timestamp_seconds, whole_week }
}

interface Opinion {
  source: string
  uptime: number | null
  reward: string | undefined
}

function opinionsOf(own: OwnReadings): Opinion[] {
  const reports = [ofObserver.uptime, ofObserver.l1Uptime, ofObserver.connected, ofObserver.l1Connected]
  const sources = new Set(reports.flatMap((metric) => own.all(metric).flatMap(({ labels }) => labels['source'] ?? [])))
  const rewards = own.all(ofObserver.reward).filter(({ value }) => value === 1)
  return Array.from(sources, (source) => {
    const reward = rewards.find(({ labels }) => labels['source'] === source)?.labels['state']
    const uptimeBy = (metric: string) => own.value(metric, 'source', source)
    return { source, uptime: uptimeBy(ofObserver.uptime) ?? uptimeBy(ofObserver.l1Uptime), reward }
  })
}

function factsOf(
  own: OwnReadings,
  opinions: readonly Opinion[],
  { isAway, isPrimary, isRewardLost }: Readonly<Record<'isAway' | 'isPrimary' | 'isRewardLost', boolean>>,
) {
  const state = stateOf(own, isAway)
  // What nodes still report of a validation that is over would pass for the present.
  const isOver = state === 'not_validating'
  const value = (metric: string) => (isOver ? null : own.value(metric))
  const isPaid = own.all(ofValidator.info).some(({ labels }) => labels['kind'] === 'l1')
  return {
    state,
    uptime_ratio: isOver ? null : median(opinions.flatMap(({ uptime }) => uptime ?? [])),
    ...(isPrimary && {
      stake_tokens: value(ofValidator.stake),
      delegation_fee_ratio: value(ofDelegation.fee),
      delegation_capacity_tokens: value(ofDelegation.capacity),
      reward_state: isOver
        ? null
        : rewardOf(
            opinions.flatMap(({ reward }) => reward ?? []),
            isRewardLost,
          ),
    }),
    ...(!isPaid && { end_timestamp_seconds: value(ofValidator.end) }),
  }
}

/** An L1 validator without a balance is in the set, but does not validate. A disconnected one does, away from most of our nodes. */
function stateOf(own: OwnReadings, isAway: boolean) {
  const isInSet = own.flag(ofValidator.inSet)
  if (isInSet === false || activeOf(own) === false) return 'not_validating' as const
  if (isInSet === null) return 'unknown' as const
  return isAway ? ('disconnected' as const) : ('validating' as const)
}

/** What the alerts still hold for disconnected: they end only when it is seen to be over. */
function heldAway(judged: Judged | undefined): ReadonlySet<string> {
  const about = (judged?.alerting ?? []).filter(({ rule }) => awayAlerts.includes(rule.alert))
  const problems = about.flatMap(({ instances }) =>
    [...instances.values()].filter((one) => one.heldSince === undefined),
  )
  return new Set(
    problems.map(({ labels: { network = '', subnet = '', node_id = '' } }) => keyOf(network, subnet, node_id)),
  )
}

const awayAlerts = ['StakewatchValidatorDisconnected', 'StakewatchL1ValidatorDisconnected']

/** Lost if the judge has it so; at risk if half of the nodes or more see a risk or a loss. */
function rewardOf(votes: readonly string[], isLost: boolean): Reward | null {
  if (votes.length === 0) return null
  const share = (...states: readonly string[]) => votes.filter((vote) => states.includes(vote)).length / votes.length
  if (isLost) return 'lost'
  if (share('lost', 'at_risk') >= 0.5) return 'at_risk'
  return share('safe', 'on_track') > 0.5 ? 'on_course' : null
}

/** As old as the oldest poll. One that is older than two intervals was missed at least once. */
function timeOf(polls: readonly OwnReadings[], now: number) {
  const times = polls.flatMap((run) => {
    const at = run.value(ofRun.lastSuccess)
    const interval = run.value(ofRun.interval)
    return at === null ? [] : [{ at, isOld: interval === null || now - at > 2 * interval }]
  })
  return {
    /** When the oldest of these values was polled. */
    polled_timestamp_seconds: times.length === 0 ? null : least(times.map(({ at }) => at)),
    /** A poll or more was missed since. */
    old: times.some(({ isOld }) => isOld),
  }
}

/** Milliseconds between rebuilds, however many visitors there are. */
const REBUILD_AFTER = 5_000

/** The current status; undefined where the configuration has no public page. */
export function livePublicStatus(options: PublicOptions): () => PublicStatus | undefined {
  const { config, shard, snapshot, readings, judged, clock } = options
  const stateAt = (now: Moment) => [config(), snapshot.isStalled(now), snapshot.withdrawals(now)]
  return rebuilt(clock, REBUILD_AFTER, stateAt, (now) => {
    const whole = config()
    if (!whole.public) return undefined
    const published = snapshot.isStalled(now) ? new Map() : readings(publicMetricNames)
    const at = (now.wall - (judged()?.ahead ?? 0)) / 1_000
    return publicStatusOf(ownConfig(whole, shard), whole.public.title, published, options, at)
  })
}
