// Alerts about subnets and L1s: weight online, balances of validators, and changes of owner or manager.

import { L1_HEAD } from './heads.ts'
import {
  asPlanned,
  between,
  endIsOver,
  type Group,
  type Known,
  type Maintained,
  knownValidator,
  L1_SHARE,
  latest,
  MINUTE,
  type Rule,
  SAME_VALIDATOR,
  type Step,
  validator,
  watchedBy,
  weightIn,
  weightOf,
} from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const ofL1 = '{{ $labels.network }}/{{ $labels.subnet }}'

const percent = (share: number) => `${Math.round(share * 100)} %`

/** Connections that a node of the L1 reports. If no node runs the chain, or none is queried, balances must do. */
const KNOWN_WEIGHT: Known = {
  by: `subnet:stakewatch_l1_weight:connected
    or subnet:stakewatch_subnet_weight:active unless on (job, network, subnet) (
      min by (job, network, subnet) (stakewatch_l1_chain_state{state="untracked"}) == 0
      or ${watchedBy('l1-liveness')} unless on (job, network, subnet) stakewatch_l1_chain_state
    )`,
  labels: 'job, network, subnet',
  name: 'L1 {{ $labels.subnet }}',
  of: { series: watchedBy('validators'), labels: 'job, network, subnet' },
}

/** The text adds the age of the newest block: a node may see less weight than is online, so the L1 may still make blocks. */
const HEAD_AGE = `{{ with printf "time() - ${L1_HEAD}{job=%q,network=%q,subnet=%q}" $labels.job $labels.network $labels.subnet | query }}The newest known block of its chain is {{ . | first | value | humanizeDuration }} old.{{ else }}The age of its newest block is unknown.{{ end }}`

interface WeightStep {
  below: number
  least?: number
  /** A clause for conditions with alerts of their own. */
  unless?: string
  quietFor?: Maintained
}

/** One step of the loss of weight; only the last step that was reached fires. */
function weightStep(alert: string, needed: string, { below, least, unless = '', quietFor }: WeightStep): Rule {
  return {
    alert,
    panel: 'l1s: Weight of L1s by their own chain',
    severity: 'critical',
    // Without a node, connections are unknown, but validators without a balance are offline for sure.
    expr: `${between(L1_SHARE, below, least)}${unless}`,
    for: 2 * MINUTE,
    ...(quietFor && { quietFor }),
    known: KNOWN_WEIGHT,
    summary: `Too little weight of the L1 is online: ${needed}.`,
    description: `Only {{ humanizePercentage $value }} of the weight of L1 ${ofL1} is online: connected to a node that runs its chain, or, if no node does, with a balance left. ${HEAD_AGE}`,
  }
}

/** L1s that are unhealthy because of empty balances. */
const isDry = ({ l1Healthy }: Thresholds) => `subnet:stakewatch_subnet_weight:active < ${l1Healthy}`

/** The best view counts: a node that sees less may have the problem itself. */
const marginOf = (threshold: string, when: string) =>
  latest(`stakewatch_l1_liveness_margin{threshold="${threshold}",when="${when}"}`, 'source', 'threshold', 'when')
const listedWeight = (of: string) => weightOf('stakewatch_l1_listed_weight', of)
const depleting = (within: string) => latest(`stakewatch_subnet_weight_depleting{within="${within}"}`, 'within')

/** Validators with an empty balance. */
const INACTIVE = 'validator:stakewatch_l1_validator_active:inactive'
const DEPLETION = 'validator:stakewatch_l1_validator_depletion_timestamp_seconds:max'
/** Seconds until the balance of an active validator runs out. It is an estimate, so 0 does not mean inactive. */
const runway = `(clamp_min(${DEPLETION} - time(), 0) unless ${INACTIVE})`

/** Balances that last less than `below` and at least `least` seconds. */
const runsOut = (limits: Thresholds, below: number, least?: number) => `${between(runway, below, least)}
  unless ${asPlanned(DEPLETION, limits)}`

