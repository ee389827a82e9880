import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, type TestContext, test } from 'vitest'
import { topText } from '../../../src/commands/top/top.ts'
import { statusSchema } from '../../../src/status/value/status-schema.ts'
import { certificate } from '../../support/certificates.ts'
import { runCommand } from '../../support/command.ts'
import { createProxyServer } from '../../support/proxy-server.ts'
import { startSink } from '../../support/sink.ts'
import { DAY, linesOf, NOW, shown, VAL_1, yamlOf } from '../../support/status.ts'

const L1 = 'NodeID-MTqiqQwX7ZyxArfBxMEPrRPeZqwiwByY'
const world = shown({
  yaml: yamlOf(['node-a', 'node-b'], [`{ node_id: ${L1}, name: val-2 }`, `{ node_id: ${VAL_1}, name: val-1 }`]),
  lines: [
    ...linesOf(
      {},
      { validator_in_set: 1, validator_tracked: 1, validator_end_timestamp_seconds: NOW + 3 * DAY },
      {
        'node-a': { validator_uptime_ratio: 0.95, validator_connected: 1, validator_downtime_budget_seconds: 5 * DAY },
        'node-b': { validator_uptime_ratio: 0.9, validator_connected: 1, validator_downtime_budget_seconds: 4 * DAY },
      },
    ),
    'stakewatch_upstream_up{network="fuji",source="node-a"} 1',
    'stakewatch_upstream_up{network="fuji",source="node-b"} 0',
  ],
})

