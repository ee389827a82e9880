// The report as CSV for spreadsheets: a line for each figure.

import type { Report } from '../figures/figures.ts'
import type { Money } from '../figures/values.ts'
import { states, type Times } from '../figures/timeline.ts'
import { decimalText, tokenText } from '../figures/tokens.ts'

const HEAD = ['kind', 'network', 'name', 'id', 'detail', 'figure', 'value', 'unit']

export function csvOf(report: Report): string {
  const lines = [
    ...report.validators.flatMap(validatorLines),
    ...report.l1s.flatMap(l1Lines),
    ...report.wallets.flatMap(walletLines),
    ...(report.pages ?? []).flatMap(({ alert, pages }) =>
      pages.flatMap(({ from, until, about }) =>
        linesOf(['page', '', about, ''], [[instant(from), alert, String(until - from), 'seconds']]),
      ),
    ),
    ...report.upstreams.flatMap(upstreamLines),
  ]
  return [HEAD, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

const instant = (time: number) => new Date(time * 1_000).toISOString().replace('.000', '')

type Figure = readonly [detail: string, figure: string, value: string | undefined, unit: string]

/** Lines of the known figures. */
const linesOf = (
  about: readonly [kind: string, network: string, name: string, id: string],
  figures: readonly Figure[],
): string[][] =>
  figures.flatMap(([detail, figure, value, unit]) =>
    value === undefined ? [] : [[...about, detail, figure, value, unit]],
  )

const timeFigures = (detail: string, times: Times): Figure[] =>
  states.map((state) => [detail, `${state}_time`, String(times[state]), 'seconds'])

const moneyFigures = (detail: string, figure: string, { tokens, value }: Money): Figure[] => [
  [detail, figure, tokenText(tokens), 'tokens'],
  ...(value ? [[detail, `${figure}_value`, decimalText(value.amount), value.currency] as const] : []),
]

const textOf = (value: number | undefined) => (value === undefined ? undefined : decimalText(value))

function validatorLines(one: Report['validators'][number]) {
  const { rewards } = one
  return linesOf(
    ['validator', one.network, one.name, one.nodeId],
    [
      ...timeFigures('vote', one.times),
      ...one.observers.flatMap(({ source, times, periodUptime, budget }): Figure[] => [
        ...timeFigures(source, times),
        [source, 'period_uptime', textOf(periodUptime), 'ratio'],
        [source, 'downtime_left', textOf(budget), 'seconds'],
      ]),
      ...one.outages.map(({ from, until }): Figure => [instant(from), 'outage', String(until - from), 'seconds']),
      ...(['stake', 'delegated'] as const).flatMap((name): Figure[] => {
        const { [name]: change } = one
        return change
          ? [
              [instant(change.first.time), `${name}_first`, tokenText(change.first.value), 'tokens'],
              [instant(change.last.time), `${name}_last`, tokenText(change.last.value), 'tokens'],
            ]
          : []
      }),
      ['', 'delegators_first', textOf(one.delegators?.first.value), 'delegations'],
      ['', 'delegators_last', textOf(one.delegators?.last.value), 'delegations'],
      ['', 'delegation_fee', textOf(one.delegationFee), 'ratio'],
      ...one.periods.flatMap(({ start, end, ending = 'running', allowance, budget, reward }): Figure[] => {
        const detail = `${start === undefined ? '' : instant(start)}/${end === undefined ? '' : instant(end)}`
        return [
          [detail, 'period', ending, ''],
          [detail, 'period_downtime_allowed', textOf(allowance), 'seconds'],
          [detail, 'period_downtime_left', textOf(budget), 'seconds'],
          ...(reward ? moneyFigures(detail, 'period_reward', reward) : []),
        ]
      }),
      ...(['earned', 'lost', 'undecided'] as const).flatMap((what) =>
        rewards[what].flatMap((money) => (money ? moneyFigures('', `reward_${what}`, money) : [])),
      ),
      ...(rewards.pending ? moneyFigures('', 'reward_pending', rewards.pending) : []),
      ...rewards.listed.flatMap(({ type, money }) => moneyFigures(type, 'reward_pending_listed', money)),
      ...one.turns.flatMap(({ chain, since, gaps, ...counts }): Figure[] => [
        ...(['made', 'missed', 'unknown'] as const).map((what): Figure => [
          chain,
          `turns_${what}`,
          textOf(counts[what]),
          'turns',
        ]),
        [chain, 'turns_since', instant(since), ''],
        [chain, 'turns_gaps', textOf(gaps), 'gaps'],
      ]),
    ],
  )
}

function l1Lines({ network, subnet, balances, price, liveness }: Report['l1s'][number]) {
  const prices = price
    ? (['first', 'last', 'lowest', 'highest', 'mean'] as const).map((name): Figure => [
        price.method,
        `price_${name}`,
        decimalText(price[name]),
        'tokens per second',
      ])
    : []
  return [
    ...balances.flatMap(({ validator, first, last, paidIn, spent, active }) =>
      linesOf(
        ['l1_validator', network, validator.name, validator.nodeId],
        [
          [subnet, 'balance_first', tokenText(first), 'tokens'],
          [subnet, 'balance_last', tokenText(last), 'tokens'],
          [subnet, 'balance_paid_in', tokenText(paidIn), 'tokens'],
          [subnet, 'balance_spent', tokenText(spent), 'tokens'],
          [subnet, 'inactive_time', String(active.down), 'seconds'],
        ],
      ),
    ),
    ...linesOf(
      ['l1', network, subnet, ''],
      [
        ...prices,
        ...liveness.flatMap(({ threshold, times, lowestMargin }): Figure[] => [
          ...timeFigures(threshold, times),
          [threshold, 'lowest_margin', decimalText(lowestMargin), 'ratio'],
        ]),
      ],
    ),
  ]
}

function walletLines({ network, address, paid, pending, unpriced, gaps }: Report['wallets'][number]) {
  return linesOf(
    ['wallet', network, address, ''],
    [
      ...paid.flatMap(({ type, tokens, values }): Figure[] => [
        [type, 'paid', tokenText(tokens), 'tokens'],
        ...values.map(({ currency, amount }): Figure => [type, 'paid_value', decimalText(amount), currency]),
      ]),
      ...pending.flatMap(({ type, money }) => moneyFigures(type, 'pending', money)),
      ['', 'unpriced', textOf(unpriced), 'rewards'],
      ['', 'gaps', String(gaps), 'gaps'],
    ],
  )
}

function upstreamLines({ network, source, times, requests }: Report['upstreams'][number]) {
  return linesOf(
    ['upstream', network, source, ''],
    [
      ...timeFigures('', times),
      ['', 'requests', textOf(requests?.sent), 'requests'],
      ['', 'requests_failed', textOf(requests?.failed), 'requests'],
      ['', 'requests_rate_limited', textOf(requests?.rateLimited), 'requests'],
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
