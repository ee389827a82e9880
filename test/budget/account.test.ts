import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import type { Records } from '../../src/lib/records.ts'
import { createAccount, type Kept, type Limits } from '../../src/budget/account.ts'
import type { Allotment } from '../../src/upstream/request-budget.ts'
import { secretUrl } from '../../src/lib/secret.ts'
import type { HttpAnswer } from '../../src/upstream/http.ts'
import { createSpending } from '../../src/budget/spending.ts'
import { createVirtualClock } from '../support/virtual-clock.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const UNLIMITED = { perMinute: Infinity, perDay: Infinity, burst: Infinity }

const status = (code: number, retryAfter?: string): HttpAnswer => ({
  status: code,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  text: '',
})

function opened(
  limits: Partial<Limits> = {},
  more: { isConfigured?: boolean; store?: Records; isService?: boolean; kept?: Kept } = {},
) {
  const clock = createVirtualClock()
  const all = { ...UNLIMITED, ...limits }
  const said: string[] = []
  const account = createAccount({
    clock,
    limits: all,
    isConfigured: more.isConfigured ?? true,
    spending: createSpending({ clock, limits: all, kept: more.store && { store: more.store, key: 'one' } }),
    isService: more.isService ?? true,
    refused: (reason) => said.push(reason),
    kept: (rank) => (rank === 'reserved' || !more.kept ? { round: 0, day: 0 } : more.kept),
  })
  const start = clock.now().steady
  const sent: [second: number, name: string][] = []
  const failed: [second: number, name: string, code: string, message: string][] = []
  const seconds = () => (clock.now().steady - start) / SECOND
  return {
    clock,
    account,
    sent,
    failed,
    said,
    /** A request that is answered at once, unless `end` says how it ends, and after how many seconds. */
    ask(
      name: string,
      units: number,
      how: { allotment?: Allotment; end?: HttpAnswer | BaseError; takes?: number; patience?: number } = {},
    ) {
      const signal = clock.deadline((how.patience ?? 86_400) * SECOND)
      account.pay({ units, allotment: how.allotment }, signal).then(
        (paid) => {
          sent.push([seconds(), name])
          const end = () => paid(how.end ?? status(200))
          if (how.takes === undefined) end()
          else clock.after(how.takes * SECOND, end)
        },
        ({ code, message }: BaseError) => failed.push([seconds(), name, code, message]),
      )
    },
  }
}

const allotment = (rank: Allotment['rank'] = 'other'): Allotment => ({
  rank,
  claims: new Map(),
})

