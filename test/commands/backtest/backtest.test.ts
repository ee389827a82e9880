// The command with a stand-in for Prometheus: what it refuses, what it says when the server fails, and what it asks.

import { describe, expect, test } from 'vitest'
import { inPackage, runCommand } from '../../support/command.ts'
import { bare } from '../../support/bare-server.ts'
import { closedPort } from '../../support/hostile-server.ts'

const success = (data: unknown, more = {}) => ({ body: JSON.stringify({ status: 'success', data, ...more }) })
const refusal = (error: string) => ({
  status: 422,
  body: JSON.stringify({ status: 'error', errorType: 'execution', error }),
})

interface Range {
  query: string
  start: number
  end: number
  step: number
}
const rangeOf = (body: string): Range => {
  const fields = Object.fromEntries(new URLSearchParams(body))
  return {
    query: fields['query']!,
    start: Number(fields['start']),
    end: Number(fields['end']),
    step: Number(fields['step']),
  }
}
const timesIn = ({ start, end, step }: Range) =>
  Array.from({ length: Math.round((end - start) / step) + 1 }, (_, at) => start + at * step)

/** A Prometheus in which stakewatch is up, and one wallet is low all the time. */
const answers = (range: Range) => {
  const series = (metric: object, value = '1') => [{ metric, values: timesIn(range).map((time) => [time, value]) }]
  if (range.query.startsWith('max(up{')) return series({})
  if (range.query !== 'stakewatch_address_balance_expectation_met{job="stakewatch"}') return []
  const target = { job: 'stakewatch', instance: 'a:19650' }
  return series({ ...target, network: 'fuji', address: 'vault', chain: 'P', expectation: 'min_balance' }, '0')
}

/** `answer` comes before the answers of that Prometheus. */
async function prometheus(
  answer: (path: string, range: Range) => { status?: number; body: string } | undefined = () => undefined,
) {
  return bare(({ url, body }) => {
    const range = rangeOf(body)
    const special = answer(url, range)
    if (special) return special
    if (url === '/api/v1/rules') return { status: 404, body: 'not found' }
    if (url === '/api/v1/query') return success({ resultType: 'vector', result: [] })
    return success({ resultType: 'matrix', result: answers(range) })
  })
}

const backtest = (url: string, ...flags: readonly string[]) =>
  runCommand(['backtest', `--prometheus=${url}`, '--since=2h', ...flags], inPackage)

test.each([
  [
    'a limit that does not exist',
    ['--limit=awayOfHours=0.2'],
    'There is no limit awayOfHours; did you mean awayOfHour?',
  ],
  ['a limit that is like none', ['--limit=x=1'], 'There is no limit x; docs/alerting.md lists them.'],
  ['what every object has', ['--limit=toString=1'], 'There is no limit toString'],
  ['a limit without a value', ['--limit=awayOfHour'], 'Expected a share between 0 and 1 for awayOfHour, which is 0.1.'],
  ['a share in percent', ['--limit=awayOfHour=20'], 'Expected a share between 0 and 1'],
  ['a share as a duration', ['--limit=awayOfHour=6m'], 'Expected a share between 0 and 1'],
  [
    'a time that is none',
    ['--limit=messagePending=soon'],
    'Expected seconds or a duration such as 2h for messagePending, which is 1800.',
  ],
  ['a negative number', ['--limit=restarts=-1'], 'Expected a number from 1 on for restarts, which is 3.'],
  [
    'an alert that does not exist',
    ['--alert=StakewatchWaletLow'],
    'There is no alert StakewatchWaletLow; did you mean StakewatchWalletLow?',
  ],
  [
    'the watchdog, which proves that alerts arrive',
    ['--alert=StakewatchWatchdog'],
    'There is no alert StakewatchWatchdog',
  ],
  ['a past that is none', ['--since=yesterday'], 'Expected a duration from 1m to 3650d, such as 30d.'],
  ['a past before all clocks', ['--since=99999999d'], 'Expected a duration from 1m to 3650d, such as 30d.'],
  ['a job with a quotation mark', ['--job=stake"watch'], 'Expected the job_name of a scrape configuration'],
])('%s is refused', async (_, flags, advice) => {
  const { code, stderr } = await backtest('http://127.0.0.1:1', ...flags)
  expect(code).toBe(1)
  expect(stderr).toContain(advice)
})

test('without Prometheus there is no history', async () => {
  const { code, stderr } = await runCommand(['backtest'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '--prometheus=<url> is missing: it has the history' })
})

test('an alert whose condition was always true fires after its `for`, in the window and before', async () => {
  const { url, asked } = await prometheus()
  const { code, stdout } = await backtest(url, '--json')
  expect(code).toBe(0)
  const {
    alerts,
    interval_seconds: interval,
    without_data: gaps,
  } = JSON.parse(stdout) as {
    alerts: { alert: string; would_fire: object; did_fire: null }[]
    interval_seconds: number
    without_data: unknown[]
  }
  expect({ interval, gaps }).toEqual({ interval: 60, gaps: [] })
  expect(alerts).toMatchObject([
    {
      alert: 'StakewatchWalletLow',
      severity: 'critical',
      would_fire: { times: 1, total_seconds: 7_200, pages: 0 },
      did_fire: null,
    },
  ])
  // The time before decides what ranges and `for` say at the beginning.
  const first = rangeOf(asked.find(({ url: path }) => path === '/api/v1/query_range')!.body)
  expect((first.end - first.start) / 3_600).toBeGreaterThan(26)
})

