// The figures of validators and L1s for people.

import { percent, UNKNOWN } from '../../../lib/figures.ts'
import type { Ending, Period } from '../figures/periods.ts'
import type { ValidatorReport } from '../figures/validators.ts'
import { type Amounts, decimalText, groupedTokens, tokensAsNumber } from '../figures/values.ts'
import { ratioOf, type Span, type Times } from '../figures/timeline.ts'
import {
  changeRows,
  type Chart,
  filled,
  hoursText,
  type Line,
  longest,
  momentText,
  moneyText,
  orUnknown,
  type Section,
  section,
  type Table,
  totalText,
  unobservedText,
} from './document.ts'
import type { L1Report } from '../figures/l1s.ts'
import { DAY } from '../../../lib/seconds.ts'

/** Three places: a minute of a month is 0.002 %. */
export const uptimeText = (times: Times) => orUnknown(ratioOf(times), (ratio) => percent(ratio, 3))

const titleOf = ({ name, subnet }: Pick<ValidatorReport, 'name' | 'subnet'>) =>
  subnet === 'primary' ? name : `${name} (${subnet})`

export function overview(validators: readonly ValidatorReport[]): Section {
  const rows = validators.map((one) => [
    titleOf(one),
    one.network,
    uptimeText(one.times),
    hoursText(one.times.down),
    unobservedText(one.times),
    String(one.outages.length),
    ...(['earned', 'lost'] as const).map((what) => (one.periods.length === 0 ? '' : totalText(one.rewards[what]))),
  ])
  const head = ['Validator', 'Network', 'Uptime', 'Down', 'Unobserved', 'Outages', 'Earned', 'Lost']
  return section('Overview', { tables: [{ caption: 'Validators, by the vote of their observers', head, rows }] })
}

export function validatorSection(validator: ValidatorReport, whole: Span): Section {
  const { network, nodeId, outages, periods, times } = validator
  const { shown, notes } = longest(outages, 'outages')
  const out = times.out > 0 ? [`It was not in the validator set for ${hoursText(times.out)}.`] : []
  return section(titleOf(validator), {
    notes: [`Node id ${nodeId} on ${network}.`, ...out, ...notes],
    charts: chartsOf(validator),
    tables: filled(
      observersTable(validator),
      {
        caption: 'Outages by the vote of the observers',
        head: ['From', 'Until', 'Length', 'Cause by alerts'],
        rows: shown.map(({ from, until, isWhole, causes }) => [
          momentText(from),
          momentText(until),
          `${isWhole ? '' : 'at least '}${hoursText(until - from)}`,
          causes.join('; ') || 'none named',
        ]),
      },
      stakeTable(validator, whole),
      {
        caption: 'Periods of the validation',
        head: ['From', 'Until', 'End', 'Reward', 'Downtime allowed', 'Used', 'Left', 'Observers say'],
        rows: periods.map(periodRow),
      },
      rewardsTable(validator),
      turnsTable(validator, whole),
    ),
  })
}

function chartsOf({ name, days, stakeByDay }: ValidatorReport): Chart[] {
  const own = stakeByDay.map(({ value }) => tokensAsNumber(value?.own))
  const delegated = stakeByDay.map(({ value }) => tokensAsNumber(value?.delegated))
  const isKnown = [...own, ...delegated].some((value) => value !== undefined)
  const starts = stakeByDay.map(({ start }) => start)
  const lines = [
    { name: 'own stake', values: own },
    { name: 'delegated', values: delegated },
  ]
  return [
    { kind: 'days', title: `Uptime of ${name} by day`, days },
    ...(isKnown ? [{ kind: 'lines' as const, title: `Stake of ${name}`, unit: 'tokens', starts, lines }] : []),
  ]
}

function observersTable({ times, observers }: ValidatorReport): Table {
  const cells = (one: Times) => [uptimeText(one), hoursText(one.down), unobservedText(one)]
  return {
    caption: 'Uptime by observer',
    head: ['Observer', 'Uptime', 'Down', 'Unobserved', 'Uptime of its period', 'Downtime left'],
    rows: [
      ['vote of all', ...cells(times), '', ''],
      ...observers.map(({ source, times, periodUptime, budget }) => [
        source,
        ...cells(times),
        orUnknown(periodUptime, (ratio) => percent(ratio, 3)),
        budget === undefined ? '' : hoursText(budget),
      ]),
    ],
  }
}

function stakeTable({ stake, delegated, delegators, delegationFee }: ValidatorReport, whole: Span): Table {
  return {
    caption: 'Stake and delegations',
    head: ['Figure', 'At the start', 'At the end'],
    rows: [
      ...changeRows('Own stake', stake, groupedTokens, whole),
      ...changeRows('Delegated', delegated, groupedTokens, whole),
      ...changeRows('Delegations', delegators, String, whole),
      ...(delegationFee === undefined ? [] : [['Fee of delegations', '', percent(delegationFee, 2)]]),
    ],
  }
}

const endingTexts: Readonly<Record<Ending, string>> = {
  compounded: 'renewed, reward staked as well',
  not_compounded: 'renewed with the same stake',
  removed: 'removed, reward lost',
  left: 'left as planned',
  unseen: 'over, the end was not seen',
  term_over: 'fixed term over',
  unknown: 'over, how is not known yet',
}

