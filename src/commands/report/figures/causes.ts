// What alerts and maintenance windows say about an outage of a validator.

import { groupsOf } from '../../../alerts/rules.ts'
import type { Labels } from '../../../lib/label-text.ts'
import type { Answers } from '../ask.ts'
import type { Month } from '../month.ts'
import { LONGEST_GAP } from '../questions.ts'
import type { ValidatorId } from './report-value.ts'
import { having, type Series } from './series.ts'
import { minutesOf, type Span, spansOf } from './timeline.ts'

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

export const summaries: ReadonlyMap<string, string> = new Map(
  groupsOf().flatMap(({ rules }) => rules.map(({ alert, summary }) => [alert, summary])),
)

/** Something that went on at the same time, in words. */
interface Circumstance {
  text: string
  spans: readonly Span[]
}

export function circumstancesOf(answers: Answers, id: ValidatorId, month: Month): Circumstance[] {
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

function isCause(labels: Labels, { network, nodeId }: ValidatorId, { nodeIds }: Answers): boolean {
  const { alertname = '', node_id, source } = labels
  if (labels['network'] !== network) return false
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
export function causesOf({ from, until }: Span, circumstances: readonly Circumstance[]): string[] {
  const atThatTime = (span: Span) => span.from < until + LONGEST_GAP && span.until > from - LONGEST_GAP
  return [...new Set(circumstances.filter(({ spans }) => spans.some(atThatTime)).map(({ text }) => text))]
}
