// The figures of an L1 for people.

import type { L1Report } from '../figures/l1s.ts'
import { decimalText, groupedTokens, tokensAsNumber } from '../figures/values.ts'
import { DAY } from '../month.ts'
import { type Chart, filled, type Line, type Section, section, type Table } from './document.ts'
import { hoursText, momentText, orUnknown, unobservedText } from './words.ts'
import { uptimeText } from './validator-section.ts'

/** Lines that a chart can show. */
const MOST_LINES = 4

export function l1Section(one: L1Report): Section {
  const { network, subnet, balances, price, liveness } = one
  const isEstimated = balances.some(({ isCounted }) => !isCounted)
  return section(`L1 ${subnet}`, {
    notes: [
      `On ${network}.`,
      ...(isEstimated ? ['Payments into a balance are its rises: no metric counts them here.'] : []),
    ],
    charts: chartsOf(one),
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

function chartsOf({ subnet, balances, price }: L1Report): Chart[] {
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