describe('the budget of a minute', () => {
  test('holds in any minute: what comes too early waits until a minute after what was before it', async () => {
    const { ask, clock, sent } = opened({ perMinute: 100 })
    ask('a', 60)
    await clock.pass(30 * SECOND)
    ask('b', 40)
    ask('c', 60)
    ask('d', 40)
    await clock.pass(2 * MINUTE)
    expect(sent).toEqual([
      [0, 'a'],
      [30, 'b'],
      [60.1, 'c'],
      [90.1, 'd'],
    ])
  })

  test('counts a request until a minute after it has ended: who knows when the upstream saw it', async () => {
    const { ask, clock, sent } = opened({ perMinute: 100 })
    ask('slow', 100, { takes: 20 })
    ask('next', 1)
    await clock.pass(2 * MINUTE)
    expect(sent).toEqual([
      [0, 'slow'],
      [80.1, 'next'],
    ])
  })

  test('lets the essential go first, and the others in their order', async () => {
    const { ask, clock, sent } = opened({ perMinute: 10 })
    ask('first', 10)
    ask('other 1', 5, { allotment: allotment() })
    ask('other 2', 5, { allotment: allotment() })
    ask('essential 1', 5, { allotment: allotment('essential') })
    ask('essential 2', 5, { allotment: allotment('essential') })
    await clock.pass(3 * MINUTE)
    expect(sent.map(([, name]) => name)).toEqual(['first', 'essential 1', 'essential 2', 'other 1', 'other 2'])
  })

  test.each([
    ['waits until its run has to end', 10, 5, 30, [30, /the budget of 10 units a minute is used up/]],
    ['is refused at once when it never fits', 0, 11, 30, [0, /a request of 11 units is more than the whole budget/]],
  ] as const)('who finds no room %s', async (_, before, units, patience, [at, message]) => {
    const { ask, clock, failed } = opened({ perMinute: 10 })
    if (before > 0) ask('before', before)
    ask('late', units, { patience })
    await clock.pass(MINUTE)
    expect(failed).toEqual([[at, 'late', 'over_budget', expect.stringMatching(message)]])
  })

  test('of a plan holds for what is planned, and not for who asks once', async () => {
    const { ask, clock, sent } = opened({ perMinute: 10 }, { isConfigured: false })
    ask('planned', 10, { allotment: allotment() })
    ask('planned as well', 10, { allotment: allotment() })
    await clock.pass(SECOND)
    expect(sent.map(([, name]) => name)).toEqual(['planned'])
  })

  test('is not used by a request that never left the machine', async () => {
    const limits = { perMinute: 100, perDay: 24_000, burst: 1_000 }
    const { account, clock } = opened(limits)
    const signal = clock.deadline(HOUR)
    for (let one = 0; one < 1_000; one += 1) {
      const paid = await account.pay({ units: 10 }, signal)
      paid(new BaseError('network', 'the connection failed (ENOTFOUND)'), false)
    }
    expect([account.budget('minute'), account.budget('day')]).toEqual([
      { units: 100, remaining: 100 },
      { units: 24_000, remaining: 24_000 },
    ])
    const paid = await account.pay({ units: 10 }, signal)
    paid(new BaseError('network', 'the connection failed (ECONNRESET)'), true)
    expect(account.budget('day')).toEqual({ units: 24_000, remaining: 23_990 })
  })

  test('a request that finds no free connection until its run has to end says so, and not that the budget is used up', async () => {
    const { ask, clock, failed } = opened({ perMinute: 1_000 })
    for (let one = 0; one < 9; one += 1) ask(`${one}`, 1, { takes: 10, patience: 5 })
    await clock.pass(6 * SECOND)
    expect(failed).toEqual([[5, '8', 'busy', 'not asked: too many requests are in flight']])
  })

  test('at most eight requests are under way', async () => {
    const { ask, clock, sent } = opened()
    for (let one = 0; one < 20; one += 1) ask(`${one}`, 1, { takes: 10 })
    await clock.pass(SECOND)
    expect(sent).toHaveLength(8)
    await clock.pass(10 * SECOND)
    expect(sent).toHaveLength(16)
  })
})

describe('the budget of a day', () => {
  test('comes evenly: after what may be spent at once, as much as the rest of the day has', async () => {
    // 24,000 a day: 1,000 at once, and 23,000 over 86,400 s, which is 1 in 3.7565 s. The second 1,000 takes 3,756.5 s.
    const { ask, clock, sent } = opened({ perMinute: 10_000, perDay: 24_000, burst: 1_000 })
    for (let one = 0; one < 200; one += 1) ask(`${one}`, 10, { allotment: allotment() })
    await clock.pass(MINUTE)
    expect(sent.length).toBeGreaterThanOrEqual(100)
    expect(sent.length).toBeLessThan(103)
    await clock.pass(3_756 * SECOND)
    expect(sent.length).toBeGreaterThan(198)
  })

  test('holds in any day where it is too small to be spread', async () => {
    const { ask, clock, sent, failed } = opened({ perDay: 250, burst: 100 })
    for (let hour = 0; hour < 49; hour += 1) {
      ask(`${hour}`, 100)
      await clock.pass(HOUR)
    }
    // Two in each day; a request that would have to wait for hours is refused at once.
    expect(sent.map(([second]) => Math.round(second / 3_600))).toEqual([0, 1, 24, 25, 48])
    expect(failed[0]).toEqual([7_200, '2', 'over_budget', 'not asked: the budget of 250 units a day is used up'])
  })
})

