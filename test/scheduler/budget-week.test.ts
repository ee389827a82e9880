// A week of a plan with every kind of outage: a witness that counts what reaches the upstreams never counts more than the
// budget, in any minute and on any day.

import { expect, onTestFinished, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { costOf } from '../../src/budget/cost.ts'
import type { Task } from '../../src/scheduler/plan.ts'
import { createHttp, type Http, type HttpAnswer, type HttpRequest } from '../../src/upstream/http.ts'
import { createPolling, mostIn, unitsOf } from '../support/budgets.ts'
import { closedPort, createHostileServer } from '../support/hostile-server.ts'
import { createVirtualClock, turn, type VirtualClock } from '../support/virtual-clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const URLS = { data: 'http://data.example', node: 'http://node.example' }

type Outcome = { status: number; retryAfter?: string } | 'reset' | 'hang' | 'pages'

/** Of each hour, in turn; in between all is well. */
const weather: readonly Outcome[] = [
  { status: 500 },
  'reset',
  'hang',
  'pages',
  { status: 429 },
  { status: 429, retryAfter: '30' },
  { status: 429, retryAfter: '3600' },
  { status: 429, retryAfter: '-5' },
  { status: 429, retryAfter: 'soon' },
  { status: 429, retryAfter: '1e999' },
  { status: 429, retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' },
  { status: 503, retryAfter: '0' },
  { status: 502 },
  { status: 401 },
  { status: 403 },
]

interface Seen {
  at: number
  units: number
  origin: string
}

/** Retries as the real one does: three attempts in all, when an outcome is worth another. */
function createWeather(clock: VirtualClock) {
  const start = clock.now().steady
  const seen: Seen[] = []
  let number = 0

  function now(): Outcome {
    const hour = Math.floor((clock.now().steady - start) / HOUR)
    return hour % 3 === 2 ? weather[Math.floor(hour / 3) % weather.length]! : { status: 200 }
  }

  function body(url: URL, { body: asked = '{}' }: HttpRequest): string {
    number += 1
    if (url.pathname === '/ext/bc/P') {
      const { id } = JSON.parse(asked) as { id: number }
      return JSON.stringify({ jsonrpc: '2.0', id, result: { supply: '1' } })
    }
    if (url.pathname.includes('rewards')) return '{"pendingRewards":[]}'
    // Two pages, or no end, full or empty.
    const isLast = now() !== 'pages' && url.searchParams.has('pageToken')
    const more = url.pathname.includes('networks') && !isLast ? `,"nextPageToken":"${number}"` : ''
    return `{"blocks":[]${more}}`
  }

  const pause = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve))

  async function attempt(request: HttpRequest): Promise<HttpAnswer | BaseError> {
    const url = new URL(request.url)
    // On the way for a while, and then for a while until the answer is there.
    await pause((number * 37) % 300)
    seen.push({ at: clock.now().steady, units: unitsOf(url.pathname), origin: url.origin })
    const outcome = now()
    if (outcome === 'hang') {
      await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()))
      return new BaseError('timeout', 'no answer')
    }
    await pause((number * 53) % 900)
    if (outcome === 'reset') return new BaseError('network', 'reset')
    const { status = 200, retryAfter } = outcome === 'pages' ? {} : outcome
    if (status !== 200) return { status, headers: { 'retry-after': retryAfter }, text: 'no' }
    return { status, headers: {}, text: body(url, request) }
  }

  const http: Http = {
    async send(request) {
      for (let tried = 1; ; tried += 1) {
        const outcome = await attempt(request)
        request.attempts!.ended(outcome, true)
        const isWorthIt =
          outcome instanceof BaseError ? outcome.code === 'network' : [429, 500, 502, 503].includes(outcome.status)
        if (isWorthIt && tried < 3 && request.attempts!.mayRetry()) continue
        if (outcome instanceof BaseError) throw outcome
        return outcome
      }
    },
    close: async () => {},
  }
  return { http, seen }
}