/** One step of the countdown to an empty balance. */
function balanceStep(alert: string, severity: Rule['severity'], expr: string): Step {
  return {
    alert,
    panel: 'l1s: L1 validators',
    severity,
    expr,
    for: MINUTE,
    description: `The balance of L1 validator ${validator} runs out in {{ humanizeDuration $value }}. Top it up before then: an inactive validator may not come back after a top-up.`,
  }
}

const NEXT_LISTED = latest('stakewatch_l1_listed_next_depletion_timestamp_seconds')

/** Share of the weight that will still be active in a week. */
const nextWeek = `(
    ${weightIn('{state!="inactive"}')}
    - ${depleting('7d')}
  ) / ${weightIn('')}`

/** Balances that run out within a week and stall the L1: one alert for the L1 instead of one for each validator. */
const weightEnding = (limits: Thresholds) => `(
    ${nextWeek} < ${limits.l1Blocks}
    unless ${L1_SHARE} < ${limits.l1Healthy}
    unless on (job, network, subnet) (${runsOut(limits, limits.runwayLast)})
  )`

const priceBy = (method: string, offset = '') =>
  latest(`stakewatch_l1_fee_price_tokens_per_second{method="${method}"}${offset}`, 'method')
/** The price relative to that of a day ago; on the first day, of six hours or an hour ago. */
const rise = (method: string) =>
  `${priceBy(method)}
      / (${[' offset 1d', ' offset 6h', ' offset 1h'].map((offset) => priceBy(method, offset)).join('\n        or ')})`

/** The weight that an L1 needs to make blocks. */
const weights = (limits: Thresholds): readonly Rule[] => [
  weightStep('StakewatchL1WeightLow', `blocks need ${percent(limits.l1Blocks)}, which is close`, {
    below: limits.l1Healthy,
    least: limits.l1Blocks,
    // Blocks still come; a stalled L1 pages in any window.
    quietFor: 'subnet',
    // StakewatchL1BalanceRunningOut has already paged for the balances that run out today.
    unless: `
  unless on (job, network, subnet) (
    ${isDry(limits)}
    and on (job, network, subnet) (${runsOut(limits, limits.runwayLast)})
  )`,
  }),
  weightStep('StakewatchL1Stalled', `blocks need ${percent(limits.l1Blocks)}`, {
    below: limits.l1Blocks,
    least: limits.l1Messages,
  }),
  weightStep(
    'StakewatchL1MessagesUnsigned',
    `blocks need ${percent(limits.l1Blocks)}, and messages to other chains ${percent(limits.l1Messages)}`,
    { below: limits.l1Messages },
  ),
  {
    alert: 'StakewatchL1OneStepFromStall',
    panel: 'l1s: Weight of L1s by their own chain',
    severity: 'warning',
    // Excludes L1s that are always in this state: one validator has over a quarter of the weight, or there are few validators and
    // the next balance lasts for years.
    expr: `(
    (
      ${marginOf('blocks', 'greatest_stops')} < 0
      and ${marginOf('blocks', 'now')} - ${marginOf('blocks', 'greatest_stops')} <= ${limits.spareWeight}
    )
    or (
      ${marginOf('blocks', 'balance_ends')} < 0
      and on (job, network, subnet) (
        min by (job, network, subnet) (${DEPLETION}) - time() < ${limits.nextBalance}
        or ${NEXT_LISTED} - time() < ${limits.nextBalance}
      )
    )
    or (
      ${listedWeight('after_next_balance')} / ${listedWeight('total')} < ${limits.l1Blocks}
      and ${NEXT_LISTED} - time() < ${limits.nextBalance}
      unless on (job, network, subnet) ${marginOf('blocks', 'balance_ends')} >= 0
    )
  )
  unless on (job, network, subnet) ${L1_SHARE} < ${limits.l1Healthy}
  unless on (job, network, subnet) ${weightEnding(limits)}`,
    for: 15 * MINUTE,
    quietFor: 'subnet',
    summary: 'The L1 stalls if one more validator stops or the next balance runs out.',
    description: `So much weight of L1 ${ofL1} is offline that it stops making blocks when its heaviest validator restarts or the next balance runs out. After that, a node that restarts cannot rejoin either.`,
  },
  {
    alert: 'StakewatchL1WeightEnding',
    panel: 'l1s: Weight about to go inactive',
    severity: 'warning',
    expr: weightEnding(limits),
    for: 10 * MINUTE,
    summary: 'Balances that run out within a week will stall the L1.',
    description: `Only {{ humanizePercentage $value }} of the weight of L1 ${ofL1} has a balance that lasts more than a week. When the other balances run out, the L1 stops making blocks. Top them up.`,
  },
]