function periodRow({ start, end, ending, reward, allowance, budget, state = '' }: Period): string[] {
  const used = allowance === undefined || budget === undefined ? undefined : allowance - budget
  return [
    orUnknown(start, momentText),
    orUnknown(end, momentText),
    ending === undefined ? 'goes on' : endingTexts[ending],
    orUnknown(reward, moneyText),
    ...[allowance, used, budget].map((seconds) => orUnknown(seconds, hoursText)),
    state.replace('_', ' ') || UNKNOWN,
  ]
}

function rewardsTable({ rewards: { earned, lost, undecided, pending, listed }, periods }: ValidatorReport): Table {
  const isOver = periods.length > 0 && periods.every(({ ending }) => ending !== undefined)
  const row = (name: string, all: Amounts) => (all.length === 0 ? [] : [[name, totalText(all)]])
  return {
    caption: 'Rewards of the validation',
    head: ['Reward', 'Tokens and value'],
    rows:
      periods.length + listed.length === 0
        ? []
        : [
            ['Earned', totalText(earned)],
            ['Lost', totalText(lost)],
            ...row('Ended, not known whether earned', undecided),
            ['Pending, of the running period', isOver ? 'none' : orUnknown(pending, moneyText)],
            ...listed.map(({ type, money }) => [`Pending by the data service, ${type}`, moneyText(money)]),
          ],
  }
}

function turnsTable({ turns }: ValidatorReport, { from }: Span): Table {
  return {
    caption: 'Turns to build blocks',
    head: ['Chain', 'Made', 'Missed', 'Share made', 'Unknown', 'Counted since', 'Gaps'],
    rows: turns.map(({ chain, made, missed, unknown, since, gaps }) => [
      chain,
      orUnknown(made, String),
      orUnknown(missed, String),
      made === undefined || missed === undefined || made + missed === 0 ? '' : percent(made / (made + missed), 2),
      orUnknown(unknown, String),
      since === from ? 'the start' : momentText(since),
      orUnknown(gaps, String),
    ]),
  }
}

/** Lines that a chart can show. */
const MOST_LINES = 4

export function l1Section(one: L1Report): Section {
  const { network, subnet, balances, price, liveness } = one
  const isEstimated = balances.some(({ isCounted }) => !isCounted)
  return section(`L1 ${subnet}`, {
    notes: [
      `On ${network}.`,
      ...(isEstimated ? ['Payments into a balance are its rises where no metric counted them all the time.'] : []),
    ],
    charts: l1ChartsOf(one),
    tables: filled(
      {
        caption: 'Balances of validators, in tokens',
        head: ['Validator', 'First', 'Paid in', 'Spent', 'Last', 'Without a balance', 'Unobserved'],
        rows: balances.map(balanceRow),
      },
      priceTable(price),
      {
        caption: 'Connected weight',
        head: ['Enough for', 'Share of the time', 'Too little', 'Unobserved', 'Lowest share above the need'],
        rows: liveness.map(livenessRow),
      },
    ),
  })
}

function balanceRow({
  validator,
  from,
  until,
  first,
  last,
  paidIn,
  spent,
  active,
}: L1Report['balances'][number]): string[] {
  return [
    validator.name,
    `${groupedTokens(first)} (${momentText(from)})`,
    groupedTokens(paidIn),
    groupedTokens(spent),
    `${groupedTokens(last)} (${momentText(until)})`,
    hoursText(active.down),
    unobservedText(active),
  ]
}

function priceTable(price: L1Report['price']): Table {
  const cells = (perSecond: number) => [decimalText(perSecond), decimalText(perSecond * 30 * DAY)]
  return {
    caption: 'Price of an active L1 validator, in tokens',
    head: ['Price', 'For a second', 'For 30 days'],
    rows: price
      ? [
          ['First', ...cells(price.first)],
          ['Last', ...cells(price.last)],
          ['Lowest', ...cells(price.lowest)],
          ['Highest', ...cells(price.highest)],
          ['Mean', ...cells(price.mean)],
        ]
      : [],
  }
}

const thresholdTexts: Readonly<Record<string, string>> = {
  blocks: 'blocks',
  messages: 'messages to other chains',
  health: 'a healthy node',
}

function livenessRow({ threshold, times, lowestMargin }: L1Report['liveness'][number]): string[] {
  return [
    thresholdTexts[threshold] ?? threshold,
    uptimeText(times),
    hoursText(times.down),
    unobservedText(times),
    orUnknown(lowestMargin, (margin) => `${decimalText(margin * 100)} %`),
  ]
}

function l1ChartsOf({ subnet, balances, price }: L1Report): Chart[] {
  const shown = balances.slice(0, MOST_LINES)
  const starts = (price?.byDay ?? shown[0]?.byDay ?? []).map(({ start }) => start)
  const lines = shown.map(({ validator, byDay }) => ({
    name: validator.name,
    values: byDay.map(({ value }) => tokensAsNumber(value)),
  }))
  const chart = (title: string, lines: readonly Line[]): Chart => ({
    kind: 'lines',
    title,
    unit: 'tokens',
    starts,
    lines,
  })
  const prices = price?.byDay.map(({ value }) => (value === undefined ? undefined : value * 30 * DAY))
  return [
    ...(lines.length > 0 ? [chart(`Balances in ${subnet}`, lines)] : []),
    ...(prices ? [chart('Price of an L1 validator for 30 days', [{ name: 'price', values: prices }])] : []),
  ]
}