describe('a part of the day is reserved', () => {
  /** Every minute three requests of 10, the reserved one last. */
  async function spend(limits: Partial<Limits>, kept: Kept, minutes: number) {
    const { ask, clock, sent } = opened({ perMinute: 1_000, ...limits }, { kept })
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const name of ['other', 'essential', 'reserved'] as const) {
        ask(name, 10, { allotment: allotment(name), patience: 50 })
      }
      await clock.pass(MINUTE)
    }
    return Object.groupBy(sent, ([, name]) => name)
  }

  test('of a day that is spent at once: the others leave it', async () => {
    // 240 a day, of which 180 are kept: after two rounds of 30 only the reserved ones go on, eighteen more times.
    const { reserved, essential, other } = await spend({ perDay: 240, burst: 240 }, { round: 10, day: 180 }, 60)
    expect([reserved!.length, essential!.length, other!.length]).toEqual([20, 2, 2])
  })

  test('of a day that comes evenly: what comes in goes to the reserved ones first', async () => {
    // 24,000 a day, 1,000 of them at once: 16 units a minute, of which the reserved ones need 10.
    const { reserved, essential, other } = await spend(
      { perDay: 24_000, burst: 1_000 },
      { round: 10, day: 14_400 },
      300,
    )
    // 1,000 + 300 x 15.97 units are 579 requests.
    expect(reserved).toHaveLength(300)
    expect(essential!.length + other!.length).toBeGreaterThan(270)
    expect(essential!.length + other!.length).toBeLessThan(281)
  })
})

describe('an upstream that limits the rate', () => {
  test.each<[string, number, string | undefined, number]>([
    ['seconds', 429, '30', 30],
    ['with a fraction', 429, '1.5', 1.5],
    ['of another status', 503, '30', 30],
    ['a date', 429, new Date(1_000_000_000_000 + 30_000).toUTCString(), 30],
    ['a date that is over', 429, new Date(999_999_990_000).toUTCString(), 0],
    ['negative', 429, '-5', 0],
    ['not a number', 429, 'NaN', 0],
    ['a word', 429, 'soon', 0],
    ['none', 429, undefined, 0],
    ['of a success', 200, '30', 0],
  ])('is left alone for what it asks: %s', async (_, code, retryAfter, until) => {
    const { ask, clock, sent } = opened()
    ask('limited', 1, { end: status(code, retryAfter) })
    await clock.pass(0)
    ask('next', 1)
    await clock.pass(2 * MINUTE)
    expect(sent[1]).toEqual([until, 'next'])
  })

  test.each([
    ['slow', 600_000],
    ['fast', -600_000],
  ])('is left alone until a date of its own clock, though ours is %s', async (_, ahead) => {
    const { ask, clock, sent } = opened()
    const inUpstreamTime = (after: number) => new Date(1_000_000_000_000 + ahead + after).toUTCString()
    const headers = { date: inUpstreamTime(0), 'retry-after': inUpstreamTime(30_000) }
    ask('limited', 1, { end: { status: 429, headers, text: '' } })
    await clock.pass(0)
    ask('next', 1)
    await clock.pass(2 * MINUTE)
    expect(sent[1]).toEqual([30, 'next'])
  })

  test.each([
    ['an hour', '3600'],
    ['a year', '31536000'],
    ['without end', '1e999'],
    ['a date far ahead', 'Wed, 21 Oct 2815 07:28:00 GMT'],
  ])('is not asked for an hour, and requests are refused at once meanwhile: %s', async (_, retryAfter) => {
    const { ask, clock, sent, failed } = opened()
    ask('limited', 1, { end: status(429, retryAfter) })
    for (let minute = 0; minute < 62; minute += 1) {
      await clock.pass(MINUTE)
      ask(`${minute + 1}`, 1, { patience: 54 })
    }
    await clock.pass(1)
    // 58 at once, and the one of minute 59 when its run has to end.
    expect(failed).toHaveLength(59)
    expect(failed[0]).toEqual([60, '1', 'paused', 'not asked: the upstream asked for a pause'])
    expect(sent[1]![0]).toBe(3_600)
  })

  test('gets half of the rate at each refusal of something sent since, and a tenth more each minute', async () => {
    const { ask, clock, account } = opened({ perMinute: 1_000 })
    // Three refusals of what was sent together are one.
    for (const name of ['a', 'b', 'c']) ask(name, 1, { end: status(429), takes: 1 })
    await clock.pass(SECOND)
    expect(account.allowed()).toBe(500)
    await clock.pass(SECOND)
    ask('d', 1, { end: status(429) })
    await clock.pass(0)
    expect(account.allowed()).toBeCloseTo(250 + (0.5 * (1_000 * 0.1)) / 60, 0)
    await clock.pass(2 * MINUTE)
    expect(account.allowed()).toBeCloseTo(450, -1)
    await clock.pass(10 * MINUTE)
    expect(account.allowed()).toBe(1_000)
  })
})

