// What needs attention of validators, upstreams and tasks; findings-of-nodes.ts, findings-of-chains.ts and
// findings-of-wallets.ts have the rest. The limits are those of the alert rules, and so are the conditions as far as one moment
// tells them: a rule also waits, and looks back. Each finding names the alert that fires when it stays.

import { type Rule, TAMPERING } from '../alerts/rule.ts'
import { groupsOf } from '../alerts/rules.ts'
import { thresholds as limits } from '../alerts/thresholds.ts'
import type { Finding, TaskRow, Upstream, Validator } from './schema.ts'
import { durationText, percent } from './words.ts'

type Severity = Finding['severity']

const severities = new Map<string, Rule['severity']>(
  groupsOf().flatMap(({ rules }) => rules.map(({ alert, severity }) => [alert, severity] as const)),
)

export function finding(alert: `Stakewatch${string}`, text: string): Finding {
  return { severity: severities.get(alert) as Severity, alert, text }
}

const order: readonly Severity[] = ['critical', 'warning', 'info']

/** The lower, the sooner somebody should look. */
export function urgency(findings: readonly Finding[]): number {
  return Math.min(order.length, ...findings.map(({ severity }) => order.indexOf(severity)))
}

export function mostUrgentFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => urgency([a]) - urgency([b]))
}

/** Alerts about chains, nodes, wallets and messages that no finding names, since one moment does not tell what they tell. */
export const needHistory: Readonly<Record<string, string>> = {
  StakewatchNodeExchanged: 'it is about an increase: one moment tells how often the node was exchanged, and not when',
}

/** What the rules about validators see as well; `now` is in seconds. */
export interface Watched {
  now: number
  /** The collector that tells who is in the set has been attempted. */
  isAsked: boolean
  /** Configured nodes that can have an opinion; null while unknown. */
  observers: number | null
}

export function findingsOfValidator(one: Omit<Validator, 'findings'>, { now, isAsked, observers }: Watched): Finding[] {
  const plannedEnd = one.planned_end_timestamp_seconds
  const isPlanned = (end: number) => plannedEnd !== null && end > plannedEnd - limits.plannedEndSlack
  const found: Finding[] = []
  const find = (alert: `Stakewatch${string}`, text: string) => found.push(finding(alert, text))

  if (one.state === 'unknown' && isAsked) find('StakewatchValidatorUnknown', 'no node says whether it is in the set')
  if (one.state === 'not_in_set' && !isPlanned(now)) find('StakewatchValidatorNotInSet', 'it is not in the set')
  if (one.state === 'inactive' && !isPlanned(now)) {
    find('StakewatchL1ValidatorInactive', 'it has no balance left and takes no part')
  }
  if (observers === 0) find('StakewatchValidatorUnobserved', 'no node but itself watches it: its uptime is not known')
  found.push(...aboutConnection(one), ...aboutReward(one))

  const { end_timestamp_seconds: end, next_period_seconds: next, depletion_timestamp_seconds: depletion } = one
  const goesOn = next !== null && next > 0 && shareOf(one, 'lost') <= 0.5
  if (end !== null && !goesOn && !isPlanned(end)) found.push(...countdown(stakeSteps, end - now, 'its stake ends'))
  if (depletion !== null && one.state !== 'inactive' && !isPlanned(depletion)) {
    found.push(...countdown(balanceSteps, depletion - now, 'its balance runs out'))
  }
  for (const { expectation } of one.expectations.filter(({ met }) => met === false)) {
    const alert = TAMPERED.test(expectation) ? 'StakewatchValidatorTampered' : 'StakewatchExpectationNotMet'
    find(alert, `its ${expectation} is not as declared`)
  }
  return mostUrgentFirst(found)
}

const TAMPERED = new RegExp(`^(${TAMPERING})$`)

function aboutConnection(one: Omit<Validator, 'findings'>): Finding[] {
  const { kind, observers } = one
  // Whether the nodes of an L1 see its validators is for the rules about the L1 as a whole.
  const opinions = kind === 'l1' ? [] : observers.filter(({ connected, source }) => connected !== null && votes(source))
  const away = opinions.filter(({ connected }) => !connected).length
  if (2 * away > opinions.length) {
    return [
      finding('StakewatchValidatorDisconnected', `${away} of ${opinions.length} observers are not connected to it`),
    ]
  }
  if (opinions.length > 0 && 2 * away === opinions.length) {
    return [finding('StakewatchObserversDisagree', `${away} of ${opinions.length} observers are not connected to it`)]
  }
  const reachable = observers.find(({ reachable_ratio: share }) => share !== null)?.reachable_ratio ?? 1
  if (reachable >= limits.reachable) return []
  const text = `it answers ${percent(reachable)} of the requests of the data service`
  return [finding('StakewatchValidatorUnreachable', text)]
}

