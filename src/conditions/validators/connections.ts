// Connections of validators, as the nodes that vote see them: long outages. flapping.ts has the short ones.

import { validator } from '../../alerts/rule.ts'
import { BUDGET, isRewardLost, isRewardSafe, medianBudget, REWARD_READS } from '../validator-votes.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown } from '../condition.ts'
import { type Details, ifKnown, namesText, TEXT } from '../details.ts'
import { EMPTY_BALANCE_READS, isEndOver, isInactive } from '../l1-runways.ts'
import { MAINTENANCE_READS, nodesInMaintenance } from '../maintenance.ts'
import { WHOLE_WEIGHT_READS, wholeWeight } from '../l1-weights.ts'
import { IN_SET, machinesOf, mutedNodes, peerStake, shortNodes, TRACKED, VOTE_READS } from '../nodes.ts'
import { DAY, MINUTE } from '../../lib/seconds.ts'
import { greatest } from '../track.ts'
import { metricsIn, type Remembered, type View } from '../view.ts'

const CONNECTED = 'stakewatch_validator_connected'
const L1_CONNECTED = 'stakewatch_l1_validator_connected'

/** What a node reports about a validator. */
export interface Vote {
  source: string
  value: number
}

/** Members of a fully watched subnet are not tracked: they have no alerts of their own. */
export const isTracked = (view: View) => view.has(TRACKED)

/**
 * Reports of the nodes that vote, by source. One in maintenance restarts and loses peers by plan: it has a vote only about
 * validators that no other node reports on, which would else go away unseen. Where none votes because all of them reach too little
 * stake, those that agree are right: it is the stake that is away.
 */
function votesOn(view: View, metric: string): readonly Vote[] {
  const reports = view.all(metric)
  if (reports.length === 0) return []
  const network = view.of('network')
  const [muted, inMaintenance] = [network.fact(mutedNodes), network.fact(nodesInMaintenance)]
  const voting: Vote[] = []
  const planned: Vote[] = []
  const short: Vote[] = []
  for (const { labels, value } of reports) {
    const vote = { source: labels['source']!, value }
    if (!muted.has(vote.source)) (inMaintenance.has(vote.source) ? planned : voting).push(vote)
    else if (network.fact(shortNodes).has(vote.source)) short.push(vote)
  }
  if (voting.length > 0) return voting
  return planned.length > 0 ? planned : short.length > 1 && isUnanimous(short) ? short : []
}

const isUnanimous = ([first, ...others]: readonly Vote[]) => others.every(({ value }) => value === first!.value)

export const connectedVotes = (view: View) => votesOn(view, CONNECTED)
/** By the nodes that run the chain of the L1. */
export const l1ConnectedVotes = (view: View) => votesOn(view, L1_CONNECTED)

/** Share of the votes that see it connected; undefined without votes. */
function share(votes: readonly Vote[]): number | undefined {
  return votes.length === 0 ? undefined : votes.reduce((sum, { value }) => sum + value, 0) / votes.length
}

export const connectedShare = (view: View) => share(view.fact(connectedVotes))
export const l1ConnectedShare = (view: View) => share(view.fact(l1ConnectedVotes))

const VOTERS_READS = [...VOTE_READS, ...MAINTENANCE_READS]
export const CONNECTION_READS = [CONNECTED, ...VOTERS_READS]
export const L1_CONNECTION_READS = [L1_CONNECTED, ...VOTERS_READS]

const lately = (name: string, read: Remembered['read']): Remembered => ({
  name,
  of: 'validator',
  for: 5 * MINUTE,
  read: (view) => (isTracked(view) ? read(view) : undefined),
})
export const connectedLately = lately('connected_share', (view) => view.fact(connectedShare))
export const l1ConnectedLately = lately('l1_connected_share', (view) => view.fact(l1ConnectedShare))

/** For the page: what the last day was like. */
export const connectedDay: Remembered = {
  name: 'connected_day',
  of: 'validator',
  for: DAY,
  every: MINUTE,
  read: (view) => (isTracked(view) ? (view.fact(connectedShare) ?? view.fact(l1ConnectedShare)) : undefined),
}

const WEIGHT = 'stakewatch_validator_weight'
export const SHORTAGE_READS = [...CONNECTION_READS, WEIGHT, ...WHOLE_WEIGHT_READS]

/** Share of the stake that tracked validators have which are disconnected: a fact of the network. */
function disconnectedStake(network: View): number {
  const all = wholeWeight(network.of('subnet', { subnet: PRIMARY })) ?? 0
  let sum = 0
  for (const validator of network.every('validator')) {
    if (validator.labels['subnet'] !== PRIMARY || !isTracked(validator)) continue
    if ((validator.fact(connectedShare) ?? 1) < 0.5) sum += validator.value(WEIGHT) ?? 0
  }
  return all === 0 ? 0 : sum / all
}
const PRIMARY = 'primary'

/** The node would reach enough stake if it were not for tracked validators that are disconnected, which have pages of their own. */
export function isShortageKnown(node: View): boolean {
  const stake = node.fact(peerStake)
  if (stake === undefined || stake >= node.limits.peerStake) return false
  return stake + node.of('network').fact(disconnectedStake) >= node.limits.peerStake
}

