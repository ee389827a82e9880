// Amounts, months and durations as texts, and what becomes of names in each format.

import { describe, expect, test } from 'vitest'
import { decimalText, groupedTokens, tokens, tokenText } from '../../../src/commands/report/figures/values.ts'
import { CAUSES, summaries } from '../../../src/commands/report/figures/validators.ts'
import type { Report } from '../../../src/commands/report/figures/figures.ts'
import { csvOf } from '../../../src/commands/report/formats/csv.ts'
import { hoursText, markdownOf, section, sumOfMoney, totalText } from '../../../src/commands/report/formats/document.ts'
import { htmlOf } from '../../../src/commands/report/formats/html.ts'
import { documentOf, pagesSection } from '../../../src/commands/report/formats/sections.ts'
import { lastMonth, monthOf } from '../../../src/commands/report/month.ts'

const NOTHING = {
  isPartial: false,
  validators: [],
  l1s: [],
  wallets: [],
  pages: [],
  upstreams: [],
  missing: [],
  pagesUnobserved: 0,
}
const NO_TIME = { month: '1970-01', from: 0, until: 3_600, isComplete: false }

test.each([
  [0.1 + 0.2, '0.3', '0.3'],
  [1e-7, '0.0000001', '0.0000001'],
  [2000, '2000', '2,000'],
  [3_000_000.000000001, '3000000.000000001', '3,000,000.000000001'],
  [1_234_567.5, '1234567.5', '1,234,567.5'],
  [-0.000000001, '-0.000000001', '-0.000000001'],
  [0, '0', '0'],
  // A text of such a number has an exponent.
  [1e21, '1000000000000000000000', '1,000,000,000,000,000,000,000'],
])('the amount %d reads %s', (value, plain, grouped) => {
  expect([tokenText(tokens(value)), groupedTokens(tokens(value))]).toEqual([plain, grouped])
})

test.each([
  [1e-7, '0.0000001'],
  [5.12e-7, '0.000000512'],
  [1 / 3, '0.333333333333'],
  [0.1 + 0.2, '0.3'],
  [120_960, '120960'],
  [1e15, '1000000000000000'],
  [-14.4, '-14.4'],
  [0, '0'],
  [100, '100'],
])('the number %d reads %s', (value, text) => {
  expect(decimalText(value)).toBe(text)
})

test.each([
  [0, '0 min'],
  [59, '0 min'],
  [3_600, '1 h'],
  [98_000, '27 h 13 min'],
  [-51_840, '-14 h 24 min'],
])('%d s reads %s', (seconds, text) => {
  expect(hoursText(seconds)).toBe(text)
})

test('the sum of amounts has a value only if all have one', () => {
  const usd = (amount: number) => ({ tokens: 1n, value: { currency: 'usd', amount } })
  expect(sumOfMoney([usd(2), usd(3)])).toEqual({ tokens: 2n, value: { currency: 'usd', amount: 5 } })
  expect(sumOfMoney([usd(2), { tokens: 1n, value: undefined }])).toEqual({ tokens: 2n, value: undefined })
})

test.each([
  ['no period', [], 'none'],
  ['two that are known', [2, 3], '0.000000002 (5.00 USD)'],
  ['one of two that is not known', [2, undefined], '0.000000001 (2.00 USD) and 1 unknown'],
  ['one that is not known', [undefined], 'unknown'],
])('the rewards of %s', (_, amounts, text) => {
  const money = amounts.map((amount) =>
    amount === undefined ? undefined : { tokens: 1n, value: { currency: 'usd', amount } },
  )
  expect(totalText(money)).toBe(text)
})

test('without any alert in Prometheus, pages are unknown, and not none', () => {
  const pages = (some: Report['pages'], pagesUnobserved = 0) =>
    pagesSection({ ...NOTHING, ...NO_TIME, pages: some, pagesUnobserved }).notes
  expect(pages(undefined)).toEqual(['Unknown: Prometheus has no alerts of stakewatch.'])
  expect(pages([])).toEqual(['No alert paged.'])
  expect(pages([], 7_200)).toEqual([
    'No alert paged.',
    'For 2 h it is unknown what paged: Prometheus had not loaded the rules, or has no samples.',
  ])
})