/** What the upstreams saw, against a budget, or against what `check` prints and a fifth more. */
function expectWithin(
  budget: { perMinute: number; perDay: number } | undefined,
  tasks: readonly Task[],
  origins: { data: string; node: string },
  seen: readonly Seen[],
) {
  const printed = costOf(tasks)
  for (const [name, origin] of Object.entries(origins)) {
    const costs = printed.filter(({ upstream }) => upstream.includes(name))
    const sum = (of: 'perMinute' | 'perDay' | 'atOnce') => costs.reduce((all, cost) => all + cost[of], 0)
    // In the minute of a start every task runs once, in addition to what the minute takes.
    const planned = { perMinute: 1.2 * (sum('perMinute') + sum('atOnce')), perDay: 1.2 * sum('perDay') }
    const limit = name === 'data' && budget ? budget : planned
    const own = seen.filter((one) => one.origin === origin)
    expect(mostIn(MINUTE, own)).toBeLessThanOrEqual(limit.perMinute)
    expect(mostIn(DAY, own)).toBeLessThanOrEqual(limit.perDay)
  }
}

test.each<[string, string, { perMinute: number; perDay: number } | undefined]>([
  ['without a configured budget', '', undefined],
  ['with a configured one', ', budget: { per_minute: 150, per_day: 60000 }', { perMinute: 150, perDay: 60_000 }],
  ['with one that is too small', ', budget: { per_minute: 120, per_day: 20000 }', { perMinute: 120, perDay: 20_000 }],
])('a week of outages stays within the budget %s', async (_, given, budget) => {
  const clock = createVirtualClock(turn)
  const { http, seen } = createWeather(clock)
  const { poll, tasks, reports, results, intervals } = createPolling(clock, http, URLS, given)
  // The hour after the week is a good one.
  await poll(7 * DAY + HOUR - 1)

  expectWithin(budget, tasks, URLS, seen)
  // Everything that came was counted as sent.
  expect(reports.reduce((all, { sent }) => all + sent.length, 0)).toBe(seen.length)
  // Two hours of three are good ones, with 12 runs each: alerts that page have their values then.
  expect(results.get('heads/fuji/all success')).toBeGreaterThan(0.9 * 112 * 12)
  // 20,000 a day are 833 at once and 13.31 a minute. The heads need 4 of them; blocks and rewards need 16 and 6.67, and
  // get 9.31: 2.435 times less often than every five minutes.
  const isSmall = budget?.perDay === 20_000
  expect(intervals.get('blocks/fuji/all')! / 1_000).toBeCloseTo(isSmall ? 300 * 2.435 : 300, -1)
  expect(intervals.get('heads/fuji/all')).toBe(300_000)
})

test('hours of it over real connections', async () => {
  const requests = { underWay: 0, hanging: 0 }
  const settled = async () => {
    do await turn()
    while (requests.underWay > requests.hanging)
  }
  const clock = createVirtualClock(settled)
  const start = clock.now().steady
  const seen: Seen[] = []
  let origin = ''
  const outcomes: readonly Outcome[] = [{ status: 200 }, { status: 500 }, 'reset', 'hang', 'pages', { status: 429 }]
  const server = await createHostileServer((response, { url }, number) => {
    seen.push({ at: clock.now().steady, units: unitsOf(url), origin })
    const outcome = outcomes[Math.floor((clock.now().steady - start) / (30 * MINUTE)) % outcomes.length]!
    if (outcome === 'reset') return response.socket?.resetAndDestroy()
    if (outcome === 'hang') {
      requests.hanging += 1
      response.on('close', () => (requests.hanging -= 1))
      return undefined
    }
    const { status } = outcome === 'pages' ? { status: 200 } : outcome
    const more = url.includes('/v1/networks/') && outcome === 'pages' ? `,"nextPageToken":"${number}"` : ''
    const body = url.includes('rewards') ? '{"pendingRewards":[]}' : `{"blocks":[]${more}}`
    return response.writeHead(status, { 'retry-after': '-1' }).end(body)
  })
  origin = server.url
  const real = createHttp({ userAgent: 'stakewatch/test', random: () => 0, now: Date.now })
  onTestFinished(() => real.close())
  const http: Http = {
    async send(request) {
      requests.underWay += 1
      return real.send(request).finally(() => (requests.underWay -= 1))
    },
    close: () => real.close(),
  }
  const urls = { data: server.url, node: await closedPort() }
  const { poll, tasks, reports } = createPolling(clock, http, urls)
  await poll(3 * HOUR)
  const own = reports.filter(({ source }) => source.service === 'data')
  expectWithin(undefined, tasks, urls, seen)
  expect(own.reduce((all, { sent }) => all + sent.length, 0)).toBe(seen.length)
  expect(seen.length).toBeGreaterThan(200)
})