/** The balances of L1 validators. */
const balances = (limits: Thresholds): readonly Rule[] => [
  {
    ...balanceStep('StakewatchL1BalanceLow', 'info', runsOut(limits, limits.runwayPlanned, limits.runwayNear)),
    summary: 'The balance of the L1 validator runs out within a month.',
  },
  {
    ...balanceStep(
      'StakewatchL1BalanceEnding',
      'warning',
      `${runsOut(limits, limits.runwayNear, limits.runwayLast)}
  unless on (job, network, subnet) ${weightEnding(limits)}`,
    ),
    // The depleting weight is read every five minutes; then the alert about the whole L1 may fire instead.
    for: 10 * MINUTE,
    summary: 'The balance of the L1 validator runs out within a week.',
  },
  {
    ...balanceStep('StakewatchL1BalanceRunningOut', 'critical', runsOut(limits, limits.runwayLast)),
    known: knownValidator(DEPLETION),
    summary: 'The balance of the L1 validator runs out today or tomorrow.',
  },
  {
    alert: 'StakewatchL1ValidatorInactive',
    panel: 'l1s: L1 validators',
    severity: 'critical',
    // The alerts about the L1 cover it when the whole L1 is affected.
    expr: `${INACTIVE}
  unless ${SAME_VALIDATOR} ${endIsOver(limits)}
  unless on (job, network, subnet) ${isDry(limits)}`,
    for: 2 * MINUTE,
    known: knownValidator('stakewatch_l1_validator_active or stakewatch_l1_validator_listed_balance_tokens'),
    summary: 'The balance of the L1 validator is empty.',
    description: `L1 validator ${validator} has an empty balance and is inactive: it does not validate, and its weight still counts towards the total of the L1.`,
  },
]

/** The price of L1 validation, and changes of owner or manager. */
const changes = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchL1PriceRising',
    panel: 'l1s: Price of an L1 validator',
    severity: 'info',
    expr: `(
    ${rise('fee_state')}
    or on (job, network) ${rise('accrued')}
    or on (job, network) ${rise('slope')}
  ) > ${limits.l1PriceRise}`,
    for: 10 * MINUTE,
    summary: 'The price of L1 validation has risen sharply within a day.',
    description:
      'A second of L1 validation on {{ $labels.network }} costs {{ humanize $value }} times as much as a day ago (or a few hours ago, if stakewatch has no older price). Balances run out sooner.',
  },
  {
    alert: 'StakewatchSubnetChanged',
    panel: 'l1s: Who decides on subnets',
    // It may mean that an attacker controls the subnet.
    severity: 'critical',
    expr: `${latest('increase(stakewatch_subnet_changes_total[1h])')} > 0`,
    // Two runs in a row have confirmed it.
    for: 0,
    summary: 'The owner or the validator manager of the subnet has changed.',
    description:
      'The {{ $labels.what }} of subnet {{ $labels.network }}/{{ $labels.subnet }} changed within the last hour: who may change the subnet (owner), or which contract decides on its validators (manager). If your team did not do it, another party can sign for the subnet.',
  },
]

export const subnets = (limits: Thresholds): Group => ({
  name: 'stakewatch-subnets',
  rules: [...weights(limits), ...balances(limits), ...changes(limits)],
})
