// doctor with servers that are not as it would like them: one clear finding, and nothing wrong next to it.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/commands/io.ts'
import type { Http, HttpOptions } from '../../../src/upstream/http.ts'
import { quietIo, runCommand } from '../../support/command.ts'
import { type Behaviour, createHostileServer } from '../../support/hostile-server.ts'

const root = new URL('../../..', import.meta.url).pathname

interface Finding {
  check: string
  level: string
  found: string
  fix?: string
}

const doctor = (...flags: readonly string[]) => doctorWith({}, ...flags)

async function doctorWith(changes: Partial<Io>, ...flags: readonly string[]) {
  const io = {
    ...changes,
    packageFolder: root,
    readFile: (path: string) => (path === '/token' ? 'secret-token\n' : readFileSync(path, 'utf8')),
  }
  const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...flags], io)
  if (stdout === '') throw new Error(stderr)
  return { code, ...(JSON.parse(stdout) as { findings: Finding[]; unchecked: string[] }) }
}

const say =
  (status: number, text: string, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end(text)

const LOGIN = '<!doctype html><title>Sign in</title><form method=post><input name=password></form>'

interface Row {
  what: string
  server: Behaviour
  level: 'failed' | 'unknown'
  found: RegExp
}

const rows: readonly Row[] = [
  {
    what: 'a redirect to a login',
    server: say(302, '', { location: 'https://login.example.org/oauth?key=SECRET' }),
    level: 'unknown',
    found: /answers with HTTP 302 to https:\/\/login\.example\.org: give that address$/,
  },
  {
    what: 'a challenge',
    server: say(403, LOGIN),
    level: 'unknown',
    found: /HTTP 403 with a page \(HTML\) instead of an answer, such as a challenge or a login$/,
  },
  {
    what: 'a password is missing',
    server: say(401, 'Unauthorized'),
    level: 'unknown',
    found: /HTTP 401: give --(\w+)\.user and --\1\.password-file, or --\1\.token-file$/,
  },
  {
    what: 'a user without the right',
    server: say(403, ''),
    level: 'unknown',
    found: /HTTP 403: this user may not do that$/,
  },
  {
    what: 'a path prefix is missing',
    server: say(404, 'nothing here'),
    level: 'unknown',
    found: /HTTP 404: is the path prefix missing in --/,
  },
  {
    what: 'TLS without https',
    server: say(400, 'Client sent an HTTP request to an HTTPS server.'),
    level: 'unknown',
    found: /HTTP 400: if it speaks TLS, give --\w+=https:/,
  },
  {
    what: 'a page for people',
    server: say(200, LOGIN),
    level: 'failed',
    found: /does not answer like \w+: is this its URL\?$/,
  },
  {
    what: 'a proxy without a server behind it',
    server: say(502, '<h1>Bad Gateway</h1>'),
    level: 'unknown',
    found: /answers with HTTP 502$/,
  },
  {
    what: 'an answer that breaks off',
    server: (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"status":"success","data":{"resultType":"scalar","result":[1,"1')
      response.destroy()
    },
    level: 'failed',
    found: /the connection (failed|broke off|was closed)/,
  },
  {
    what: 'half of an answer',
    server: say(200, '{"status":"success","data":{"resultTy'),
    level: 'failed',
    found: /does not answer like/,
  },
]

describe.each(['prometheus', 'alertmanager', 'grafana'])('%s', (program) => {
  test.each(rows)('$what', async ({ server, level, found }) => {
    const { url } = await createHostileServer(server)
    const daemon = await createHostileServer(say(200, 'stakewatch is ready.'))
    const { code, findings } = await doctor(`--${program}=${url}`, `--url=${daemon.url}`)
    const [first, ...others] = findings.filter(({ check }) => check.startsWith(program))
    expect(first).toMatchObject({ check: `${program}/answers`, level, found: expect.stringMatching(found) as unknown })
    expect(others).toEqual([])
    expect(JSON.stringify(findings)).not.toContain('SECRET')
    expect(code).toBe(level === 'failed' ? 11 : 10)
  })
})

test('a bearer token and a path prefix', async () => {
  const seen = new Set<string>()
  const { url } = await createHostileServer((response, { url: path, headers: { authorization = '' } }) => {
    seen.add(`${authorization} ${path.split('?')[0]}`)
    response.writeHead(404).end()
  })
  await doctor(`--prometheus=${url}/prom/`, '--prometheus.token-file=/token')
  expect([...seen]).toEqual(['query', 'rules'].map((path) => `Bearer secret-token /prom/api/v1/${path}`))
})

const api = (data: unknown, more: object = {}) => JSON.stringify({ status: 'success', data, ...more })

test('a server that has parts of the API is unknown in the others, and names no failure', async () => {
  const { url } = await createHostileServer((response, { url: path }) => {
    if (path.startsWith('/api/v1/query?'))
      return response.end(api({ resultType: 'scalar', result: [1, String(Date.now() / 1_000)] }))
    return response.writeHead(404).end('404 page not found')
  })
  const { code, findings } = await doctor(`--prometheus=${url}`)
  expect(new Set(findings.map(({ level }) => level))).toEqual(new Set(['ok', 'unknown']))
  expect(findings.find(({ check }) => check === 'prometheus/rules')).toMatchObject({
    level: 'unknown',
    fix: 'give the address of the program itself: a server in front of it may lack this part of the API',
  })
  expect(code).toBe(10)
})

test('an answer with a warning is no answer', async () => {
  const { url } = await createHostileServer((response, { url: path }) => {
    if (path.startsWith('/api/v1/query?'))
      return response.end(api({ resultType: 'scalar', result: [1, String(Date.now() / 1_000)] }))
    return response.end(api({ groups: [] }, { warnings: ['fetch rules from store-2: deadline exceeded'] }))
  })
  const { findings } = await doctor(`--prometheus=${url}`)
  expect(findings.find(({ check }) => check === 'prometheus/rules')).toMatchObject({
    level: 'unknown',
    found: expect.stringMatching(/answers in part only: fetch rules from store-2: deadline exceeded$/) as unknown,
  })
  expect(findings.filter(({ level }) => level === 'failed')).toEqual([])
})

/** A request without a deadline throws. */
async function connectInAHurry(options: HttpOptions): Promise<Http> {
  const http = await quietIo.connect(options)
  const soon = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(100)])
  return { ...http, send: (one) => http.send({ ...one, signal: soon(one.signal) }) }
}

test('a server that hangs is one finding', async () => {
  const { url } = await createHostileServer(() => {})
  const { code, findings } = await doctorWith({ connect: connectInAHurry }, `--prometheus=${url}`)
  expect(findings).toMatchObject([
    {
      check: 'prometheus/answers',
      level: 'failed',
      found: expect.stringMatching(/no (complete )?answer|timed out|in time/) as unknown,
    },
  ])
  expect(code).toBe(11)
})

test.each([
  {
    what: 'little of a budget is left',
    metrics: `stakewatch_build_info{version="0.0.0"} 1
stakewatch_upstream_budget_units{network="fuji",source="data-api",window="day"} 1000
stakewatch_upstream_budget_remaining_units{network="fuji",source="data-api",window="day"} 49
stakewatch_upstream_budget_units{network="fuji",source="node-a",window="day"} 1000
stakewatch_upstream_budget_remaining_units{network="fuji",source="node-a",window="day"} 50
`,
    finding: {
      check: 'daemon/budgets',
      level: 'warning',
      found: 'less than 5 % of the budget of fuji/data-api is left for today',
    },
  },
  {
    what: 'another version',
    metrics: 'stakewatch_build_info{version="0.0.1"} 1\n',
    finding: {
      check: 'daemon/version',
      level: 'warning',
      found: expect.stringMatching(/runs version 0\.0\.1, and this is 0\.0\.0$/) as unknown,
    },
  },
])('$what', async ({ metrics, finding }) => {
  const { url } = await createHostileServer((response, { url: path }) => {
    response.end(path === '/metrics' ? metrics : 'stakewatch is ready.')
  })
  const { findings } = await doctor(`--url=${url}`)
  expect(findings.filter(({ level }) => level !== 'ok')).toMatchObject([finding])
})

test('a daemon whose metrics are at another path', async () => {
  const { url } = await createHostileServer((response, { url: path }) => {
    if (path === '/metrics') return response.writeHead(404).end('Not found.')
    return response.end('stakewatch is ready.')
  })
  const { findings } = await doctor(`--url=${url}`)
  expect(findings).toMatchObject([
    {
      check: 'daemon/answers',
      level: 'unknown',
      found: expect.stringMatching(
        /HTTP 404: .* does the daemon have a --web\.telemetry-path other than \/metrics\?$/,
      ) as unknown,
      fix: 'correct --url or start it; or leave --url out, as Prometheus (--prometheus=URL) names the path of its metrics',
    },
  ])
})

test('a limit has no places that are noise of its arithmetic', async () => {
  const metrics = `stakewatch_upstream_budget_units{network="fuji",source="data-api",window="day"} 1000
stakewatch_upstream_budget_remaining_units{network="fuji",source="data-api",window="day"} 200
`
  const { url } = await createHostileServer((response, { url: path }) => {
    response.end(path === '/metrics' ? metrics : 'stakewatch is ready.')
  })
  const { findings } = await doctor(`--url=${url}`, '--limit=budgetLeft=0.29')
  const [budgets] = findings.filter(({ check }) => check === 'daemon/budgets')
  expect(budgets?.found).toBe('less than 29 % of the budget of fuji/data-api is left for today')
})
