// report with servers that answer in part, too much, never, or not at all: an error says so, and no file is written.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCommand } from '../../support/command.ts'
import { type Behaviour, createHostileServer } from '../../support/hostile-server.ts'

const VALIDATOR = {
  network: 'fuji',
  subnet: 'primary',
  node_id: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
  validator: 'val-1',
}
/** October 2025. */
const [START, END] = [1_759_276_800, 1_761_955_200]
const DAY = 86_400

// The second day: a thirtieth of the questions of a whole month.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000 * (START + DAY) }))
afterEach(() => void vi.useRealTimers())

const matrix = (...result: unknown[]) => JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } })

interface Range {
  query: string
  start: number
  end: number
  step: number
}
const rangeOf = (body: string): Range => {
  const fields = new URLSearchParams(body)
  const number = (name: string) => Number(fields.get(name))
  return { query: fields.get('query')!, start: number('start'), end: number('end'), step: number('step') }
}

const isTracked = ({ query }: Range) => query.includes('stakewatch_validator_tracked')

/** At every step the validator is tracked, and other metrics have `value`. */
function valuesOf(range: Range, value: string) {
  const { start, end, step } = range
  const everywhere = isTracked(range) ? '1' : value
  return Array.from({ length: Math.round((end - start) / step) + 1 }, (_, at) => [start + at * step, everywhere])
}

/** Prometheus with one validator, which has `value` of this metric. */
const answered = (range: Range, metric: string, value: string) => {
  if (!isTracked(range) && !range.query.includes(metric)) return matrix()
  return matrix({ metric: { ...VALIDATOR, source: 'node-a' }, values: valuesOf(range, value) })
}

const healthy: Behaviour = (response, { body }) =>
  response.end(answered(rangeOf(body), 'stakewatch_validator_connected{', '1'))

async function report(behave: Behaviour, flags: readonly string[] = [], present: readonly string[] = []) {
  const { url, received } = await createHostileServer(behave)
  const files: Record<string, string> = {}
  const args = ['report', `--prometheus=${url}`, '--month=2025-10', '--output=out', ...flags]
  const { code, stdout, stderr } = await runCommand(args, {
    readFile(path) {
      if (present.includes(path)) return ''
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
    },
    writeFile: (path, text) => (files[path] = text),
  })
  return { code, stdout, stderr: stderr.replaceAll(new URL(url).host, 'HOST'), files, received }
}

const names = ['md', 'html', 'csv', 'json'].map((format) => `out/report-2025-10.${format}`)

test('four documents are written, and exactly the month was asked for', async () => {
  vi.setSystemTime(1_000 * (END + DAY))
  const { code, stdout, files, received } = await report(healthy)
  expect({ code, stdout, files: Object.keys(files) }).toEqual({
    code: 0,
    stdout: names.map((name) => `${name}: written\n`).join(''),
    files: names,
  })
  const connected = received
    .map(({ body }) => rangeOf(body))
    .filter(({ query }) => query.includes('stakewatch_validator_connected{'))
  // Five minutes before and after, in which a short gap may begin or end.
  expect([connected[0]!.start, connected.at(-1)!.end]).toEqual([START - 300, END + 300])
  for (const { start, end, step } of connected) expect((end - start) / step).toBeLessThan(11_000)
  const { validators } = JSON.parse(files['out/report-2025-10.json']!) as { validators: { times: unknown }[] }
  expect(validators[0]!.times).toEqual({ up: 31 * DAY, down: 0, out: 0, unobserved: 0 })
  // Thanos is asked not to answer in part, and only for the validators of the report.
  for (const { body } of received) expect(new URLSearchParams(body).get('partial_response')).toBe('false')
  expect(connected[0]!.query).toContain(`{node_id=~"${VALIDATOR.node_id}"}`)
  // A replica that does not reach a node withdraws the vote of that node from its own opinions alone.
  expect(connected[0]!.query).toContain('unless on (job, instance, network, source) stakewatch_node_votes == 0')
})

const isLate = (body: string) => body.includes('stakewatch_upstream_requests_total')
/** Healthy up to one of the last questions. */
const lately =
  (behave: Behaviour): Behaviour =>
  (response, request, number) =>
    (isLate(request.body) ? behave : healthy)(response, request, number)
const warned = (warning?: string, more = {}) => {
  const data = { resultType: 'matrix', result: [] }
  const said = { status: 'success', data, warnings: warning === undefined ? [] : [warning], ...more }
  return lately((response) => response.end(JSON.stringify(said)))
}
const refused = JSON.stringify({ status: 'error', error: 'query processing would load too many samples' })
const half = '{"status":"success","data":{"resultType":"matrix","result":[{"metric"'
const broken = lately((response) => {
  response.writeHead(200, { 'content-length': 1_000 }).write(half, () => response.destroy())
})
const IN_PART = 'HOST answers in part only:'
const NO_PROMETHEUS = 'HOST does not answer like Prometheus: is this its URL?'