/** The greatest share within five minutes: it bridges the short outages of a validator that flaps. */
export const mostConnected = (view: View, remembered = connectedLately) =>
  greatest(view.track(remembered), view.now, 5 * MINUTE)

/** A validation that has ended or left the set has nothing to report. */
export const hasEnded = (view: View) => view.value(IN_SET) === 0

/** A node counts a validator that it has benched as disconnected, though the validator runs and is a peer. */
const benchedText = ifKnown(
  'benched_by',
  ` Node ${TEXT} has benched it: its queries time out, so the validator may be up and overloaded.`,
)

const timeLeftText = ifKnown(
  'time_left',
  'If it stays away, its reward is lost in {{ . | first | value | humanizeDuration }}.',
  ifKnown('reward', `Its reward is ${TEXT}.`, 'Every second uses up its downtime budget.'),
)

/** The other subnets of the machine, for which the page stands. */
export const machineText = ifKnown('also', ` The machine also validates ${TEXT}, for which this page stands as well.`)

const otherSubnets = (validator: View) =>
  (validator.of('network').fact(machinesOf).get(validator.labels['node_id']!) ?? [])
    .filter((one) => one.thing !== validator.thing)
    .map(({ labels }) => labels['subnet']!)
    .toSorted()

export const MACHINE_DETAILS: Details = {
  reads: [],
  of: (view) => ({ also: view.thing.kind === 'validator' ? namesText(otherSubnets(view)) : undefined }),
}

const BENCHED = 'stakewatch_validator_benched'
const connectionDetails = (votesOf: (view: View) => readonly Vote[]): Details => ({
  reads: [BENCHED],
  of(view, labels) {
    const benching = view.all(BENCHED).filter(({ value }) => value === 1)
    const voters = view.fact(votesOf).map(({ source }) => source)
    return {
      ...MACHINE_DETAILS.of(view, labels),
      benched_by: benching[0]?.labels['source'],
      voters: namesText(voters.toSorted()),
    }
  },
})
const CONNECTION_DETAILS = connectionDetails(connectedVotes)

const votersText = ifKnown('voters', ` (${TEXT})`)

/** A node without a vote, such as one in maintenance, may still be connected to it. */
const connectedText = (which: string) =>
  `{{ if eq $value 0.0 }}none of the nodes that ${which}${votersText} is connected to it{{ else }}only {{ humanizePercentage $value }} of the nodes that ${which}${votersText} are connected to it{{ end }}`

export const validatorDisconnected: Condition = {
  alert: 'StakewatchValidatorDisconnected',
  panel: 'validator: Connection by observer',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'validator',
  heldBy: ['uptime'],
  reads: [...CONNECTION_READS, IN_SET],
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const connected = view.fact(connectedShare)
      if (connected === undefined) return hasEnded(view) ? NOT_APPLICABLE : unknown('no node that votes reports on it')
      return connected < 0.5 ? problem(connected) : OK
    },
  },
  title: '{{ $labels.validator }} disconnected',
  summary: 'The validator is disconnected from most of the nodes that watch it.',
  action: 'Start the node of {{ $labels.validator }} if it is down; else check /ext/health and its staking port.',
  description: `Validator ${validator} is disconnected: ${connectedText('have a vote')}. ${timeLeftText}${benchedText}${machineText}`,
  details: {
    reads: [BUDGET, ...metricsIn(REWARD_READS), ...CONNECTION_DETAILS.reads],
    of(view, labels) {
      const [left, isSafe] = [medianBudget(view) ?? 0, isRewardSafe(view)]
      return {
        ...CONNECTION_DETAILS.of(view, labels),
        time_left: left > 0 && !isSafe ? left : undefined,
        reward: isSafe ? 'safe even if it stays away' : isRewardLost(view) ? 'lost already' : undefined,
      }
    },
  },
}

export const l1ValidatorDisconnected: Condition = {
  alert: 'StakewatchL1ValidatorDisconnected',
  panel: 'validator: Observers connected in the L1',
  severity: 'critical',
  for: 5 * MINUTE,
  quietFor: 'validator',
  heldBy: ['l1-liveness'],
  reads: [...L1_CONNECTION_READS, IN_SET, ...EMPTY_BALANCE_READS],
  explainedBy: ['validator_disconnected'],
  isOfMachine: true,
  judge: {
    validator(view) {
      if (!isTracked(view)) return NOT_APPLICABLE
      const connected = view.fact(l1ConnectedShare)
      if (connected === undefined) {
        return hasEnded(view)
          ? NOT_APPLICABLE
          : unknown('no node that votes and runs the chain of the L1 reports on it')
      }
      // An inactive validator has an alert of its own.
      if (isInactive(view) || isEndOver(view)) return NOT_APPLICABLE
      return connected < 0.5 ? problem(connected) : OK
    },
  },
  title: '{{ $labels.validator }} offline in {{ $labels.subnet }}',
  summary: 'The L1 validator is disconnected from most of the nodes that watch it.',
  action:
    'Check that the node of {{ $labels.validator }} runs and tracks {{ $labels.subnet }}, and start it if it does not.',
  description: `L1 validator ${validator} is disconnected: ${connectedText('run the chain of the L1 and have a vote')}. The L1 runs without its weight until it is back.${benchedText}${machineText}`,
  details: connectionDetails(l1ConnectedVotes),
}