test('a time that is shorter than from one evaluation to the next is judged by one evaluation', async () => {
  const group = { name: 'stakewatch-wallets', interval: 300, rules: [] }
  const { url } = await prometheus((path) => (path === '/api/v1/rules' ? success({ groups: [group] }) : undefined))
  const { stdout } = await backtest(url, '--since=1m', '--json')
  const { alerts } = JSON.parse(stdout) as { alerts: object[] }
  expect(alerts).toMatchObject([{ alert: 'StakewatchWalletLow', would_fire: { times: 1, total_seconds: 300 } }])
})

test.each<[what: string, isRefused: (range: Range) => boolean, words: string]>([
  [
    'too many points',
    (range) => timesIn(range).length > 300,
    'exceeded maximum resolution of 11,000 points per timeseries.',
  ],
  [
    'too many samples',
    (range) => range.query.includes('balance_expectation_met') && timesIn(range).length > 500,
    'query processing would load too many samples into memory in query execution',
  ],
])('a server that refuses %s is asked for less', async (_, isRefused, words) => {
  const { url } = await prometheus((path, range) =>
    path === '/api/v1/query_range' && isRefused(range) ? refusal(words) : undefined,
  )
  const { code, stdout } = await backtest(url, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    alerts: [{ alert: 'StakewatchWalletLow', would_fire: { total_seconds: 7_200 } }],
  })
})

const NOTHING = { resultType: 'matrix', result: [] }
const jobs = (...names: readonly string[]) =>
  success({ resultType: 'vector', result: names.map((job) => ({ metric: { job }, value: [1, '1'] })) })

describe('it says what is wrong', () => {
  const toRange = (answer: ReturnType<typeof success>) => (path: string) =>
    path === '/api/v1/query_range' ? answer : undefined
  const renamed = (path: string) => (path === '/api/v1/query' ? jobs('watch', 'eyes') : toRange(success(NOTHING))(path))
  const inPart = toRange(success(NOTHING, { warnings: ['store gateway is down'] }))
  const NO_SERIES = 'has no series of the job stakewatch in the last 2h'
  test.each<[what: string, code: number, words: string | RegExp, answer: Parameters<typeof prometheus>[0]]>([
    ['no series of stakewatch at all', 4, `${NO_SERIES}: is stakewatch scraped there?`, toRange(success(NOTHING))],
    ['the job has another name', 4, `${NO_SERIES}: give --job=eyes or --job=watch`, renamed],
    ['a partial answer', 6, /answers in part only: store gateway is down$/, inPart],
    ['it refuses whatever is asked', 4, /refuses \/api\/v1\/query_range: not today$/, toRange(refusal('not today'))],
    ['a wrong password', 5, /HTTP 401: give --prometheus.user/, () => ({ status: 401, body: 'no' })],
    ['another program', 6, /does not answer like Prometheus: is this its URL\?$/, () => ({ body: '<html>' })],
  ])('%s', async (_, code, words, answer) => {
    const { url } = await prometheus(answer)
    const seen = await backtest(url)
    expect({ code: seen.code, stdout: seen.stdout }).toEqual({ code, stdout: '' })
    expect(seen.stderr).toMatch(words)
  })

  test('no server', async () => {
    const { code, stderr } = await backtest(await closedPort())
    expect(code).toBe(8)
    expect(stderr).toMatch(/^127\.0\.0\.1:\d+: the connection failed/)
  })
})

test('it shows on the terminal how far it is, and clears the line', async () => {
  const { url } = await prometheus()
  const { progress } = await backtest(url)
  expect(progress.length).toBeGreaterThan(100)
  expect(progress.at(-2)).toMatch(/^\[#{30}\] 100 % {2}of 2h$/)
  expect(progress.at(-1)).toBe('')
})

/** A Prometheus that says that it evaluates the rules so often. */
const evaluating = (interval: string) => {
  const groups = `{"groups":[{"name":"stakewatch-nodes","file":"a","interval":${interval},"rules":[]}]}`
  return prometheus((path) =>
    path === '/api/v1/rules' ? { body: `{"status":"success","data":${groups}}` } : undefined,
  )
}

test.each([
  ['0.01', '2h', 'set a longer interval of their group'],
  // 27 hours before the beginning are 4,860,000 evaluations, and 2 hours are 360,000.
  ['0.02', '2h', 'give a shorter time'],
  ['15', '900d', 'give a shorter time'],
])(
  'more evaluations than can be read are refused before any is asked for: every %s s for %s',
  async (every, since, advice) => {
    const { url, asked } = await evaluating(every)
    const { code, stderr } = await backtest(url, `--since=${since}`)
    const { host } = new URL(url)
    expect([code, stderr]).toEqual([1, `--since=${since}: ${host} evaluates the rules every ${every} s: ${advice}`])
    expect(asked).toHaveLength(1)
  },
)

test.each(['0', '1e-9', '1e308', '-60', '"1m"'])('an interval that is none is taken for a minute: %s', async (text) => {
  const { url } = await evaluating(text)
  const { stdout } = await backtest(url, '--since=1m', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ interval_seconds: 60 })
})