describe('a month', () => {
  const seconds = (text: string) => Date.parse(text) / 1_000
  test.each([
    ['2026-10', '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'],
    ['2026-12', '2027-02-01T00:00:00Z', '2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2028-02', '2028-05-01T00:00:00Z', '2028-03-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    ['2026-10', '2026-10-24T13:59:59Z', '2026-11-01T00:00:00Z', '2026-10-24T13:00:00Z'],
  ])('%s, looked at on %s, ends %s and goes up to %s', (name, now, end, until) => {
    expect(monthOf(name, seconds(now))).toMatchObject({ end: seconds(end), until: seconds(until) })
  })

  test.each(['2026-09-30T23:59:59Z', '2026-10-01T00:59:59Z'])('that has no full hour at %s is refused', (now) => {
    expect(() => monthOf('2026-10', seconds(now))).toThrow(/--month=2026-10: this month has no full hour yet/)
  })

  test('by default is the last one that is over', () => {
    expect([lastMonth(seconds('2026-11-01T00:00:00Z')), lastMonth(seconds('2027-01-31T12:00:00Z'))]).toEqual([
      '2026-10',
      '2026-12',
    ])
  })
})

test('every alert that names a cause exists', () => {
  const named = [...CAUSES.ofNode, ...CAUSES.ofValidator]
  expect(named.filter((alert) => !summaries.has(alert))).toEqual([])
})

describe('a name that is markup', () => {
  const evil = '<img src=x onerror=alert(1)>|`a`[b](c)\n# d\u202e'
  const table = { caption: evil, head: [evil, evil], rows: [[evil, evil]] }
  const starts = [0, 86_400]
  const chart = { kind: 'lines', title: evil, unit: evil, starts, lines: [{ name: evil, values: [1, 2] }] } as const
  const document = {
    title: evil,
    about: [evil],
    sections: [section(evil, { notes: [evil], tables: [table], charts: [chart] })],
  }

  test('is text in HTML', () => {
    const html = htmlOf(document)
    expect(html).not.toContain('<img')
    expect(html).not.toMatch(/<script|\u202e/)
  })

  test('is text in Markdown, and ends no row of a table', () => {
    const markdown = markdownOf(document)
    expect(markdown).not.toMatch(/(?<!\\)<img|^# d/m)
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '))
    expect(rows.map((row) => row.match(/(?<!\\)\|/g)!.length)).toEqual([3, 3, 3])
  })
})

test('CSV has one line for each figure, quotes what has a comma, and no formula', () => {
  const pages = [{ alert: 'StakewatchDown', summary: '', pages: [{ from: 0, until: 60, about: '=HYPERLINK("x"),1' }] }]
  const report: Report = { ...NOTHING, ...NO_TIME, pages }
  expect(csvOf(report).split('\r\n')).toEqual([
    'kind,network,subnet,name,id,detail,figure,value,unit',
    `page,,,"'=HYPERLINK(""x""),1",,1970-01-01T00:00:00Z,StakewatchDown,60,seconds`,
    '',
  ])
})

// What an importing program takes for a formula: at the beginning of a cell, after what it skips there, or after another separator
// of cells than ours.
test.each([
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-5', '-5'],
  ['\uff1d1', "'\uff1d1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff201', "'\uff201"],
  ['\ufe661', "'\ufe661"],
  ['\u22121+1', "'\u22121+1"],
  ['  =1', "'  =1"],
  ['\u00a0\u3000=1', "'\u00a0\u3000=1"],
  ['\ufeff\u200b=1', "'\ufeff\u200b=1"],
  ['\t=1', "' =1"],
  ['\r\n=1', "'  =1"],
  ['\u2028=1', "' =1"],
  ['"=1', `"'""=1"`],
  ["'=1", "''=1"],
  ['a;=1', `"a;'=1"`],
  ['a; =1;b', `"a;' =1;b"`],
  ['a;b', '"a;b"'],
  ['a,=1', `"a,'=1"`],
  ['a|-1+1', `"a|'-1+1"`],
  ['a\t=1', 'a =1'],
  ['a-b', 'a-b'],
  ['a;;\uff1d1', `"a;;'\uff1d1"`],
])('of the text %j the CSV has %s', (about, expected) => {
  const pages = [{ alert: 'StakewatchDown', summary: '', pages: [{ from: 0, until: 60, about }] }]
  const [, line] = csvOf({ ...NOTHING, ...NO_TIME, pages } satisfies Report).split('\r\n')
  expect(line).toBe(`page,,,${expected},,1970-01-01T00:00:00Z,StakewatchDown,60,seconds`)
})

test('a month that is not over says so at its beginning', () => {
  const [from, until] = [Date.UTC(2026, 9, 1) / 1_000, Date.UTC(2026, 9, 24, 13) / 1_000]
  const { title, about } = documentOf({ month: '2026-10', from, until, isComplete: false, ...NOTHING })
  expect([title, ...about]).toEqual([
    'Validators in October 2026',
    'From 2026-10-01 00:00 UTC to 2026-10-24 13:00 UTC. All times are UTC.',
    'The month is not over: this report is about the time until now.',
  ])
})
