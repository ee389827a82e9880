// The report as CSV for spreadsheets: a line for each figure.

import type { Report } from '../figures/figures.ts'
import { states, type Times } from '../figures/timeline.ts'
import { decimalText, type Money, tokenText } from '../figures/values.ts'

const HEAD = ['kind', 'network', 'subnet', 'name', 'id', 'detail', 'figure', 'value', 'unit']

export function csvOf(report: Report): string {
  const lines = [
    ...report.validators.flatMap(validatorLines),
    ...report.l1s.flatMap(l1Lines),
    ...report.wallets.flatMap(walletLines),
    ...(report.pages ?? []).flatMap(({ alert, pages }) =>
      pages.flatMap(({ from, until, about }) =>
        linesOf(['page', '', '', about, ''], [[instant(from), alert, until - from, 'seconds']]),
      ),
    ),
    ...report.upstreams.flatMap(upstreamLines),
  ]
  return [HEAD, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

const instant = (time: number | undefined) =>
  time === undefined ? '' : new Date(time * 1_000).toISOString().replace('.000', '')

/** An amount of tokens is a bigint. */
type Value = string | number | bigint | undefined
type Figure = readonly [detail: string, figure: string, value: Value, unit: string]

/** Lines of the known figures. */
const linesOf = (
  about: readonly [kind: string, network: string, subnet: string, name: string, id: string],
  figures: readonly Figure[],
): string[][] =>
  figures.flatMap(([detail, figure, value, unit]) =>
    value === undefined ? [] : [[...about, detail, figure, textOf(value), unit]],
  )

function textOf(value: NonNullable<Value>): string {
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? tokenText(value) : decimalText(value)
}

const timeFigures = (detail: string, times: Times) =>
  states.map((state): Figure => [detail, `${state}_time`, times[state], 'seconds'])

const moneyFigures = (detail: string, figure: string, money: Money | undefined): Figure[] => [
  [detail, figure, money?.tokens, 'tokens'],
  [detail, `${figure}_value`, money?.value?.amount, money?.value?.currency ?? ''],
]

function validatorLines(one: Report['validators'][number]) {
  const { rewards, delegators } = one
  return linesOf(
    ['validator', one.network, one.subnet, one.name, one.nodeId],
    [
      ...timeFigures('vote', one.times),
      ...one.observers.flatMap(({ source, times, periodUptime, budget }): Figure[] => [
        ...timeFigures(source, times),
        [source, 'period_uptime', periodUptime, 'ratio'],
        [source, 'downtime_left', budget, 'seconds'],
      ]),
      ...one.outages.map(({ from, until }): Figure => [instant(from), 'outage', until - from, 'seconds']),
      ...(['stake', 'delegated'] as const).flatMap((name): Figure[] => {
        const { [name]: change } = one
        return [
          [instant(change?.first.time), `${name}_first`, change?.first.value, 'tokens'],
          [instant(change?.last.time), `${name}_last`, change?.last.value, 'tokens'],
        ]
      }),
      ['', 'delegators_first', delegators?.first.value, 'delegations'],
      ['', 'delegators_last', delegators?.last.value, 'delegations'],
      ['', 'delegation_fee', one.delegationFee, 'ratio'],
      ...one.periods.flatMap(({ start, end, ending = 'running', allowance, budget, reward }): Figure[] => {
        const detail = `${instant(start)}/${instant(end)}`
        return [
          [detail, 'period', ending, ''],
          [detail, 'period_downtime_allowed', allowance, 'seconds'],
          [detail, 'period_downtime_left', budget, 'seconds'],
          ...moneyFigures(detail, 'period_reward', reward),
        ]
      }),
      ...(['earned', 'lost', 'undecided'] as const).flatMap((what) =>
        rewards[what].flatMap((money) => moneyFigures('', `reward_${what}`, money)),
      ),
      ...moneyFigures('', 'reward_pending', rewards.pending),
      ...rewards.listed.flatMap(({ type, money }) => moneyFigures(type, 'reward_pending_listed', money)),
      ...one.turns.flatMap(({ chain, made, missed, unknown, since, gaps }): Figure[] => [
        [chain, 'turns_made', made, 'turns'],
        [chain, 'turns_missed', missed, 'turns'],
        [chain, 'turns_unknown', unknown, 'turns'],
        [chain, 'turns_since', instant(since), ''],
        [chain, 'turns_gaps', gaps, 'gaps'],
      ]),
    ],
  )
}

function l1Lines({ network, subnet, balances, price, liveness }: Report['l1s'][number]) {
  return [
    ...balances.flatMap(({ validator, first, last, paidIn, spent, active }) =>
      linesOf(
        ['l1_validator', network, subnet, validator.name, validator.nodeId],
        [
          ['', 'balance_first', first, 'tokens'],
          ['', 'balance_last', last, 'tokens'],
          ['', 'balance_paid_in', paidIn, 'tokens'],
          ['', 'balance_spent', spent, 'tokens'],
          ['', 'inactive_time', active.down, 'seconds'],
        ],
      ),
    ),
    ...linesOf(
      ['l1', network, subnet, subnet, ''],
      [
        ...(['first', 'last', 'lowest', 'highest', 'mean'] as const).map((name): Figure => {
          return [price?.method ?? '', `price_${name}`, price?.[name], 'tokens per second']
        }),
        ...liveness.flatMap(({ threshold, times, lowestMargin }): Figure[] => [
          ...timeFigures(threshold, times),
          [threshold, 'lowest_margin', lowestMargin, 'ratio'],
        ]),
      ],
    ),
  ]
}

function walletLines({ network, address, since, paid, pending, unpriced, gaps }: Report['wallets'][number]) {
  return linesOf(
    ['wallet', network, '', address, ''],
    [
      ['', 'paid_since', since === undefined ? undefined : instant(since), ''],
      ...paid.flatMap(({ type, tokens, values }): Figure[] => [
        [type, 'paid', tokens, 'tokens'],
        ...values.map(({ currency, amount }): Figure => [type, 'paid_value', amount, currency]),
      ]),
      ...pending.flatMap(({ type, money }) => moneyFigures(type, 'pending', money)),
      ['', 'unpriced', unpriced, 'rewards'],
      ['', 'gaps', gaps, 'gaps'],
    ],
  )
}

function upstreamLines({ network, source, times, requests }: Report['upstreams'][number]) {
  return linesOf(
    ['upstream', network, '', source, ''],
    [
      ...timeFigures('', times),
      ['', 'requests', requests?.sent, 'requests'],
      ['', 'requests_failed', requests?.failed, 'requests'],
      ['', 'requests_rate_limited', requests?.rateLimited, 'requests'],
    ],
  )
}

/**
 * Where a cell begins: some programs separate cells by other characters than commas, and then split this text. They skip what
 * is blank or a quote.
 */
const FORMULA = /(?<=^|[,;|])(?=[\s\p{Cf}"'`]*[=＝﹦+＋﹢\-－﹣−@＠﹫])/gu

/** Spreadsheets would evaluate a text that begins like a formula; after an apostrophe they do not. */
function cell(text: string): string {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return text
  const safe = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').replace(FORMULA, "'")
  return /[",;|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
