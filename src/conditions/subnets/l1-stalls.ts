// L1s that stall, or soon will: an L1 needs most of its weight online to make blocks.

import type { Thresholds } from '../../alerts/thresholds.ts'
import { entryOf } from '../../lib/entry.ts'
import type { Reading } from '../board.ts'
import { type Condition, NOT_APPLICABLE, OK, problem, unknown, type Verdict } from '../condition.ts'
import {
  BALANCE_READS,
  endingShare,
  isBalanceRunningOut,
  NEXT_DEPLETION_READS,
  nextDepletion,
  nextListedDepletion,
  WEIGHT_ENDING_READS,
} from '../l1-runways.ts'
import {
  activeShare,
  afterNextBalance,
  connectedShare,
  isDry,
  isL1,
  isListOutdated,
  isTooLight,
  L1_READS,
  L1_WEIGHT_READS,
  onlineShare,
} from '../l1-weights.ts'
import { L1_CONNECTION_READS, l1ConnectedShare } from '../validators/connections.ts'
import { ifKnown, namesText, TEXT } from '../details.ts'
import { L1_HEAD_READS, newestBlockOfL1 } from '../heads.ts'
import { OUTDATED } from '../out-of-date.ts'
import { MINUTE } from '../../lib/seconds.ts'
import { metricsIn, type View } from '../view.ts'
import { INTERVAL } from '../runs.ts'

const STATE = 'stakewatch_l1_chain_state'
const MARGIN = 'stakewatch_l1_liveness_margin'

const ofL1 = '{{ $labels.network }}/{{ $labels.subnet }}'

/** The targets of each collector in the network. */
function targetsOf(network: View): ReadonlyMap<string, ReadonlySet<string>> {
  const targets = new Map<string, Set<string>>()
  for (const run of network.every('run')) {
    if (!run.has(INTERVAL)) continue
    const { collector, target } = run.labels
    entryOf(targets, collector!, () => new Set()).add(target!)
  }
  return targets
}
const isWatchedBy = (subnet: View, collector: string) =>
  subnet.of('network').fact(targetsOf).get(collector)?.has(subnet.labels['subnet']!) === true

/** A state set has one sample for each state, or only the one of its current state. */
const isTracking = ({ labels, value }: Reading) => (labels['state'] === 'untracked' ? value === 0 : value === 1)

/** A node runs the chain of the L1, or one was asked and has not said. Then balances do not stand in for connections. */
function shouldSeeConnections(subnet: View): boolean {
  const states = subnet.all(STATE)
  return states.some(isTracking) || (states.length === 0 && isWatchedBy(subnet, 'l1-liveness'))
}

const isWeightKnown = (subnet: View) =>
  subnet.fact(connectedShare) !== undefined ||
  (subnet.fact(activeShare) !== undefined && !subnet.fact(shouldSeeConnections))

/** Whether a share is one of this step; only the last step that was reached is a problem. */
type Step = (share: number, limits: Thresholds) => boolean

const judgeStep =
  (isStep: Step, hasPaged: (subnet: View) => boolean = () => false) =>
  (subnet: View): Verdict => {
    const share = onlineShare(subnet)
    if (share !== undefined && isStep(share, subnet.limits)) return hasPaged(subnet) ? OK : problem(share)
    if (isWeightKnown(subnet)) return OK
    const isConfigured = subnet.fact(isL1) && isWatchedBy(subnet, 'validators')
    return isConfigured ? unknown('no node of the L1 reports its connections') : NOT_APPLICABLE
  }

/** The text adds the age of the newest block: a node may see less weight than is online, so the L1 may still make blocks. */
const headAgeText = ifKnown(
  'head_age',
  'Its newest block is {{ . | first | value | humanizeDuration }} old: while blocks still come, more weight is online than the nodes of stakewatch see.',
  'The age of its newest block is unknown.',
)

/** The validators that no node is connected to, the heaviest first, by the L1. */
function awayByL1(network: View): ReadonlyMap<string, readonly string[]> {
  const weightOf = (view: View) => view.value('stakewatch_validator_weight') ?? 0
  const away = [...network.every('validator')].filter((view) => view.fact(l1ConnectedShare) === 0)
  const byL1 = Map.groupBy(
    away.toSorted((a, b) => weightOf(b) - weightOf(a)),
    ({ labels }) => labels['subnet']!,
  )
  return new Map(Array.from(byL1, ([subnet, some]) => [subnet, some.map(({ labels }) => labels['validator']!)]))
}

function headAge(subnet: View): number | undefined {
  const newest = newestBlockOfL1(subnet)
  return newest === undefined ? undefined : Math.max(Math.round(subnet.now - newest), 0)
}

const ofStep = {
  panel: 'l1s: Weight of L1s by their own chain',
  severity: 'critical',
  for: 2 * MINUTE,
  heldBy: ['l1-liveness'],
  reads: [STATE, INTERVAL, ...L1_READS, ...L1_WEIGHT_READS],
  description: `Only {{ humanizePercentage $value }} of the weight of L1 ${ofL1} is online${ifKnown('basis', ` (${TEXT})`)}; blocks need 75 %, and signatures of messages 67 %.${ifKnown('away', ` Offline, the heaviest first: ${TEXT}.`)} ${headAgeText}`,
  details: {
    reads: metricsIn([...L1_CONNECTION_READS, ...L1_HEAD_READS, 'stakewatch_validator_weight']),
    of: (subnet: View) => ({
      basis:
        subnet.fact(connectedShare) === undefined
          ? 'has a balance left; no node with a vote runs its chain'
          : 'connected to a node that runs its chain',
      away: namesText(subnet.of('network').fact(awayByL1).get(subnet.labels['subnet']!) ?? []),
      head_age: headAge(subnet),
    }),
  },
} as const