test.each<[what: string, code: number, said: string, behave: Behaviour, flags?: string[]]>([
  [
    'a store of Thanos is away',
    6,
    `${IN_PART} No StoreAPIs matched for this query`,
    warned('No StoreAPIs matched for this query'),
  ],
  [
    'a part of VictoriaMetrics is away',
    6,
    `${IN_PART} a part of its storage does not answer`,
    warned(undefined, { isPartial: true }),
  ],
  ['the list was cut', 6, `${IN_PART} results truncated due to limit`, warned('results truncated due to limit')],
  ['the answer broke off', 8, 'HOST: the connection failed (UND_ERR_SOCKET)', broken],
  ['the answer is half of one', 6, NO_PROMETHEUS, lately((response) => response.end(half))],
  [
    'the query is refused',
    4,
    'HOST refuses /api/v1/query_range: query processing would load too many samples',
    lately((response) => response.writeHead(422).end(refused)),
  ],
  ['the server hangs', 7, 'HOST: no complete answer before the deadline', lately(() => {}), ['--timeout=1s']],
  ['no Prometheus', 6, NO_PROMETHEUS, (response) => response.end('<html>')],
  ['a password', 5, 'HOST answers with HTTP 401: give --prometheus.user', (response) => response.writeHead(401).end()],
  [
    'it has nothing of that month',
    4,
    'HOST has no validator of stakewatch in 2025-10: does it keep samples for that long, and does it scrape stakewatch?',
    (response) => response.end(matrix()),
  ],
])('%s', async (_, code, said, behave, flags = []) => {
  const { files, ...seen } = await report(behave, flags)
  expect(seen).toMatchObject({ code, stdout: '' })
  expect(seen.stderr).toContain(said)
  expect(files).toEqual({})
})

test('an answer that is too large is asked for in halves', async () => {
  const sizes: number[] = []
  const { code, files } = await report((response, { body }) => {
    const range = rangeOf(body)
    const isLarge = range.query.includes('stakewatch_validator_connected{') && range.end - range.start > 12 * 3_600
    if (range.query.includes('stakewatch_validator_connected{')) sizes.push(range.end - range.start)
    // More values than fit into the bounds of answers.
    if (isLarge) response.end(`[${'1,'.repeat(2_900_000)}1]`)
    else response.end(answered(range, 'stakewatch_validator_connected{', '1'))
  })
  expect(code).toBe(0)
  expect(Math.min(...sizes)).toBeLessThan(Math.max(...sizes) / 2 + 60)
  const { validators } = JSON.parse(files['out/report-2025-10.json']!) as { validators: { times: unknown }[] }
  expect(validators[0]!.times).toMatchObject({ up: DAY, unobserved: 0 })
})

test('files that are there are not lost: nothing is asked, unless --force says so', async () => {
  const refused = await report(healthy, [], [names[1]!])
  expect(refused).toMatchObject({ code: 1, files: {}, received: [] })
  expect(refused.stderr).toBe(`${names[1]}: already there; give --force to write over, or another --output`)
  expect(Object.keys((await report(healthy, ['--force'], names)).files)).toEqual(names)
})

test.each([
  ['a misspelt validator', ['--validator=val-2'], 'no validator of the month has this name; did you mean val-1?'],
  ['a validator like no other', ['--validator=orchard'], 'no validator of the month has this name; there are val-1'],
  ['a month that is to come', ['--month=9999-01'], '--month=9999-01: this month has no full hour yet (UTC)'],
  ...['0000-01', '0099-12', '1969-12', '1899-01', '2026-13', '2026-00', '99999-01', '-001-01'].map(
    (month): [string, string[], string] => [
      `the month ${month}`,
      [`--month=${month}`],
      'Expected a month such as 2026-10.',
    ],
  ),
])('%s is refused', async (_, flags, said) => {
  const { code, stderr, files } = await report(healthy, flags)
  expect({ code: code === 0, files }).toEqual({ code: false, files: {} })
  expect(stderr).toContain(said)
})

test('without an address it says what is missing', async () => {
  const { code, stderr } = await runCommand(['report'])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: '--prometheus=<url> is missing: the report is made of what it has stored',
  })
})

test('a month whose samples all came after its last full hour has a report in an hour', async () => {
  vi.setSystemTime(Date.UTC(2026, 10, 15, 10, 50))
  const { code, stderr, files } = await report(
    (response, { body }) => {
      const range = rangeOf(body)
      response.end(range.end % 3_600 === 0 ? matrix() : answered(range, 'nothing', '1'))
    },
    ['--month=2026-11'],
  )
  expect({ code, files }).toEqual({ code: 4, files: {} })
  expect(stderr).toBe(
    'HOST has no validator of stakewatch in 2026-11 up to 2026-11-15 10:00 UTC, the last full hour: its samples began after that, so ask again after 2026-11-15 11:00 UTC',
  )
})

const labelsOfAll = { ...VALIDATOR, source: 'node-a', state: 'safe', outcome: 'removed', reward_type: 'VALIDATOR' }

test.each(['1e17', '-1e17', '9.9e17', '8.64e12', '-8.64e12', '1e-300', '1e300', '-1e300', 'NaN', '+Inf', '-Inf', '0'])(
  'a server with %s for everything: a report',
  async (value) => {
    const { code, stderr, files } = await report((response, { body }) => {
      const values = valuesOf(rangeOf(body), value)
      response.end(
        matrix({ metric: { ...labelsOfAll, method: 'slope', threshold: 'blocks', currency: 'usd' }, values }),
      )
    })
    expect({ code, stderr, files: Object.keys(files) }).toEqual({ code: 0, stderr: '', files: names })
  },
)
