// The figures of one validator, and what alerts and maintenance windows say about its outages.

import { rulesOf } from '../../../alerts/rules.ts'
import type { Labels } from '../../../lib/label-text.ts'
import type { Answers } from '../ask.ts'
import { HOUR } from '../../../lib/seconds.ts'
import type { Month } from '../month.ts'
import { LONGEST_GAP } from '../questions.ts'
import { type Answer, countsBy, having, knownOf, knownWith, type Series, timeOf, totalOf } from './series.ts'
import {
  daysOf,
  minutesIn,
  minutesOf,
  observed,
  outagesOf,
  outOfSet,
  type Span,
  spansOf,
  type Timeline,
  timelinesOf,
  timesOf,
  voteOf,
} from './timeline.ts'
import { periodsOf, rewardsOf } from './periods.ts'
import { changeOf, dailyOf, lastOf, tokens } from './values.ts'

/** A validator by its names. */
export interface ValidatorId {
  network: string
  subnet: string
  nodeId: string
  name: string
}

export type ValidatorReport = ReturnType<typeof validatorReport>

/** Alerts that say why a validator is away; the others say that it is, or what follows. */
export const CAUSES = {
  /** About a node, which is the validator's own. */
  ofNode: [
    'StakewatchOwnNodeUnhealthy',
    'StakewatchNodeUnhealthy',
    'StakewatchOwnNodeUnsteady',
    'StakewatchNodeBootstrapping',
    'StakewatchOwnChainNotCreated',
    'StakewatchChainNotCreated',
    'StakewatchNodeForked',
    'StakewatchChainProcessDead',
    'StakewatchNodeOfOtherNetwork',
    'StakewatchNodeNotUpgraded',
    'StakewatchPeerStakeLow',
    'StakewatchUpstreamDown',
    'StakewatchUpstreamUnsteady',
  ],
  /** About the validator. */
  ofValidator: ['StakewatchL1ValidatorInactive', 'StakewatchValidatorNotUpgraded', 'StakewatchMaintenanceOverrun'],
} as const

export const summaries: ReadonlyMap<string, string> = new Map(rulesOf().map(({ alert, summary }) => [alert, summary]))

/** Something that went on at the same time, in words. */
interface Circumstance {
  text: string
  spans: readonly Span[]
}

function circumstancesOf(answers: Answers, id: ValidatorId, month: Month): Circumstance[] {
  const { firing, inMaintenance } = answers
  const alerts = firing.series.filter(({ labels }) => isCause(labels, id, answers))
  const windows = having(inMaintenance, { network: id.network, subnet: id.subnet, node_id: id.nodeId })
  const spans = (one: Series, { grid }: Pick<typeof firing, 'grid'>) => spansOf(minutesOf(one, grid, month), month)
  return [
    ...windows.map((one) => ({
      text: `Maintenance window ${one.labels['window'] ?? ''}`,
      spans: spans(one, inMaintenance),
    })),
    ...alerts.map((one) => ({ text: causeText(one.labels), spans: spans(one, firing) })),
  ]
}

function isCause(labels: Labels, { network, subnet, nodeId }: ValidatorId, { nodeIds }: Answers): boolean {
  const { alertname = '', node_id, source } = labels
  if (labels['network'] !== network || (labels['subnet'] ?? subnet) !== subnet) return false
  if (node_id === nodeId && (CAUSES.ofValidator as readonly string[]).includes(alertname)) return true
  return (
    source !== undefined &&
    (CAUSES.ofNode as readonly string[]).includes(alertname) &&
    having(nodeIds, { network, source, id: nodeId }).length > 0
  )
}

function causeText({ alertname = '', check }: Labels): string {
  const summary = summaries.get(alertname)?.replace(/\.$/, '') ?? alertname
  return check === undefined ? summary : `${summary} (${check})`
}

/** Alerts fire some minutes after their cause, and it may end some minutes before the outage does. */
function causesOf({ from, until }: Span, circumstances: readonly Circumstance[]): string[] {
  const atThatTime = (span: Span) => span.from < until + LONGEST_GAP && span.until > from - LONGEST_GAP
  return [...new Set(circumstances.filter(({ spans }) => spans.some(atThatTime)).map(({ text }) => text))]
}

export const labelsOfId = ({ network, subnet, nodeId }: ValidatorId) => ({ network, subnet, node_id: nodeId })