export const l1WeightLow: Condition = {
  ...ofStep,
  alert: 'StakewatchL1WeightLow',
  // Blocks still come; a stalled L1 pages in any window.
  quietFor: 'subnet',
  reads: [...ofStep.reads, ...BALANCE_READS],
  judge: {
    subnet: judgeStep(
      (share, { l1Healthy, l1Blocks, l1Messages }) => share < l1Healthy && share >= Math.max(l1Blocks, l1Messages),
      // StakewatchL1BalanceRunningOut has already paged for the balances that run out today.
      (subnet) => isDry(subnet) && isBalanceRunningOut(subnet),
    ),
  },
  title: '{{ $labels.subnet }} close to a stall',
  summary: 'Too little weight of the L1 is online: blocks need 75 %, which is close.',
  action: 'Bring validators of {{ $labels.subnet }} back, the heaviest first, and restart none that runs.',
}

export const l1Stalled: Condition = {
  ...ofStep,
  alert: 'StakewatchL1Stalled',
  judge: { subnet: judgeStep((share, { l1Blocks, l1Messages }) => share < l1Blocks && share >= l1Messages) },
  title: '{{ $labels.subnet }} too light for blocks',
  summary: 'Too little weight of the L1 is online: blocks need 75 %.',
  action:
    'Start the validators of {{ $labels.subnet }} that are down, the heaviest first, and top up inactive ones; restart no other.',
}

export const l1MessagesUnsigned: Condition = {
  ...ofStep,
  alert: 'StakewatchL1MessagesUnsigned',
  judge: { subnet: judgeStep((share, { l1Messages }) => share < l1Messages) },
  title: '{{ $labels.subnet }} too light to build/sign',
  summary: 'Too little weight of the L1 is online: blocks need 75 %, and messages to other chains 67 %.',
  action: 'Start the heaviest validators of {{ $labels.subnet }} that are down, and top up the inactive ones.',
}

/** The best view counts: a node that sees less may have the problem itself. */
const marginWhen = (subnet: View, when: string) => subnet.value(MARGIN, { threshold: 'blocks', when })

const isSoon = (subnet: View, time: number | undefined) =>
  time !== undefined && time - subnet.now < subnet.limits.nextBalance

/** The margin that is left without the heaviest validator, if it is negative only because other weight is missing. */
function marginOfRestart(subnet: View): number | undefined {
  const [now, without] = [marginWhen(subnet, 'now'), marginWhen(subnet, 'greatest_stops')]
  if (now === undefined || without === undefined || without >= 0) return undefined
  // With a validator that has over a quarter of the weight, the L1 is always in this state.
  return now - without <= subnet.limits.spareWeight ? without : undefined
}

/** The margin that the next balance leaves, if it is negative and the balance does not last for years. */
function marginOfBalance(subnet: View): number | undefined {
  const margin = marginWhen(subnet, 'balance_ends')
  if (margin === undefined || margin >= 0) return undefined
  const isNear = isSoon(subnet, nextDepletion(subnet)) || isSoon(subnet, nextListedDepletion(subnet))
  return isNear ? margin : undefined
}

/** The same by the list of the data service, where no node knows better. */
function listedShare(subnet: View): number | undefined {
  const share = afterNextBalance(subnet)
  if (share === undefined || share >= subnet.limits.l1Blocks) return undefined
  const isNear = isSoon(subnet, nextListedDepletion(subnet)) && !((marginWhen(subnet, 'balance_ends') ?? -1) >= 0)
  return isNear ? share : undefined
}

export const l1OneStepFromStall: Condition = {
  alert: 'StakewatchL1OneStepFromStall',
  panel: 'l1s: Weight of L1s by their own chain',
  severity: 'warning',
  for: 15 * MINUTE,
  quietFor: 'subnet',
  reads: [MARGIN, ...NEXT_DEPLETION_READS, ...WEIGHT_ENDING_READS],
  judge: {
    subnet(view) {
      const left = marginOfRestart(view) ?? marginOfBalance(view) ?? listedShare(view)
      if (isTooLight(view) || endingShare(view) !== undefined) return OK
      if (left === undefined) return isListOutdated(view) ? unknown(OUTDATED) : OK
      return problem(left)
    },
  },
  title: '{{ $labels.subnet }} one step from a stall',
  summary: 'The L1 stalls if one more validator stops or the next balance runs out.',
  action: 'Bring a validator of {{ $labels.subnet }} back, and restart no other one before that.',
  description: `So much weight of L1 ${ofL1} is offline that it stops making blocks when its heaviest validator restarts or the next balance runs out. After that, a node that restarts cannot rejoin either.`,
}

export const l1WeightEnding: Condition = {
  alert: 'StakewatchL1WeightEnding',
  panel: 'l1s: Weight about to go inactive',
  severity: 'warning',
  for: 10 * MINUTE,
  reads: WEIGHT_ENDING_READS,
  judge: {
    subnet(view) {
      const share = endingShare(view)
      return share === undefined ? OK : problem(share)
    },
  },
  title: '{{ $labels.subnet }} will stall: balances end',
  summary: 'Balances that run out within a week will stall the L1.',
  action: 'Top up the balances of the validators of {{ $labels.subnet }} that end this week.',
  description: `Only {{ humanizePercentage $value }} of the weight of L1 ${ofL1} has a balance that lasts more than a week. When the other balances run out, the L1 stops making blocks. Top them up.`,
}