/** A daemon that answers with this; it notes what it is asked. */
async function daemon({ onTestFinished }: TestContext, ...answers: readonly (readonly [code: number, body: string])[]) {
  const asked: string[] = []
  const { url, end } = await startSink((request, _, response) => {
    const [code, body] = answers[Math.min(asked.length, answers.length - 1)]!
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`.trim())
    response.writeHead(code).end(body)
  })
  onTestFinished(end)
  return { asked, host: new URL(url).host }
}

const { body } = world.answer('/api/v1/status')

test('--once prints a row for each validator, what needs attention first', async (context) => {
  const { host, asked } = await daemon(context, [200, body])
  const { stdout, stderr, code } = await runCommand(['top', '--once', `--url=http://${host}`])
  expect([stderr, code]).toEqual(['', 0])
  expect(asked).toEqual(['/api/v1/status'])
  const evaluated = /^(\d+) of \1 conditions were judged 0 s ago\.$/m
  expect(stdout).toMatch(evaluated)
  expect(
    stdout
      .replace(host, 'HOST')
      .replace(evaluated, 'RULES')
      .replace(/The stake of validator .*/, 'ENDS'),
  ).toBe(`stakewatch 1.2.3 at HOST, 2026-05-28 20:26 UTC
2 validators; upstreams: 1 of 2 up; down: node-b
RULES
  WARNING StakewatchStakeEnding, pending for 0 s: ENDS
  WARNING StakewatchUpstreamDown, pending for 0 s: node-b on fuji does not answer stakewatch. Everything that only it reports is missing.

VALIDATOR  SUBNET        STATE      UPTIME BY OBSERVER              DOWNTIME LEFT  ENDS     ATTENTION
val-1      fuji/primary  connected  node-a 95.00%, node-b 90.00%    5 d            3 d      warning pending: The stake of the validator ends in days and does not renew automatically.
val-2      fuji/primary  unknown    node-a unknown, node-b unknown  unknown        unknown
`)
})

test.each([
  [
    180,
    `VALIDATOR  SUBNET        STATE      UPTIME BY OBSERVER            DOWNTIME LEFT  ENDS  ATTENTION
val-1      fuji/primary  connected  node-a 95.00%, node-b 90.00%  5 d            3 d   warning pending: The stake of the validator ends in days and does not renew automatically.`,
  ],
  [
    115,
    `VALIDATOR  SUBNET        STATE      UPTIME BY OBSERVER            DOWNTIME LEFT  ENDS  ATTENTION
val-1      fuji/primary  connected  node-a 95.00%, node-b 90.00%  5 d            3 d   warning pending: The stak...`,
  ],
  [
    114,
    `VALIDATOR  STATE      UPTIME BY OBSERVER            DOWNTIME LEFT  ENDS  ATTENTION
val-1      connected  node-a 95.00%, node-b 90.00%  5 d            3 d   warning pending: The stake of the vali...`,
  ],
  [
    80,
    `VALIDATOR  STATE      DOWNTIME LEFT  ENDS  ATTENTION
val-1      connected  5 d            3 d   warning pending: The stake of the ...`,
  ],
  [
    60,
    `VALIDATOR  STATE      ATTENTION
val-1      connected  warning pending: The stake of the v...`,
  ],
  [
    40,
    `VALIDATOR  STATE      ATTENTION
val-1      connected  warning pending...`,
  ],
])('on a terminal of %i columns no row is longer', async (width, expected) => {
  const text = topText(world.status(), 'HOST', { limit: 1, width })
  const lines = text.split('\n')
  expect(lines.slice(6, 8).join('\n')).toBe(expected)
  expect(Math.max(...lines.slice(3, 5).map((line) => line.length))).toBeLessThanOrEqual(width)
})

test('on a narrow terminal a machine that validates several subnets under one name still shows which', () => {
  const status = world.status()
  const validators = ['primary', 'orchard'].map((subnet) => ({ ...status.validators[0]!, subnet }))
  const rows = topText({ ...status, validators }, 'HOST', { limit: 2, width: 60 }).split('\n')
  expect(rows.slice(-4).map((row) => row.slice(0, 24).trimEnd())).toEqual([
    'VALIDATOR  SUBNET',
    'val-1      fuji/primary',
    'val-1      fuji/orchard',
    '',
  ])
})

test('the width of the terminal is that of the moment', async (context) => {
  const { host } = await daemon(context, [200, body])
  const flags = ['top', '--once', `--url=http://${host}`]
  const { stdout } = await runCommand(flags, { columns: () => 60 })
  expect(stdout).toContain('\nVALIDATOR  STATE      ATTENTION\n')
})

test('--limit says how many are left out', async (context) => {
  const { host } = await daemon(context, [200, body])
  const { stdout } = await runCommand(['top', '--once', '--limit=1', `--url=http://${host}`])
  expect(stdout).toContain('\nval-1 ')
  expect(stdout).not.toContain('val-2')
  expect(stdout).toContain('\n1 more, none with more urgent alerts: --limit shows more.\n')
})

test('the user and the password of the URL, and the prefix of its paths, are used and not shown', async (context) => {
  const { host, asked } = await daemon(context, [200, body])
  const { stdout } = await runCommand(['top', '--once', `--url=http://me:hunt%20er2@${host}/watch/`])
  expect(asked).toEqual([`/watch/api/v1/status Basic ${Buffer.from('me:hunt er2').toString('base64')}`])
  expect(stdout).not.toMatch(/hunt|watch\//)
})

test('the password may come from a file, so that no list of processes shows it', async (context) => {
  const { host, asked } = await daemon(context, [200, body])
  const flags = ['top', '--once', `--url=http://${host}`, '--user=me', '--password-file=/secret']
  const { code } = await runCommand(flags, { readFile: (path) => (path === '/secret' ? 'hunt er2\n' : '') })
  expect([code, asked]).toEqual([0, [`/api/v1/status Basic ${Buffer.from('me:hunt er2').toString('base64')}`]])
  const { stderr } = await runCommand(['top', '--once', `--url=http://${host}`, '--password-file=/secret'])
  expect(stderr).toContain('--password-file: give its --user as well')
})

test('a daemon with TLS is asked with the authority of a file, and not without it', async (context) => {
  const { key, cert } = certificate('stakewatch', { names: { ip: '127.0.0.1' } })
  const server = createTlsServer({ key, cert }, (_, response) => response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => void server.close())
  const flags = ['top', '--once', `--url=https://127.0.0.1:${(server.address() as AddressInfo).port}`]
  const trusting = await runCommand([...flags, '--tls.ca-file=/ca.pem'], { readFile: () => cert })
  expect([trusting.code, trusting.stdout.split('\n')[1]]).toEqual([0, expect.stringContaining('2 validators')])
  const { stderr, code } = await runCommand(flags)
  const remedy = /DEPTH_ZERO_SELF_SIGNED_CERT\).*: give the authority as --tls\.ca-file=<file>$/
  expect([stderr, code]).toEqual([expect.stringMatching(remedy), 8])
  const empty = await runCommand([...flags, '--tls.ca-file=/ca.pem'], { readFile: () => '' })
  expect([empty.stderr, empty.code]).toEqual(['--tls.ca-file=/ca.pem: expected a certificate in PEM form', 1])
})

describe('the proxy of the environment', () => {
  test('is used for the daemon as well', async (context) => {
    const { host, asked } = await daemon(context, [200, body])
    const proxy = await createProxyServer({ user: 'user:password' })
    const env = { http_proxy: proxy.url('user:password') }
    const { code } = await runCommand(['top', '--once', `--url=http://${host}`], { env })
    expect([code, asked.length, proxy.asked]).toEqual([0, 1, [`GET http://${host}/api/v1/status`]])
  })

  test.each<[Parameters<typeof createProxyServer>[0], string]>([
    [{ refuses: 403 }, ' answers with HTTP 403 from the proxy PROXY or from behind it'],
    [{ user: 'user:password' }, ': the proxy PROXY wants credentials (HTTP 407): put user and password into its URL'],
  ])('refuses: %o', async (wanted, words) => {
    const proxy = await createProxyServer(wanted)
    const env = { http_proxy: proxy.url() }
    const { stderr } = await runCommand(['top', '--once', '--url=http://127.0.0.1:1'], { env })
    expect(stderr).toBe(`127.0.0.1:1${words.replace('PROXY', proxy.host)}`)
  })
})

describe('fails with a word on', () => {
  test.for([
    [401, '', ' answers with HTTP 401: the user, password or token is wrong', 5],
    [
      400,
      '',
      ' answers with HTTP 400: if it speaks TLS, give --url=https://HOST:PORT, and --tls.ca-file if its authority is your own',
      5,
    ],
    [404, '', ' answers with HTTP 404: is the path prefix missing in --url, or is the daemon too old?', 5],
    [503, '', ' answers with HTTP 503', 5],
    [200, '<html>', ' does not answer like stakewatch: is this its URL?', 6],
    [200, '{"version":"1"}', ' does not answer like stakewatch: is this its URL?', 6],
  ] as const)('HTTP %i with %j', async ([status, answer, message, exit], context) => {
    const { host } = await daemon(context, [status, answer])
    const { stderr, stdout, code } = await runCommand(['top', '--once', `--url=http://me:hunter2@${host}`])
    expect([stderr, stdout, code]).toEqual([`${host}${message}`, '', exit])
  })

  test.each([
    [['--url=ftp://a'], 'Expected a URL such as http://127.0.0.1:19650.'],
    [['--every=10ms'], 'Expected a duration of at least 1s, such as 5s.'],
    [['--limit=0'], 'Expected a number of at least 1.'],
  ])('%j', async (flags, message) => {
    const { stderr, code } = await runCommand(['top', '--once', ...flags])
    expect(stderr).toContain(message)
    expect(code).toBe(1)
  })
})

test.each([
  ['a stake that ends', { end_timestamp_seconds: NOW + DAY }, '1 d'],
  ['one that has ended', { end_timestamp_seconds: NOW - 1 }, 'over'],
  ['one that renews itself', { end_timestamp_seconds: NOW + DAY, next_period_seconds: 9 }, 'renews 1 d'],
  ['one that did so', { end_timestamp_seconds: NOW + DAY, next_period_seconds: 0 }, '1 d'],
  ['a balance', { depletion_timestamp_seconds: NOW + DAY }, 'balance 1 d'],
])('of %s it shows when', (_, change, ends) => {
  const status = statusSchema.parse(JSON.parse(body))
  const [, unknown] = status.validators
  const text = topText({ ...status, validators: [{ ...unknown!, ...change, alerts: [] }], alerts: [] }, 'host', {
    limit: 10,
  })
  expect(text.split('\n')[5]).toMatch(new RegExp(`unknown +${ends}$`))
})

test('of several alerts of a validator it shows the most urgent one, and how many more there are', () => {
  const status = statusSchema.parse(JSON.parse(body))
  const [one] = status.validators
  const alerts = ['first', 'second', 'third'].map((summary) => ({ ...one!.alerts[0]!, summary }))
  expect(topText({ ...status, validators: [{ ...one!, alerts }] }, 'host', { limit: 10 })).toMatch(
    /warning pending: first \(\+2\)\n$/,
  )
  // And all alerts above the table, as many as validators.
  const all = topText({ ...status, alerts }, 'host', { limit: 2 })
  expect(all.match(/^ {2}WARNING StakewatchStakeEnding/gm)).toHaveLength(2)
  expect(all).toContain('\n  1 more, less urgent than these: --limit shows more.\n')
})

test('again and again: what cannot be asked takes the place of what is old by then', async (context) => {
  const { host } = await daemon(context, [200, body], [503, ''], [200, body])
  const stopped = Promise.withResolvers<void>()
  let looks = 0
  const { stdout } = await runCommand(['top', `--url=http://${host}`, '--every=7s'], {
    columns: () => Infinity,
    stopped: stopped.promise,
    async sleep(milliseconds) {
      expect(milliseconds).toBe(7_000)
      looks += 1
      if (looks === 3) stopped.resolve()
    },
  })
  const screens = stdout.split('\u001b[H\u001b[J').slice(1)
  expect(screens.map((screen) => screen.split('\n')[0])).toEqual([
    `stakewatch 1.2.3 at ${host}, 2026-05-28 20:26 UTC`,
    `${host} answers with HTTP 503`,
    `stakewatch 1.2.3 at ${host}, 2026-05-28 20:26 UTC`,
  ])
})

// It has nine lines, and the cursor needs a row. At 50 columns the first one takes two rows.
test.for<[rows: number, columns: number, shown: number]>([
  [10, 400, 9],
  [9, 400, 7],
  [5, 400, 3],
  [9, 50, 6],
  [1, 400, 1],
])('on a terminal of %i rows and %i columns the most urgent lines stay', async ([rows, columns, shown], context) => {
  const { host } = await daemon(context, [200, body])
  let looks = 0
  const { stdout } = await runCommand(['top', `--url=http://${host}`], {
    columns: () => columns,
    rows: () => rows,
    isOutputLost: () => looks++ === 1,
  })
  const lines = stdout.replace('\u001b[H\u001b[J', '').trimEnd().split('\n')
  expect(lines[0]).toMatch(/^stakewatch 1\.2\.3/)
  const note = shown === 9 ? [] : [`${9 - shown} more lines: enlarge the terminal.`]
  expect(lines.slice(shown)).toEqual(note)
})

test('without a terminal it prints the table once, without codes for one', async (context) => {
  const { host, asked } = await daemon(context, [200, body])
  const { stdout } = await runCommand(['top', `--url=http://${host}`], { stopped: Promise.resolve() })
  expect([asked.length, stdout.slice(0, 11)]).toEqual([1, 'stakewatch '])
})

test('ends when the reader of its output does, as in `top | head`', async (context) => {
  const { host, asked } = await daemon(context, [200, body])
  const stopped = Promise.withResolvers<void>()
  let looks = 0
  await runCommand(['top', `--url=http://${host}`], {
    columns: () => Infinity,
    stopped: stopped.promise,
    isOutputLost: () => looks === 1,
    async sleep() {
      looks += 1
      if (looks === 3) stopped.resolve()
    },
  })
  expect(asked).toHaveLength(1)
})

test('shows a simulated network and a stalled scheduler', () => {
  const status = { ...statusSchema.parse(JSON.parse(body)), simulated: true, scheduler_stalled: true }
  const [, second, third] = topText(status, 'host', { limit: 10 }).split('\n')
  expect([second, third]).toEqual([
    'SIMULATED NETWORK: no validator here is real.',
    'POLLING HAS STOPPED: the scheduler is stuck.',
  ])
})

test('upstreams of several networks may share a name, and are counted one by one', () => {
  const status = statusSchema.parse(JSON.parse(body))
  const [one] = status.upstreams
  const upstreams = [
    { ...one!, network: 'mainnet', source: 'data-api', up: false },
    { ...one!, network: 'fuji', source: 'data-api', up: null },
  ]
  expect(topText({ ...status, upstreams }, 'host', { limit: 10 })).toContain(
    '; upstreams: 0 of 2 up; down: data-api; unknown: data-api\n',
  )
})

test('what comes from elsewhere does not command the terminal', () => {
  const status = statusSchema.parse(JSON.parse(body))
  const hostile = '\u001b[2J\u0007'
  const text = topText(
    {
      ...status,
      version: hostile,
      validators: status.validators.map((one) => ({ ...one, name: hostile, subnet: hostile })),
      upstreams: status.upstreams.map((one) => ({ ...one, source: hostile, up: false })),
    },
    hostile,
    { limit: 10 },
  )
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})