/** Validators of the configuration, under their last names, in the order of their names. */
export function validatorsIn({ series }: Answer): ValidatorId[] {
  const lastSeen = (values: Float64Array) => values.findLastIndex((value) => !Number.isNaN(value))
  const byId = Map.groupBy(series, ({ labels: { network, subnet, node_id } }) =>
    JSON.stringify([network, subnet, node_id]),
  )
  const ids = [...byId.values()].map((some) => {
    const { labels } = some.toSorted((a, b) => lastSeen(b.values) - lastSeen(a.values))[0]!
    const { network = '', subnet = '', node_id: nodeId = '', validator: name = '' } = labels
    return { network, subnet, nodeId, name }
  })
  const order = ({ network, subnet, name }: ValidatorId) =>
    [network, subnet === 'primary' ? '' : subnet, name].join('\0')
  return ids.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}

export function validatorReport(id: ValidatorId, answers: Answers, month: Month) {
  const labels = labelsOfId(id)
  const connected = having(answers.connected, labels).length > 0 ? answers.connected : answers.l1Connected
  const [inSet] = having(answers.inSet, labels)
  const isInSet = inSet && observed(minutesOf(inSet, answers.inSet.grid, month))
  const vote = outOfSet(voteOf(timelinesOf(connected, having(connected, labels), month), minutesIn(month)), isInSet)
  const known = (name: 'stake' | 'delegated' | 'delegators') => knownWith(answers[name], labels, month)
  const circumstances = circumstancesOf(answers, id, month)
  const periods = periodsOf(answers, labels, month)
  const delegatedByDay = dailyOf(known('delegated'), month, tokens)
  return {
    ...id,
    /** By the vote of the observers. */
    times: timesOf(vote),
    days: daysOf(vote, month),
    observers: observersOf(connected, answers, id, month, isInSet),
    outages: outagesOf(vote, month).map((one) => ({ ...one, causes: causesOf(one, circumstances) })),
    stake: changeOf(known('stake'), tokens),
    delegated: changeOf(known('delegated'), tokens),
    delegators: changeOf(known('delegators'), Number),
    delegationFee: lastOf(answers.delegationFee, labels, month),
    stakeByDay: dailyOf(known('stake'), month, tokens).map(({ start, value: own }, day) => ({
      start,
      value: own === undefined ? undefined : { own, delegated: delegatedByDay[day]?.value },
    })),
    periods,
    rewards: rewardsOf(periods, answers, labels, month),
    turns: turnsOf(answers, labels, month),
  }
}

function observersOf(
  connected: Answer,
  answers: Answers,
  id: ValidatorId,
  month: Month,
  isInSet: Timeline | undefined,
) {
  const periodUptime = connected === answers.l1Connected ? answers.l1UptimeRatio : answers.uptimeRatio
  return having(connected, labelsOfId(id))
    .map((one) => {
      const { source = '' } = one.labels
      const labels = { ...labelsOfId(id), source }
      return {
        source,
        times: timesOf(outOfSet(observed(minutesOf(one, connected.grid, month)), isInSet)),
        // As it reports itself: of the whole period, at its last report in the month.
        periodUptime: lastOf(periodUptime, labels, month),
        budget: lastOf(answers.budget, labels, month),
      }
    })
    .toSorted((a, b) => (a.source < b.source ? -1 : 1))
}

/** What became of its turns to build blocks, chain by chain. */
function turnsOf({ turns, turnGaps }: Answers, labels: Labels, month: Month) {
  const own = { ...turns, series: having(turns, labels) }
  const counts = countsBy(own, month, ['chain', 'outcome'])
  const chains = [...new Set(counts.map((one) => one.labels['chain'] ?? ''))].toSorted()
  const { network = '' } = labels
  return chains.flatMap((chain) => {
    const since = firstOf({ ...own, series: having(own, { chain }) }, month)
    if (since === undefined) return []
    const count = (outcome: string) =>
      having({ series: counts }, { chain, outcome }).map(({ rises }) => totalOf(rises))[0]
    const ofChain = { ...turnGaps, series: having(turnGaps, { network, chain }) }
    const [gaps] = countsBy(ofChain, month, ['chain']).map(({ rises }) => totalOf(rises))
    return [
      {
        chain,
        made: count('made'),
        /** Undefined where only builders are known, such as from the data service. */
        missed: count('missed'),
        /** Too little is known of the blocks around them. */
        unknown: count('unknown'),
        since,
        /** How often blocks went uncounted. */
        gaps,
      },
    ]
  })
}

/** When counting began: the start of the month if it had begun before. Undefined if nothing was counted in the month. */
export function firstOf({ grid, series }: Answer, month: Month): number | undefined {
  if (series.every((one) => knownOf(one, grid, month).length === 0)) return undefined
  const firsts = series.map(({ values }) => values.findIndex((value) => !Number.isNaN(value))).filter((at) => at >= 0)
  const first = timeOf(grid, Math.min(...firsts))
  // What runs from the start has its first sample after the first poll.
  return first < month.start + HOUR ? month.start : first
}
