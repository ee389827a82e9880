// Alerts about subnets and L1s: the weight that takes part, the balances of their validators, who may change them.

import { L1_HEAD } from './heads.ts'
import {
  asPlanned,
  endIsOver,
  type Group,
  HOLD,
  type Known,
  knownValidator,
  L1_SHARE,
  latest,
  MINUTE,
  type Rule,
  SAME_VALIDATOR,
  validator,
  watchedBy,
} from './rule.ts'
import type { Thresholds } from './thresholds.ts'

const ofL1 = '{{ $labels.network }}/{{ $labels.subnet }}'

const percent = (share: number) => `${Math.round(share * 100)} %`
const from = (least?: number) => (least === undefined ? '' : ` >= ${least}`)

/**
 * Who is connected, as a node of the L1 reports it. Where every node says that it does not run the chain, and where none is
 * asked, only balances can report.
 */
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

/** The weight alone does not tell whether the L1 makes blocks: a node that counts it may see less than takes part. */
const HEAD_AGE = `{{ with printf "time() - ${L1_HEAD}{job=%q,network=%q,subnet=%q}" $labels.job $labels.network $labels.subnet | query }}The newest known block of its chain is {{ . | first | value | humanizeDuration }} old.{{ else }}The age of its newest block is unknown.{{ end }}`

interface WeightStep {
  below: number
  least?: number
  /** What is told in its place. */
  unless?: string
}

/** One step of what an L1 loses with its weight. The last one that is reached fires, unless something else is the news. */
function weightStep(alert: string, needed: string, { below, least, unless = '' }: WeightStep): Rule {
  return {
    alert,
    severity: 'critical',
    // Without a node nobody tells who is connected. But whoever has no balance is away for sure.
    expr: `${L1_SHARE} < ${below}${from(least)}${unless}`,
    for: 2 * MINUTE,
    hold: HOLD,
    known: KNOWN_WEIGHT,
    summary: `Too little weight of the L1 is online: ${needed}.`,
    description: `Only {{ humanizePercentage $value }} of the weight of L1 ${ofL1} is online: connected to a node that runs its chain, or, if no node does, with a balance left. ${HEAD_AGE}`,
  }
}

/** The L1s of which so much weight has no balance left that they are not healthy. */
const isDry = ({ l1Healthy }: Thresholds) => `subnet:stakewatch_subnet_weight:active < ${l1Healthy}`

/** A node that sees less than others may have the problem itself: the best view counts. */
const marginOf = (threshold: string, when: string) =>
  latest(`stakewatch_l1_liveness_margin{threshold="${threshold}",when="${when}"}`, 'source', 'threshold', 'when')
const listedWeight = (of: string) => latest(`stakewatch_l1_listed_weight{of="${of}"}`, 'of')
const weightOf = (states: string) => `sum without (state) (${latest(`stakewatch_subnet_weight${states}`)})`
const depleting = (within: string) => latest(`stakewatch_subnet_weight_depleting{within="${within}"}`, 'within')

/** Who has no balance left. */
const INACTIVE = 'validator:stakewatch_l1_validator_active:inactive'
const DEPLETION = 'validator:stakewatch_l1_validator_depletion_timestamp_seconds:max'
/** Seconds until the balance of an active one has run out; one whose time is up by this reckoning may be active still. */
const runway = `(clamp_min(${DEPLETION} - time(), 0) unless ${INACTIVE})`

/** Below the first number of seconds, down to the second. */
const runsOut = (limits: Thresholds, below: number, least?: number) => `${runway} < ${below}${from(least)}
  unless ${asPlanned(DEPLETION, limits)}`

/** One step of the countdown to the end of a balance. */
function balanceStep(
  alert: string,
  severity: Rule['severity'],
  expr: string,
): Pick<Rule, 'alert' | 'severity' | 'expr' | 'for' | 'hold' | 'description'> {
  return {
    alert,
    severity,
    expr,
    for: MINUTE,
    hold: HOLD,
    description: `The balance of L1 validator ${validator} runs out in {{ humanizeDuration $value }}. Top it up before then: an inactive validator may not come back after a top-up.`,
  }
}

const NEXT_LISTED = latest('stakewatch_l1_listed_next_depletion_timestamp_seconds')