describe('an upstream that refuses who asks', () => {
  const code = (...[, , code]: [number, string, string, string]) => code

  test('is not asked for ten minutes, says so once, and then one request finds out', async () => {
    const { ask, clock, sent, failed, said, account } = opened()
    ask('refused', 1, { end: status(401) })
    await clock.pass(9 * MINUTE)
    ask('too early', 1)
    await clock.pass(MINUTE)
    ask('probe', 1, { end: status(401), takes: 1 })
    ask('next to it', 1)
    await clock.pass(MINUTE)
    expect(sent.map(([, name]) => name)).toEqual(['refused', 'probe'])
    expect(failed.map((one) => code(...one))).toEqual(['circuit_open', 'circuit_open'])
    expect([said, account.refusal()]).toEqual([['HTTP 401'], 'HTTP 401'])
    await clock.pass(10 * MINUTE)
    ask('let in', 1)
    await clock.pass(0)
    expect(account.refusal()).toBeUndefined()
    ask('as well', 1)
    await clock.pass(0)
    expect(sent.map(([, name]) => name).slice(2)).toEqual(['let in', 'as well'])
  })

  const proxied = { ...status(403), proxy: secretUrl('http://proxy') }
  const page = (code: number) => ({ ...status(code), text: '<!doctype html><title>Just a moment...</title>' })

  test.each<[string, readonly (number | HttpAnswer)[], boolean]>([
    ['401 after answers', [200, 401], true],
    ['403 at the first request', [403], true],
    ['403 for one operation of many', [200, 403, 200, 403, 200], false],
    ['403 for all', [200, 403, 403], true],
    ['403 for all, which may be of the proxy in between', [200, proxied, proxied], false],
    ['pages with 403, which are of something in front of it', [page(403), page(403)], false],
    ['pages with 401', [page(401), page(401)], false],
    ['a page that asks for credentials', [{ ...page(401), headers: { 'www-authenticate': 'Basic' } }], true],
  ])('%s', async (_, statuses, isRefused) => {
    const { ask, clock, account } = opened()
    for (const one of statuses) {
      ask('any', 1, { end: typeof one === 'number' ? status(one) : one })
      await clock.pass(0)
    }
    expect(account.refusal() !== undefined).toBe(isRefused)
  })

  test('a node has no key: a path that is closed to us closes no other', async () => {
    const { ask, clock, account } = opened({}, { isService: false })
    ask('admin', 1, { end: status(403) })
    await clock.pass(0)
    expect(account.refusal()).toBeUndefined()
  })

  test.each([
    ['a service that wants an hour gets it', true, '3600', 3_600],
    ['a service that wants a day gets an hour', true, '86400', 3_600],
    ['a node that wants an hour gets a minute', false, '3600', 60],
    ['a node that wants half a minute gets it', false, '30', 30],
  ])('%s', async (_, isService, retryAfter, seconds) => {
    for (const code of [429, 503]) {
      const { ask, clock, sent } = opened({}, { isService })
      ask('refused', 1, { end: status(code, retryAfter) })
      await clock.pass((seconds - 1) * SECOND)
      ask('next', 1)
      await clock.pass(2 * SECOND)
      expect(sent).toEqual([
        [0, 'refused'],
        [seconds, 'next'],
      ])
    }
  })

  test('a probe that got lost leaves its place to the next request', async () => {
    const { ask, clock, sent } = opened()
    ask('refused', 1, { end: status(401) })
    await clock.pass(10 * MINUTE)
    ask('lost', 1, { end: new BaseError('timeout', 'lost') })
    await clock.pass(0)
    ask('next', 1)
    await clock.pass(0)
    expect(sent.map(([, name]) => name)).toEqual(['refused', 'lost', 'next'])
  })
})

