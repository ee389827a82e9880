// Alerts about subnets and L1s: the weight that takes part, the balances of their validators, who may change them.

import { type Group, HOLD, latest, MINUTE, validator } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** A node that sees less than others may have the problem itself: the best view counts. */
const marginOf = (threshold: string, when: string) =>
  `max without (source, threshold, when, instance, pod) (stakewatch_l1_liveness_margin{threshold="${threshold}",when="${when}"})`
/** What the data service lists, where no node tells of the liveness of the L1. */
const listed = (expr: string) => `(
    ${expr}
    unless on (job, network, subnet) max without (source, threshold, when, instance, pod) (stakewatch_l1_liveness_margin)
  )`
const listedWeight = (of: string) => `max without (of, instance, pod) (stakewatch_l1_listed_weight{of="${of}"})`
const listedShare = (of: string) => `${listedWeight(of)} / ${listedWeight('total')}`
const ofL1 = '{{ $labels.network }}/{{ $labels.subnet }}'

export const subnets = (limits: Thresholds): Group => ({
  name: 'stakewatch-subnets',
  rules: [
    {
      alert: 'StakewatchL1WeightLow',
      severity: 'critical',
      // Without a node nobody tells who is connected. But whoever has no balance is away for sure.
      expr: `${marginOf('health', 'now')} + 0.8 < 0.8
  or ${listed(`${listedShare('active')} < 0.8`)}`,
      for: 2 * MINUTE,
      hold: HOLD,
      summary: 'Too little weight of the L1 takes part: it is about to stand still, or does.',
      description: `Of the weight of L1 ${ofL1} {{ humanizePercentage $value }} take part: no node that runs its chain is connected to more, or, where no node tells, the data service lists no more with a balance. Below 75 % it makes no blocks, and a node that is restarted does not come back.`,
    },
    {
      alert: 'StakewatchL1OneStepFromStall',
      severity: 'warning',
      // An L1 in which one validator holds more than a quarter of the weight is always in that state: nothing is missing.
      expr: `(
    ${marginOf('blocks', 'greatest_stops')} < 0
    and ${marginOf('blocks', 'now')} - ${marginOf('blocks', 'greatest_stops')} <= ${limits.spareWeight}
  )
  or ${marginOf('blocks', 'balance_ends')} < 0
  or ${listed(`${listedShare('after_next_balance')} < 0.75
    and ${latest('stakewatch_l1_listed_next_depletion_timestamp_seconds')} - time() < ${limits.nextBalance}`)}`,
      for: 15 * MINUTE,
      hold: HOLD,
      summary: 'The L1 stands still when one more validator stops or the next balance has run out.',
      description: `So much weight of L1 ${ofL1} is away that it makes no blocks any more when its heaviest validator restarts, or when the next balance has run out. Then a node that is restarted does not come back either.`,
    },
    {
      alert: 'StakewatchL1BalanceRunningOut',
      severity: 'critical',
      // The value 0 means inactive and nothing else: an active validator whose time is up by this reckoning has the value 1.
      // What the data service lists counts for those of whom no node tells: with a node there is no second page.
      expr: `${latest('stakewatch_l1_validator_active')} == 0
  or clamp_min(${latest('stakewatch_l1_validator_depletion_timestamp_seconds')} - time(), 1) < ${limits.runwayNear}
  or (
    (
      ${latest('stakewatch_l1_validator_listed_balance_tokens')} == 0
      or clamp_min(${latest('stakewatch_l1_validator_listed_depletion_timestamp_seconds')} - time(), 1) < ${limits.runwayNear}
    )
    unless on (job, network, subnet, node_id) ${latest('stakewatch_l1_validator_active')}
  )`,
      for: 5 * MINUTE,
      hold: HOLD,
      summary: 'The balance of the L1 validator runs out, or has run out.',
      description: `{{ if eq $value 0.0 }}L1 validator ${validator} has no balance left and is inactive; its weight still counts in the total of the L1.{{ else }}The balance of L1 validator ${validator} runs out in {{ humanizeDuration $value }}; then it goes inactive, and may not come back after a top-up.{{ end }}`,
    },
    {
      alert: 'StakewatchSubnetChanged',
      severity: 'warning',
      expr: `${latest('increase(stakewatch_subnet_changes_total[1h])')} > 0`,
      // Two runs in a row have told it.
      for: 0,
      hold: HOLD,
      summary: 'The subnet has another owner, or another manager of its validators.',
      description:
        'Within the last hour the {{ $labels.what }} of subnet {{ $labels.network }}/{{ $labels.subnet }} has changed: who may change the subnet (owner), or which contract decides on its validators (manager). If it was none of you, somebody else can sign for it.',
    },
  ],
})
