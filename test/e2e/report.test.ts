// report with a real Prometheus: every figure of a month that is written by hand is worked out by hand.

import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../src/commands/report/figures/figures.ts'
import { palettes } from '../../src/status/page/style.ts'
import { runCommand } from '../support/command.ts'
import { writeBlocks } from './support/blocks.ts'
import { CHROMIUM, isThere, startBrowser } from './support/browser.ts'
import { at, ids, october } from './support/october.ts'
import { type Prometheus, startPrometheus } from './support/prometheus.ts'
import { temporaryFolder } from './support/processes.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let prometheus: Prometheus
/** Its amounts are texts. */
let report: Report
let files: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = await temporaryFolder()
  const data = join(folder.path, 'data')
  await writeBlocks(data, october)
  prometheus = await startPrometheus({}, '{}', data)
  files = await written()
  report = JSON.parse(files['out/report-2025-10.json']!) as Report
})

afterAll(async () => {
  await prometheus?.end()
  await folder.remove()
})

async function written(more: readonly string[] = [], url = prometheus.url): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  const flags = [`--prometheus=${url}`, '--month=2025-10', '--output=out', ...more]
  const { code, stderr } = await runCommand(['report', ...flags], {
    readFile() {
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    },
    writeFile: (path, text) => (seen[path] = text),
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return seen
}

const validator = (name: string) => report.validators.find((one) => one.name === name)!
/** The month has 31 · 24 = 744 h. */
const hours = (up: number, down: number, unobserved: number, out = 0) =>
  Object.fromEntries(
    Object.entries({ up, down, unobserved, out }).map(([state, time]) => [state, Math.round(time * 3_600)]),
  )
const minute = 1 / 60
const usd = (tokens: string, amount: number) => ({ tokens, value: { currency: 'usd', amount } })

describe('uptime', () => {
  // Down by the vote: 5 October 2 h, 25 October half an hour. Never scraped: 3 h and 1 h. What one observer of three says on 8
  // and one of two on 12 October is no majority against it. 744 - 2.5 - 4 = 737.5.
  test('by the vote', () => {
    expect(validator('val-1').times).toEqual(hours(737.5, 2.5, 4))
  })

  test.each([
    // 2 h on 5, 10 min on 12, 30 min on 25 October.
    ['node-a', hours(744 - 4 - 160 * minute, 160 * minute, 4)],
    // 2 h on 5, 20 min on 8, 30 min on 25 October; on 12 October it did not report for 10 min.
    ['node-b', hours(744 - 4 - 180 * minute, 170 * minute, 4 + 10 * minute)],
    // 90 min on 5, 30 min on 25 October. It did not vote for 2 h on 28 October, and Prometheus shows the series that says so for
    // another five minutes after its last sample at 01:59:30, which covers the four minutes up to 02:04.
    ['public', hours(744 - 4 - 244 * minute, 2, 4 + 124 * minute)],
  ])('as %s saw it', (source, times) => {
    expect(validator('val-1').observers.find((one) => one.source === source)!.times).toEqual(times)
  })

  // Down for the 48 h of 6 and 7 October. Removed on 18 October: 14 days = 336 h, 1 h of them unscraped.
  test('of a validator that was removed: afterwards there was nothing to observe', () => {
    const times = hours(744 - 48 - 335 - 4, 48, 4, 335)
    expect(validator('val-2').times).toEqual(times)
    expect(validator('val-2').observers.map((one) => one.times)).toEqual([times, times])
  })

  test('in an L1', () => {
    expect(validator('val-l1').times).toEqual(hours(744 - 4 - 0.75, 0.75, 4))
  })

  test('by day adds up to the month', () => {
    const { days, times } = validator('val-1')
    expect(days.map(({ start }) => start)).toEqual(Array.from({ length: 31 }, (_, day) => at(day + 1)))
    expect(days.reduce((sum, day) => sum + day.times.down, 0)).toBe(times.down)
    // 15 October: 3 h unscraped.
    expect(days[14]!.times).toEqual(hours(21, 0, 3))
  })

  test('outages have the cause that an alert names, and say whether their end was seen', () => {
    const why = 'A node that is a tracked validator fails a health check, or no longer runs it (diskspace)'
    expect(validator('val-1').outages).toEqual([
      { from: at(5, 10), until: at(5, 12), isWhole: true, causes: [why] },
      { from: at(25, 20), until: at(25, 20, 30), isWhole: false, causes: [] },
    ])
  })
})

describe('stake and rewards', () => {
  test('stake and delegations at the start and the end', () => {
    const { stake, delegated, delegators, delegationFee } = validator('val-1')
    const between = (first: unknown, last: unknown) => ({
      first: { time: at(1), value: first },
      last: { time: at(32), value: last },
    })
    expect({ stake, delegated, delegators, delegationFee }).toEqual({
      stake: between('2000', '2012.345678901'),
      delegated: between('500', '750.5'),
      delegators: between(3, 4),
      delegationFee: 0.02,
    })
  })

  // Each period of 14 days allows 10 % of 1,209,600 s. Left is the median of the observers at the last full hour of each.
  test('periods that ended, and how', () => {
    expect(
      validator('val-1').periods.map(({ start, end, ending, budget }) => ({ start, end, ending, budget })),
    ).toEqual([
      { start: at(1) - 7 * 86_400, end: at(8), ending: 'compounded', budget: 119_000 },
      { start: at(8), end: at(22), ending: 'not_compounded', budget: 113_000 },
      { start: at(22), end: at(36), budget: 119_000 },
    ])
    expect(validator('val-1').periods.map(({ allowance }) => allowance)).toEqual([120_960, 120_960, 120_960])
    // 172,800 s down of 120,960 allowed ones.
    expect(validator('val-2').periods.at(-1)).toMatchObject({ ending: 'removed', budget: -51_840, state: 'lost' })
  })

  // 15.5 at 25 USD, and 15.6, 15.7 and 1.25 at 30 USD.
  test('rewards of a validator that renews itself', () => {
    expect(validator('val-1').rewards).toEqual({
      earned: [usd('15.5', 387.5), usd('15.6', 468)],
      lost: [],
      undecided: [],
      pending: usd('15.7', 471),
      listed: [
        { type: 'VALIDATOR', money: usd('15.7', 471) },
        { type: 'VALIDATOR_FEE', money: usd('1.25', 37.5) },
      ],
    })
  })

  // 8.25 at 25 USD on 4 October, 8.3 at 30 USD on 18 October.
  test('a lost reward', () => {
    expect(validator('val-2').rewards).toEqual({
      earned: [usd('8.25', 206.25)],
      lost: [usd('8.3', 249)],
      undecided: [],
      listed: [],
    })
  })

  // 15.5 + 8.25 + 1.000000001 + 15.6, each counted by two replicas, one of which begins late, and the other begins again;
  // 387.5 + 206.25 + 30 + 468 USD.
  test('rewards paid to a wallet, which both replicas count', () => {
    const values = [{ currency: 'usd', amount: 1_091.75 }]
    const paid = [{ type: 'VALIDATOR', tokens: '40.350000001', values }]
    // The history has no counter of gaps.
    const treasury = { network: 'mainnet', address: 'treasury', since: at(1) }
    expect(report.wallets).toEqual([{ ...treasury, paid, pending: [], unpriced: 1 }])
  })
})

// 31 times 40. Two replicas count the same, and one of them begins again.
test('turns to build blocks', () => {
  expect(validator('val-1').turns).toEqual([{ chain: 'c-chain', made: 1_240, missed: 2, since: at(1), gaps: 1 }])
  expect(validator('val-2').turns).toEqual([])
})

describe('an L1', () => {
  // 15 days at 0.000001 a second are 1.296. The last sample is of 31 October 23:55:30: 1,382,130 s at 0.000002 are 2.76426.
  test('what a validator paid', () => {
    expect(report.l1s[0]!.balances[0]).toMatchObject({
      first: '12.5',
      paidIn: '3',
      spent: '4.06026',
      last: '11.43974',
      isCounted: true,
      active: hours(740, 0, 4),
    })
  })

  // Hourly from 1 October 00:00 to 1 November 00:00 are 745 values. 361 are of the old price, 3 of which no scrape was in the hour
  // for: 358 · 1e-6 + 384 · 2e-6 = 1126e-6, divided by 742.
  test('its price, which changed', () => {
    const { mean, ...price } = report.l1s[0]!.price!
    expect(price).toMatchObject({ method: 'fee_state', first: 1e-6, last: 2e-6, lowest: 1e-6, highest: 2e-6 })
    expect(mean).toBeCloseTo(1126e-6 / 742, 15)
  })

  test('its liveness', () => {
    const times = hours(744 - 4 - 0.75, 0.75, 4)
    expect(report.l1s[0]!.liveness).toEqual([{ threshold: 'blocks', times, lowestMargin: -0.15 }])
  })
})

describe('what is around', () => {
  const page = (from: number, until: number, about: string) => ({ from, until, about })

  // From the first sample, which is half a minute after the alert began, to the last one, each by the end of its minute:
  // StakewatchDown has samples every five minutes from 00:05:30 to 05:55:30.
  test('pages by alert, without drills, the watchdog, warnings and what was pending', () => {
    expect(report.pages!.map(({ alert, pages }) => ({ alert, pages }))).toEqual([
      { alert: 'StakewatchDown', pages: [page(at(10, 0, 6), at(10, 5, 56), 'mainnet')] },
      {
        alert: 'StakewatchOwnNodeUnhealthy',
        pages: [page(at(5, 10, 3), at(5, 12, 10), 'mainnet / own-1 / diskspace')],
      },
      {
        alert: 'StakewatchValidatorDisconnected',
        pages: [
          page(at(5, 10, 6), at(5, 12, 10), 'mainnet / val-1'),
          page(at(25, 20, 6), at(25, 20, 30), 'mainnet / val-1'),
        ],
      },
    ])
  })

  // One request a minute in 44,640 minutes, and two operations with 6 failures each.
  test('upstreams, whose counters begin again', () => {
    expect(report.upstreams.map(({ source, times, requests }) => ({ source, times, requests }))).toEqual([
      { source: 'node-a', times: hours(740, 0, 4), requests: { sent: 44_640, failed: 0, rateLimited: 0 } },
      {
        source: 'node-b',
        times: hours(740 - 10 * minute, 10 * minute, 4),
        requests: { sent: 44_652, failed: 12, rateLimited: 3 },
      },
    ])
  })

  test('what no series answers is named', () => {
    expect(report.missing).toEqual([{ figure: 'uptime of the period', metric: 'stakewatch_validator_uptime_ratio' }])
  })

  test('no document names an instance or an address of a server', () => {
    const all = Object.values(files).join('')
    for (const hidden of ['10.0.0.', '127.0.0.1', ':19650', new URL(prometheus.url).port])
      expect(all).not.toContain(hidden)
  })
})

// Each hour has a value: that of 01:00 to 02:00 on 2 October is of what was there at 02:00.
describe('what went away within the hour', () => {
  const series = (name: string, labels: Record<string, string>, value: string, from: number, until: number) => ({
    name,
    labels: {
      network: 'mainnet',
      subnet: 'primary',
      node_id: ids['val-1'],
      validator: 'val-1',
      job: 'stakewatch',
      instance: '10.0.0.1:19650',
      ...labels,
    },
    samples: Array.from({ length: (until - from) / 60 }, (_, minute) => [from + minute * 60, value] as const),
  })
  const FEE = 'stakewatch_validator_delegation_fee_ratio'
  const TRACKED = 'stakewatch_validator_tracked'
  const [begin, change, hour] = [at(2), at(2, 1, 20), at(2, 2)]
  const old = { validator: 'old-name' }
  const gone = { instance: '10.0.0.2:19650' }

  test.each<[string, ReturnType<typeof series>[], string, number]>([
    [
      'an old name',
      [
        series(TRACKED, old, '1', begin, change),
        series(FEE, old, '0.27', begin, change),
        series(TRACKED, {}, '1', change, hour + 60),
        series(FEE, {}, '0.09', change, hour + 60),
      ],
      'val-1',
      0.09,
    ],
    [
      'a replica',
      [
        series(TRACKED, {}, '1', begin, hour + 60),
        series(FEE, gone, '0.27', begin, change),
        series(FEE, {}, '0.09', change, hour + 60),
      ],
      'val-1',
      0.09,
    ],
    [
      'all, and nothing came for it',
      [series(TRACKED, old, '1', begin, change), series(FEE, old, '0.27', begin, change)],
      'old-name',
      0.27,
    ],
  ])('%s', async (_, blocks, name, fee) => {
    const own = await temporaryFolder()
    await writeBlocks(join(own.path, 'data'), blocks)
    const server = await startPrometheus({}, '{}', join(own.path, 'data'))
    const { validators } = JSON.parse((await written([], server.url))['out/report-2025-10.json']!) as Report
    await server.end()
    await own.remove()
    expect(validators).toMatchObject([{ name, delegationFee: fee }])
  })
})

test('a report about one validator leaves out the others, wallets and upstreams', async () => {
  const { 'out/report-2025-10.json': json, ...others } = await written(['--validator=val-2'])
  const partial = JSON.parse(json!) as Report
  expect(partial).toMatchObject({ isPartial: true, wallets: [], upstreams: [], l1s: [], pages: [] })
  expect(partial.validators).toEqual([validator('val-2')])
  const text = Object.values(others).join('')
  for (const other of ['val-1', 'treasury', 'own-1', ids['val-1']]) expect(text).not.toContain(other)
  // A node id selects as well.
  expect((await written([`--validator=${ids['val-2']}`]))['out/report-2025-10.json']).toBe(json)
})

/** What an assistive program needs, and what is wider than the window though nothing around it scrolls. */
const FLAWS = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)]
  const ids = all('[id]').map(({ id }) => id)
  const named = all('[aria-labelledby]').filter((one) => !document.getElementById(one.getAttribute('aria-labelledby')))
  const levels = all('h1, h2, h3').map(({ tagName }) => Number(tagName[1]))
  return {
    headings: levels.filter((level, at) => at > 0 && level > levels[at - 1] + 1).length + Math.abs(all('h1').length - 1),
    tables: all('table').filter((one) => !one.caption || one.querySelector('th:not([scope])') || !one.tHead).length,
    charts: all('svg').filter((one) => one.getAttribute('role') !== 'img' || !one.querySelector('title')).length,
    ids: ids.length - new Set(ids).size + named.length,
    wide: all('body *').filter((one) => !one.closest('.scroll, .wide') && one.getBoundingClientRect().right > innerWidth).length,
    scripts: all('script, link, img, iframe').length,
  }
})()`
const NO_FLAWS = { headings: 0, tables: 0, charts: 0, ids: 0, wide: 0, scripts: 0 }

describe.skipIf(!isThere)(`the page${isThere ? '' : `, left out as there is no ${CHROMIUM}`}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(async () => browser?.close())

  test.each([
    ['light', 1_440],
    ['light', 412],
    ['dark', 1_440],
    ['dark', 412],
  ] as const)('%s, %d pixels wide', async (colorScheme, width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    await page.setContent(files['out/report-2025-10.html']!)
    expect(await page.evaluate(FLAWS)).toEqual(NO_FLAWS)
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--page')")).toBe(
      palettes[colorScheme].page,
    )
    await page.emulateMedia({ media: 'print', colorScheme })
    expect(await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--page')")).toBe(
      palettes.light.page,
    )
    expect(complaints).toEqual([])
    await page.close()
  })
})