function aboutReward(one: Omit<Validator, 'findings'>): Finding[] {
  const { downtime_budget_seconds: budget, downtime_allowed_seconds: allowed, state } = one
  const lost = shareOf(one, 'lost')
  if (lost > 0.5) return [finding('StakewatchRewardLost', `its reward is lost, say ${percent(lost)} of the observers`)]
  const half = 'half of the observers say that its reward is lost'
  const disputed = lost === 0.5 && state !== 'disputed' ? [finding('StakewatchObserversDisagree', half)] : []
  if (budget === null || budget < 0 || shareOf(one, 'safe') > 0.5) return disputed
  const text = `it may be down for ${durationText(budget)} more before its reward is lost`
  if (budget < limits.budgetEnding && state === 'disconnected') {
    return [finding('StakewatchDowntimeBudgetEnding', text)]
  }
  const small = Math.min(limits.budgetSmall, limits.budgetSmallShare * (allowed ?? 0))
  return budget < small ? [...disputed, finding('StakewatchDowntimeBudgetSmall', text)] : disputed
}

/** Of the observers that judge the reward, those that say so of it. */
export function shareOf({ observers }: Pick<Validator, 'observers'>, state: string): number {
  const told = observers.filter(({ reward_state: said }) => said !== null)
  return told.length === 0 ? 0 : told.filter(({ reward_state: said }) => said === state).length / told.length
}

/** The data service shows what its own node sees, and has no vote. */
export const votes = (source: string) => source !== 'data-api'

type Steps = readonly (readonly [seconds: number, alert: `Stakewatch${string}`])[]

const stakeSteps: Steps = [
  [limits.stakeEndLast, 'StakewatchStakeEndsSoon'],
  [limits.stakeEndNear, 'StakewatchStakeEnding'],
  [limits.stakeEndPlanned, 'StakewatchStakeEndPlanned'],
]
const balanceSteps: Steps = [
  [limits.runwayLast, 'StakewatchL1BalanceRunningOut'],
  [limits.runwayNear, 'StakewatchL1BalanceEnding'],
  [limits.runwayPlanned, 'StakewatchL1BalanceLow'],
]

/** The first step that is reached. */
function countdown(steps: Steps, left: number, what: string): Finding[] {
  const step = steps.find(([seconds]) => left < seconds)
  return step ? [finding(step[1], left > 0 ? `${what} in ${durationText(left)}` : `${what} now`)] : []
}

export const NODES_DOWN = 'StakewatchNodesDown'

export function findingsOfUpstream(one: Omit<Upstream, 'findings'>, isLastNode: boolean): Finding[] {
  const found: Finding[] = []
  if (one.refusing) found.push(finding('StakewatchCredentialsRejected', 'it does not accept the key'))
  else if (one.up === false) {
    found.push(
      isLastNode
        ? finding(NODES_DOWN, 'no node of the network answers')
        : finding('StakewatchUpstreamDown', 'it does not answer'),
    )
  }
  const day = one.budgets.find(({ window }) => window === 'day')
  if (day && day.remaining_units < limits.budgetLeft * day.units) {
    found.push(
      finding(
        'StakewatchBudgetExhausted',
        `${percent(day.remaining_units / day.units)} of its budget of the day are left`,
      ),
    )
  }
  return mostUrgentFirst(found)
}

/** `since`: when stakewatch began to try. What an upstream that is away takes along is said of the upstream. */
export function findingsOfTask(
  one: Omit<TaskRow, 'findings'>,
  { now, since, isExcused }: { now: number; since: number; isExcused: boolean },
): Finding[] {
  const { result, last_success_timestamp_seconds: succeeded, interval_seconds: every } = one
  const silent = now - (succeeded ?? since)
  const isLate = silent > Math.max(limits.collectorIntervals * every, limits.collectorFailing)
  if (result !== 'failure' || !isLate || isExcused) return []
  const text = succeeded === null ? 'it has had no success yet' : `it has had no success for ${durationText(silent)}`
  return [finding('StakewatchCollectorFailing', text)]
}