describe('runs', () => {
  const unstopped = new AbortController().signal

  test('begin when there is room for what they are likely to cost, the essential ones first', async () => {
    const { account, clock } = opened({ perMinute: 100 })
    const begun: [number, string][] = []
    const start = clock.now().steady
    const begin = async (name: string, units: number, rank?: Allotment['rank']) => {
      const own = allotment(rank)
      await account.begin(units, own, clock.now().steady + 10 * MINUTE, unstopped)
      begun.push([Math.round((clock.now().steady - start) / SECOND), name])
      for (let left = units; left > 0; left -= 10) {
        const paid = await account.pay({ units: 10, allotment: own }, clock.deadline(10 * MINUTE))
        paid(status(200))
      }
      account.end(own)
    }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void begin(name, 20)
    void begin('essential', 20, 'essential')
    void begin('reserved', 20, 'reserved')
    await clock.pass(5 * MINUTE)
    expect(begun).toEqual([
      [0, 'a'],
      [0, 'b'],
      [0, 'c'],
      [0, 'd'],
      [0, 'e'],
      [60, 'reserved'],
      [60, 'essential'],
      [60, 'f'],
    ])
  })

  test('begin when a connection is free for their first request: those that have begun end before', async () => {
    const { account, clock } = opened()
    const start = clock.now().steady
    const ended: number[] = []
    const run = async () => {
      const own = allotment()
      await account.begin(1, own, Infinity, unstopped)
      // The time of a run, which is enough for its two requests alone: each is answered after 3 s.
      const signal = clock.deadline(13 * SECOND)
      for (let left = 2; left > 0; left -= 1) {
        const paid = await account.pay({ units: 1, allotment: own }, signal)
        await new Promise<void>((resolve) => void clock.after(3 * SECOND, resolve))
        paid(status(200))
      }
      account.end(own)
      ended.push((clock.now().steady - start) / SECOND)
    }
    const runs = Promise.all(Array.from({ length: 100 }, run))
    // 200 requests, eight at a time: 25 rounds of 3 s, and one more where a run comes alone. None fails.
    await clock.pass(2 * MINUTE)
    await runs
    expect([75, 78]).toContain(ended.at(-1))
  })

  test('that ask nothing for a second keep no connection from the others', async () => {
    const { account, clock } = opened()
    const begun: string[] = []
    const begin = (name: string) => account.begin(1, allotment(), Infinity, unstopped).then(() => begun.push(name))
    for (let one = 0; one < 9; one += 1) void begin(`${one}`)
    await clock.pass(999)
    expect(begun).toHaveLength(8)
    await clock.pass(1)
    expect(begun).toHaveLength(9)
  })

  test('begin without room when they have waited for too long', async () => {
    const { account, clock, ask } = opened({ perMinute: 100 })
    let isBegun = false
    void account.begin(20, allotment(), clock.now().steady + 30 * SECOND, unstopped).then(() => (isBegun = true))
    ask('all of it', 100)
    await clock.pass(0)
    const second = allotment()
    void account.begin(20, second, clock.now().steady + 30 * SECOND, unstopped).then(() => (isBegun = true))
    await clock.pass(30 * SECOND)
    expect(isBegun).toBe(true)
  })

  test('that have begun keep their waiting requests in the line when their waiting time is up', async () => {
    const { account, clock } = opened({ perMinute: 100 })
    const begun: string[] = []
    const begin = (name: string, own: Allotment, wait: number) =>
      account.begin(100, own, clock.now().steady + wait, unstopped).then(() => begun.push(name))
    const first = allotment()
    for (const name of ['first', 'b', 'c', 'd']) void begin(name, name === 'first' ? first : allotment(), 30 * SECOND)
    void begin('waits', allotment(), 10 * MINUTE)
    await clock.pass(5 * MINUTE)
    expect(begun).toEqual(['first', 'b', 'c', 'd'])
    account.end(first)
    await clock.pass(0)
    expect(begun).toEqual(['first', 'b', 'c', 'd', 'waits'])
  })

  test('do not wait once they were stopped, or have waited for long enough for another account', async () => {
    const { account, clock, ask } = opened({ perMinute: 100 })
    ask('all of it', 100)
    await clock.pass(0)
    const begun: string[] = []
    const now = clock.now().steady
    void account.begin(20, allotment(), now + MINUTE, unstopped).then(() => begun.push('one that waits'))
    void account.begin(20, allotment(), now + MINUTE, AbortSignal.abort()).then(() => begun.push('stopped'))
    void account.begin(20, allotment(), now, unstopped).then(() => begun.push('has waited'))
    await clock.pass(0)
    expect(begun).toEqual(['stopped', 'has waited'])
  })
})