/** Share of the weight that is active, and still is in a week. */
const nextWeek = `(
    ${weightOf('{state!="inactive"}')}
    - ${depleting('7d')}
  ) / ${weightOf('')}`

/** Balances that run out within a week and take the whole L1 along: one page for it, and none for each. */
const weightEnding = (limits: Thresholds) => `(
    ${nextWeek} < ${limits.l1Blocks}
    unless ${L1_SHARE} < ${limits.l1Healthy}
    unless on (job, network, subnet) (${runsOut(limits, limits.runwayLast)})
  )`

const priceBy = (method: string, offset = '') =>
  latest(`stakewatch_l1_fee_price_tokens_per_second{method="${method}"}${offset}`, 'method')
/** The price now over the price a day before; on the first day over that of six hours or an hour before. */
const rise = (method: string) =>
  `${priceBy(method)}
      / (${[' offset 1d', ' offset 6h', ' offset 1h'].map((offset) => priceBy(method, offset)).join('\n        or ')})`

/** The weight that an L1 needs to make blocks. */
const weights = (limits: Thresholds): readonly Rule[] => [
  weightStep('StakewatchL1WeightLow', `blocks need ${percent(limits.l1Blocks)}, which is close`, {
    below: limits.l1Healthy,
    least: limits.l1Blocks,
    // Somebody was woken because more balances run out today: the next news is that the L1 stands still, or that they do not.
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
    {
      below: limits.l1Messages,
    },
  ),
  {
    alert: 'StakewatchL1OneStepFromStall',
    severity: 'warning',
    // An L1 in which one validator holds more than a quarter of the weight is always in that state: nothing is missing.
    // So is one of few validators whose next balance lasts for years.
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
    hold: HOLD,
    summary: 'The L1 stalls if one more validator stops or the next balance runs out.',
    description: `So much weight of L1 ${ofL1} is offline that it stops making blocks when its heaviest validator restarts or the next balance runs out. After that, a node that restarts cannot rejoin either.`,
  },
  {
    alert: 'StakewatchL1WeightEnding',
    severity: 'warning',
    expr: weightEnding(limits),
    for: 10 * MINUTE,
    hold: HOLD,
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
    // The weight that runs out with it is read once in five minutes: then the alert about the whole L1 fires instead.
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
    severity: 'critical',
    // Where it takes the whole L1 along, that is the news.
    expr: `${INACTIVE}
  unless ${SAME_VALIDATOR} ${endIsOver(limits)}
  unless on (job, network, subnet) ${isDry(limits)}`,
    for: 2 * MINUTE,
    hold: HOLD,
    known: knownValidator('stakewatch_l1_validator_active or stakewatch_l1_validator_listed_balance_tokens'),
    summary: 'The balance of the L1 validator is empty.',
    description: `L1 validator ${validator} has an empty balance and is inactive: it does not validate, and its weight still counts towards the total of the L1.`,
  },
]

/** The price of L1 validation, and changes of owner or manager. */
const changes = (limits: Thresholds): readonly Rule[] => [
  {
    alert: 'StakewatchL1PriceRising',
    severity: 'info',
    expr: `(
    ${rise('fee_state')}
    or on (job, network) ${rise('accrued')}
    or on (job, network) ${rise('slope')}
  ) > ${limits.l1PriceRise}`,
    for: 10 * MINUTE,
    hold: HOLD,
    summary: 'The price of L1 validation has risen sharply within a day.',
    description:
      'A second of L1 validation on {{ $labels.network }} costs {{ humanize $value }} times as much as a day ago (or a few hours ago, if stakewatch has no older price). Balances run out sooner.',
  },
  {
    alert: 'StakewatchSubnetChanged',
    // Who may sign for the subnet has changed.
    severity: 'critical',
    expr: `${latest('increase(stakewatch_subnet_changes_total[1h])')} > 0`,
    // Two runs in a row have told it.
    for: 0,
    hold: HOLD,
    summary: 'The owner or the validator manager of the subnet has changed.',
    description:
      'The {{ $labels.what }} of subnet {{ $labels.network }}/{{ $labels.subnet }} changed within the last hour: who may change the subnet (owner), or which contract decides on its validators (manager). If your team did not do it, another party can sign for the subnet.',
  },
]

export const subnets = (limits: Thresholds): Group => ({
  name: 'stakewatch-subnets',
  rules: [...weights(limits), ...balances(limits), ...changes(limits)],
})