describe('what was spent', () => {
  /** A store that loses what was not saved, as a process that is killed does. */
  function createStore() {
    const saved = new Map<string, string>()
    let saves = 0
    return {
      saves: () => saves,
      store: {
        load: (key: string) => (saved.has(key) ? (JSON.parse(saved.get(key)!) as unknown) : undefined),
        async save(key: string, value: unknown) {
          saves += 1
          saved.set(key, JSON.stringify(value))
        },
      },
    }
  }

  test('is never forgotten, whenever the process is killed', async () => {
    for (let requests = 0; requests < 40; requests += 1) {
      const { store } = createStore()
      const before = opened({ perMinute: 100, perDay: 1_000, burst: 900 }, { store })
      for (let one = 0; one < requests; one += 1) before.ask(`${one}`, 10)
      await before.clock.pass(2 * SECOND)
      const spent = before.sent.length * 10
      const after = opened({ perMinute: 100, perDay: 1_000, burst: 900 }, { store })
      expect(after.account.budget('day')!.remaining).toBeLessThanOrEqual(1_000 - spent)
      expect(after.account.budget('minute')!.remaining).toBeLessThanOrEqual(100 - spent)
      // What was set aside is a quarter of a minute, or the request that asked for it beyond that.
      expect(after.account.budget('day')!.remaining).toBeGreaterThanOrEqual(1_000 - spent - 60)
    }
  })

  test('is written in blocks, and not at each request', async () => {
    const { store, saves } = createStore()
    const { ask, clock, sent } = opened({ perMinute: 1_000, perDay: 100_000, burst: 50_000 }, { store })
    for (let one = 0; one < 100; one += 1) ask(`${one}`, 10)
    await clock.pass(SECOND)
    expect(sent).toHaveLength(100)
    expect(saves()).toBeLessThanOrEqual(12)
  })

  test('is kept in memory when it cannot be written', async () => {
    const store: Records = { load: () => undefined, save: () => Promise.reject(new Error('full')) }
    const { ask, clock, sent } = opened({ perMinute: 100 }, { store })
    for (let one = 0; one < 12; one += 1) ask(`${one}`, 10)
    await clock.pass(SECOND)
    expect(sent).toHaveLength(10)
  })

  test.each([
    ['nothing', undefined],
    ['something else', 'abc'],
    ['of another form', { at: 1, day: 'x' }],
  ])('is unknown where the store has %s', async (_, value) => {
    const store: Records = { load: () => value, save: async () => {} }
    const { account } = opened({ perMinute: 100, perDay: 1_000 }, { store })
    expect([account.budget('minute'), account.budget('day')]).toEqual([
      { units: 100, remaining: 100 },
      { units: 1_000, remaining: 1_000 },
    ])
  })
})

describe('another budget', () => {
  test('that is smaller counts what was spent before', async () => {
    const { account, ask, clock, sent } = opened({ perMinute: 100 })
    ask('a', 60)
    await clock.pass(0)
    account.limit({ limits: { ...UNLIMITED, perMinute: 50 }, isConfigured: true })
    expect(account.budget('minute')).toEqual({ units: 50, remaining: 0 })
    ask('b', 10)
    await clock.pass(59 * SECOND)
    expect(sent.map(([, name]) => name)).toEqual(['a'])
    await clock.pass(2 * SECOND)
    expect(sent.map(([, name]) => name)).toEqual(['a', 'b'])
  })

  test('that is greater lets go who waits', async () => {
    const { account, ask, clock, sent } = opened({ perMinute: 100 })
    ask('a', 100)
    ask('b', 100)
    await clock.pass(0)
    account.limit({ limits: { ...UNLIMITED, perMinute: 200 }, isConfigured: true })
    await clock.pass(0)
    expect(sent).toEqual([
      [0, 'a'],
      [0, 'b'],
    ])
  })

  test('of a day keeps what may be spent at once, and a greater one adds the difference', async () => {
    const { account, ask, clock, sent } = opened({ perDay: 2_400, burst: 100 })
    ask('a', 100)
    await clock.pass(0)
    // The same again is nothing new.
    account.limit({ limits: { ...UNLIMITED, perDay: 2_400, burst: 100 }, isConfigured: true })
    account.limit({ limits: { ...UNLIMITED, perDay: 4_800, burst: 200 }, isConfigured: true })
    ask('b', 100)
    ask('c', 1)
    await clock.pass(0)
    expect(sent.map(([, name]) => name)).toEqual(['a', 'b'])
  })
})
