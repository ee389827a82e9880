// silence with a stand-in for Alertmanager and for the daemon: the matchers, what is refused, and what credentials are sent.
// test/e2e/silence.test.ts has the real Alertmanager.

import { describe, expect, onTestFinished, test } from 'vitest'
import { alertsOf } from '../../../src/commands/silence/matchers.ts'
import { runCommand } from '../../support/command.ts'
import { closedPort } from '../../support/hostile-server.ts'
import { startSink } from '../../support/sink.ts'

const A = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const B = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const C = 'NodeID-MTqiqQwX7ZyxArfBxMEPrRPeZqwiwByY'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const CHAIN = 'z7Xh3sV87Lo5EwbtfV2XAtM9Ua5NChQudm42KfTsXA2h1UxnA'
const YAML = `networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "http://10.0.0.1:9650", node_id: ${A} }
      - { name: node.b, url: "http://10.0.0.2:9650" }
    validators:
      - { node_id: ${A}, name: val-1 }
      - { node_id: ${A}, name: val-1, subnet: orchard }
      - { node_id: ${B}, name: val-2 }
      - { node_id: ${B}, name: l1-2, subnet: orchard }
      - { node_id: ${C}, name: l1-3, subnet: orchard }
    subnets: [{ id: ${SUBNET}, name: orchard }]
    chains: [{ id: p-chain }, { id: ${CHAIN}, name: orchard }]
    addresses: [{ name: vault, addresses: [P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66] }]
  - name: mainnet
    nodes: [{ name: node-m, url: "http://10.0.0.3:9650" }]
    validators: [{ node_id: ${C}, name: val-2 }]
`

interface Made {
  matchers: { name: string; value: string; isRegex: boolean; isEqual: boolean }[]
  startsAt: string
  endsAt: string
  createdBy: string
  comment: string
}

async function server(answer: (asked: string, body: string) => readonly [status: number, text: string]) {
  const asked: string[] = []
  const credentials: (string | undefined)[] = []
  const { url, end } = await startSink((request, body, response) => {
    const line = `${request.method} ${request.url}`
    asked.push(line)
    credentials.push(request.headers.authorization)
    const [status, answered] = answer(line, body)
    response.writeHead(status).end(answered)
  })
  onTestFinished(end)
  return { asked, credentials, url }
}

/** Silences get the ids id-1, id-2 and so on. */
async function alertmanager(before: readonly object[] = []) {
  const made: Made[] = []
  const { asked, credentials, url } = await server((line, body) => {
    if (line === 'GET /api/v2/silences') return [200, JSON.stringify(before)]
    if (line.startsWith('DELETE')) return [200, '']
    made.push(JSON.parse(body) as Made)
    return [200, JSON.stringify({ silenceID: `id-${made.length}` })]
  })
  /** `network=fuji node_id=~a|b`, with the kind of the alerts first. */
  const matchers = () =>
    made.map(({ matchers: [alerts, ...rest] }) => {
      const kind = kinds.find((one) => alertsOf(one).join('|') === alerts!.value)
      return [kind, ...rest.map(({ name, value, isRegex }) => `${name}=${isRegex ? '~' : ''}${value}`)].join(' ')
    })
  return { asked, credentials, url, made, matchers }
}

const kinds = ['validator', 'machine', 'node', 'nodes', 'chain', 'subnet', 'wallet'] as const

const DAY = 86_400
const validatorLabels = (id: string, subnet: string, network = 'fuji') =>
  `network="${network}",subnet="${subnet}",node_id="${id}",validator="x"`

interface Facts {
  /** Seconds that val-1 and val-2 may be down. */
  mayStop?: number
  /** Seconds until their stakes end. */
  ends?: number
}

/** val-1 and val-2 stake; of the L1 val-1 has 20 %, l1-2 and l1-3 have 20 % each; others have the rest. */
function metrics({ mayStop = DAY, ends = 30 * DAY }: Facts = {}): string {
  const end = Math.floor(Date.now() / 1_000) + ends
  const primary = [
    validatorLabels(A, 'primary'),
    validatorLabels(B, 'primary'),
    validatorLabels(C, 'primary', 'mainnet'),
  ]
  const members = [A, B, C].map((id) => validatorLabels(id, 'orchard'))
  return [
    ...[...primary, ...members].map((labels) => `stakewatch_validator_tracked{${labels}} 1`),
    ...primary.flatMap((labels) => [
      `stakewatch_validator_may_stop_seconds{${labels},source="node.b"} ${mayStop}`,
      `stakewatch_validator_end_timestamp_seconds{${labels}} ${end}`,
    ]),
    ...members.map((labels) => `stakewatch_validator_weight{${labels}} 20`),
    'stakewatch_subnet_weight{network="fuji",subnet="orchard",state="active"} 100',
    'stakewatch_subnet_weight{network="fuji",subnet="orchard",state="inactive"} 0',
    '',
  ].join('\n')
}

const daemon = (facts?: Facts) => server(() => [200, metrics(facts)])

/** The words, with a configuration, a length and a comment. */
async function silence(words: readonly string[], yaml = YAML, files: Readonly<Record<string, string>> = {}) {
  const flags = ['--config.file=a.yml', '--comment=new disk']
  const length = words.some((word) => word.startsWith('--for=')) ? [] : ['--for=2h']
  return runCommand(['silence', ...words, ...flags, ...length], { readFile: (path) => files[path] ?? yaml })
}

const MACHINE_A = [`validator network=fuji subnet=~primary|orchard node_id=${A}`, `machine network=fuji node_id=${A}`]

describe('the matchers are those of a window', () => {
  test.each<[names: string[], silences: string[]]>([
    // The machine on all its subnets, and its node.
    [['val-1'], [...MACHINE_A, 'node network=fuji source=node-a']],
    [['node-a'], [...MACHINE_A, 'node network=fuji source=node-a']],
    // Without a node_id it has no validators.
    [['node.b'], ['node network=fuji source=node.b']],
    // All nodes of the network: what needs one of them is silent too.
    [
      ['node-a', 'node.b'],
      [...MACHINE_A, String.raw`node network=fuji source=~node-a|node\.b`, 'nodes network=fuji'],
    ],
    [['l1-3'], [`validator network=fuji subnet=orchard node_id=${C}`, `machine network=fuji node_id=${C}`]],
    [
      ['l1-3', 'l1-2'],
      [
        `validator network=fuji subnet=~primary|orchard node_id=${B}`,
        `validator network=fuji subnet=orchard node_id=${C}`,
        `machine network=fuji node_id=~${B}|${C}`,
      ],
    ],
    // Its validators, but only there, and not their nodes.
    [
      ['subnet/orchard'],
      [
        `validator network=fuji subnet=orchard node_id=~${A}|${B}|${C}`,
        `machine network=fuji node_id=~${A}|${B}|${C}`,
        'subnet network=fuji subnet=orchard',
      ],
    ],
    [['chain/orchard'], ['chain network=fuji chain=orchard']],
    [['p-chain'], ['chain network=fuji chain=p-chain']],
    [['vault'], ['wallet network=fuji address=vault']],
    [
      ['val-2', '--network=mainnet'],
      [`validator network=mainnet subnet=primary node_id=${C}`, `machine network=mainnet node_id=${C}`],
    ],
    [
      ['vault', 'node-m'],
      ['wallet network=fuji address=vault', 'node network=mainnet source=node-m', 'nodes network=mainnet'],
    ],
  ])('%o', async (names, silences) => {
    const { url, matchers } = await alertmanager()
    const { stderr, code } = await silence([...names, '--force', `--alertmanager=${url}`])
    expect({ stderr, code, matchers: matchers() }).toEqual({ stderr: '', code: 0, matchers: silences })
  })

  test('each line says which objects and alerts it is about', async () => {
    const { url } = await alertmanager()
    const { stdout } = await silence(['l1-3', '--force', `--alertmanager=${url}`])
    const [validator, machine] = [alertsOf('validator'), alertsOf('machine')]
    expect(stdout.split('\n').map((line) => line.split('  ').slice(2))).toEqual([
      [
        `network="fuji", subnet="orchard", node_id="${C}"`,
        `${validator[0]}, ${validator[1]} and ${validator.length - 2} more`,
      ],
      [`network="fuji", node_id="${C}"`, machine.join(' and ')],
      [],
    ])
  })

  test('none of the alerts is about money or keys', () => {
    const all = kinds.flatMap(alertsOf)
    expect(all).toContain('StakewatchValidatorDisconnected')
    expect(all.filter((name) => /Outflow|Wallet(?!Unknown)|Balance|StakeEnd|Expectation|Stalled$/.test(name))).toEqual([
      'StakewatchIndexStalled',
    ])
  })

  test('it begins now, ends in time, and says who made it and why', async () => {
    const { url, made } = await alertmanager()
    const before = Math.floor(Date.now() / 1_000) * 1_000
    const { stdout } = await silence(['vault', '--force', '--for=1h30m', `--alertmanager=${url}`])
    const [{ startsAt, endsAt, createdBy, comment } = made[0]!] = made
    expect(Date.parse(startsAt)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(startsAt)).toBeLessThanOrEqual(Date.now())
    expect(Date.parse(endsAt) - Date.parse(startsAt)).toBe(5_400_000)
    expect({ createdBy, comment }).toEqual({ createdBy: 'stakewatch', comment: 'new disk' })
    expect(stdout).toBe(`id-1  until ${endsAt}  network="fuji", address="vault"  StakewatchWalletUnknown\n`)
  })
})

describe('what it would cost', () => {
  const NOT = 'not silenced: shorten it, name less, or give --force: \n'
  /** The words with both servers. */
  async function asked(names: readonly string[], facts: Facts) {
    const [{ url, made }, { url: daemonUrl }] = [await alertmanager(), await daemon(facts)]
    return { made, words: [...names, '--network=fuji', `--alertmanager=${url}`, `--url=${daemonUrl}`] }
  }

  test.each<[what: string, names: string[], Facts]>([
    ['a validator', ['val-1'], {}],
    ['a validator for as long as it may be down', ['val-1'], { mayStop: 7_200 }],
    ['a validator whose stake ends later', ['val-1'], { ends: 7_300 }],
    ['an L1 validator, next to stakes that may not stop', ['l1-3'], { mayStop: 0 }],
    // 20 of 100 may go.
    ['one validator of an L1', ['l1-3'], {}],
    ['a wallet', ['vault'], { mayStop: 0, ends: 60 }],
  ])('nothing: %s', async (_, names, facts) => {
    const { words, made } = await asked(names, facts)
    const { stderr, code } = await silence(words)
    expect({ stderr, code, isMade: made.length > 0 }).toEqual({ stderr: '', code: 0, isMade: true })
  })

  test.each<[what: string, names: string[], Facts, refusal: RegExp]>([
    [
      'the reward',
      ['val-1'],
      { mayStop: 7_199 },
      /^This silence takes 2h 0m, and validator x \(\S+Lg\) .* lose its reward after 1h 59m\.$/,
    ],
    [
      'the end of a stake',
      ['val-1'],
      { ends: 3_600 },
      /^The stake of validator x .* ends or renews inside this silence, at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC\. /,
    ],
    // 60 of 100 make no blocks.
    [
      'two validators of an L1',
      ['l1-3', 'l1-2'],
      {},
      /^When this silence opens, at most 60% of the weight of L1 fuji\/orchard is left/,
    ],
    ['all of them', ['subnet/orchard'], {}, /at most 40% of the weight/],
  ])('%s', async (_, names, facts, refusal) => {
    const { words, made } = await asked(names, facts)
    const { stderr, code } = await silence(words)
    expect({ code, made, starts: stderr.startsWith(NOT) }).toEqual({ code: 1, made: [], starts: true })
    expect(stderr.slice(NOT.length)).toMatch(refusal)
    expect(await silence([...words, '--force'])).toMatchObject({ code: 0, stderr: '' })
    expect(made).not.toEqual([])
  })

  const member = (id: string, more: object = {}) => ({
    id: 'earlier',
    status: { state: 'active' },
    matchers: [
      { name: 'alertname', value: alertsOf('validator').join('|'), isRegex: true, isEqual: true },
      { name: 'network', value: 'fuji', isRegex: false, isEqual: true },
      { name: 'node_id', value: id, isRegex: false, isEqual: true },
    ],
    startsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    createdBy: 'stakewatch',
    comment: '',
    ...more,
  })
  test.each([
    ['an earlier silence takes the other one', [member(B)], 1],
    ['Alertmanager dates it a minute ahead', [member(B, { startsAt: new Date(Date.now() + 60_000).toISOString() })], 1],
    ['the earlier one is the same', [member(C)], 0],
    ['it is over', [member(B, { status: { state: 'expired' } })], 0],
    ['someone else made it', [member(B, { createdBy: 'me' })], 0],
    ['its alerts are others', [member(B, { matchers: [{ name: 'alertname', value: 'Other', isRegex: false }] })], 0],
  ])('together with earlier ones: %s', async (_, before, exit) => {
    const [{ url }, { url: daemonUrl }] = [await alertmanager(before), await daemon()]
    const { code } = await silence(['l1-3', `--alertmanager=${url}`, `--url=${daemonUrl}`])
    expect(code).toBe(exit)
  })

  test.each([
    ['one that is open', -3_600, 3_600, 1],
    ['one that opens before the silence ends', 3_600, 7_200, 1],
    ['one that opens later', 7_300, 10_800, 0],
  ])('together with a configured window: %s', async (_, from, to, exit) => {
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString().replace(/\.\d+/, '')
    const window = `    maintenance: [{ name: w, from: "${at(from)}", to: "${at(to)}", validators: [l1-2] }]\n`
    const yaml = YAML.replace('  - name: mainnet\n', `${window}  - name: mainnet\n`)
    const [{ url }, { url: daemonUrl }] = [await alertmanager(), await daemon()]
    const { code } = await silence(['l1-3', `--alertmanager=${url}`, `--url=${daemonUrl}`], yaml)
    expect(code).toBe(exit)
  })

  test('by the limits of the configuration, as the daemon judges', async () => {
    const [{ url }, { url: daemonUrl }] = [await alertmanager(), await daemon()]
    const words = ['l1-3', 'l1-2', `--alertmanager=${url}`, `--url=${daemonUrl}`]
    const { code } = await silence(words, `${YAML}limits: { l1Blocks: 0.5 }\n`)
    expect(code).toBe(0)
  })

  test('is unknown without the daemon, and with one that watches something else', async () => {
    const { url, made } = await alertmanager()
    const closed = await closedPort()
    const gone = await silence(['val-1', `--alertmanager=${url}`, `--url=${closed}`])
    expect([gone.code, gone.stderr]).toEqual([
      8,
      `what this costs is unknown without the daemon (--force does it anyway): ${new URL(closed).host}: the connection failed (ECONNREFUSED): is it running, and is this its address?`,
    ])
    const other = await server(() => [200, 'stakewatch_build_info 1\n'])
    const words = ['val-1', `--alertmanager=${url}`, `--url=${other.url}`]
    const { code, stderr } = await silence(words)
    expect([code, stderr]).toEqual([
      1,
      'what this costs is unknown: the daemon does not watch val-1 on fuji/primary; give the --url of the one that does, or --force',
    ])
    expect(made).toEqual([])
    expect(await silence([...words, '--force'])).toMatchObject({ code: 0 })
    expect(other.asked).toEqual(['GET /metrics'])
  })

  test('is unknown where the metrics are at another path', async () => {
    const [{ url, made }, elsewhere] = [await alertmanager(), await server(() => [404, 'Not found.'])]
    const { code, stderr } = await silence(['val-1', `--alertmanager=${url}`, `--url=${elsewhere.url}`])
    expect([code, made]).toEqual([5, []])
    expect(stderr).toMatch(
      /: is the path prefix missing in --url, or does the daemon have a --web\.telemetry-path other than \/metrics\?$/,
    )
  })

  test('is said to be unknown for a validator that no node reports', async () => {
    const { url, made } = await alertmanager()
    const { url: daemonUrl } = await server(() => [200, metrics().replaceAll(/.*may_stop.*\n/g, '')])
    const { code, stderr } = await silence(['val-1', `--alertmanager=${url}`, `--url=${daemonUrl}`])
    expect([code, stderr]).toEqual([
      0,
      'warning: the daemon does not know how long val-1 on fuji/primary may be down\n',
    ])
    expect(made).toHaveLength(3)
  })
})

describe('refuses with a remedy', () => {
  test.each<[words: string[], refusal: string | RegExp]>([
    [['val-3'], 'val-3 is no validator, node, chain, subnet or wallet here; did you mean val-1?'],
    [['nothing-like-it'], /^nothing-like-it is no .* here; there are val-1, val-2, l1-2, l1-3, /],
    [['node/val-1'], /^node\/val-1 is no node here/],
    [['val-2'], 'val-2 is in several networks; give --network=fuji or --network=mainnet'],
    [['orchard'], 'orchard is the name of several things; give chain/orchard or subnet/orchard'],
    [['vault', '--network=main'], '--network: expected one of fuji, mainnet'],
    [['vault', '--network=mainnet'], /^vault is no .* here; there are val-2, node-m/],
    [[], 'what to silence? Give a configured name, --list or --expire'],
    [['vault', '--for=0s'], /Expected a duration from 1s to 31d, such as 2h\./],
    [['vault', '--for=32d'], /Expected a duration from 1s to 31d, such as 2h\./],
    [['vault', '--alertmanager=localhost:9093'], /Expected a URL such as /],
    [
      ['vault', '--alertmanager.password-file=/secret'],
      '--alertmanager.password-file: give its --alertmanager.user as well',
    ],
  ])('%o', async (words, refusal) => {
    const { url, asked } = await alertmanager()
    const { stderr, code } = await silence([`--alertmanager=${url}`, '--force', ...words])
    expect(code).toBe(1)
    expect(stderr).toMatch(refusal)
    expect(asked).toEqual([])
  })

  test.each([
    [
      ['vault', '--for=2h', '--comment=x'],
      '--alertmanager=<url> is missing, such as --alertmanager=http://localhost:9093',
    ],
    [['vault', '--for=2h', '--comment=x', 'AM'], '--config.file=<file> is missing: it has the names'],
    [['vault', '--config.file=a.yml', '--comment=x', 'AM'], '--for=<time> is missing: how long, such as --for=2h'],
    [['vault', '--config.file=a.yml', '--for=2h', 'AM'], '--comment=<text> is missing: say why'],
    [['vault', '--config.file=a.yml', '--for=2h', '--comment= ', 'AM'], '--comment=<text> is missing: say why'],
    [['vault', '--list', 'AM'], 'vault: --list and --expire take no names'],
    ...['--list', '--expire=1'].map((one): [string[], unknown] => [
      [one, '--config.file=a.yml', 'AM'],
      expect.stringContaining("cannot be used with option '--config.file <file>'"),
    ]),
  ])('%o', async (words, refusal) => {
    const given = words.map((word) => word.replace('AM', '--alertmanager=http://127.0.0.1:1'))
    const { stderr, code } = await runCommand(['silence', ...given], { readFile: () => YAML })
    expect([code, stderr]).toEqual([1, refusal])
  })

  test.each([
    [
      401,
      'Unauthorized',
      ' answers with HTTP 401: give --alertmanager.user and --alertmanager.password-file, or --alertmanager.token-file',
      5,
    ],
    [
      401,
      '<html>',
      ' answers with HTTP 401 with a page (HTML) instead of an answer, such as a challenge or a login',
      5,
    ],
    [404, '<html>', ' answers with HTTP 404: is the path prefix missing in --alertmanager?', 5],
    [500, '<html>', ' answers with HTTP 500', 5],
    [200, '<html>', ' does not answer like Alertmanager: is this its URL?', 6],
  ])('an answer with HTTP %i and %j', async (status, body, words, exit) => {
    const { url } = await server(() => [status, body])
    const { stderr, code } = await silence(['vault', '--force', `--alertmanager=${url}`])
    expect([code, stderr]).toEqual([exit, `${new URL(url).host}${words}`])
  })
})

describe('credentials', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  test.each([
    ['none', [], '', undefined],
    ['of the URL', [], 'me:hunt%20er2@', basic('me:hunt er2')],
    ['of a file', ['--alertmanager.user=me', '--alertmanager.password-file=/password'], '', basic('me:hunter2')],
    ['a token', ['--alertmanager.token-file=/token'], '', 'Bearer t0ken'],
  ])('for Alertmanager: %s', async (_, flags, inUrl, expected) => {
    const { url, credentials, asked } = await alertmanager()
    const prefixed = `${url.replace('://', `://${inUrl}`)}/am/`
    const files = { '/password': 'hunter2\n', '/token': 't0ken\n' }
    const { stderr } = await silence(['vault', '--force', `--alertmanager=${prefixed}`, ...flags], YAML, files)
    expect({ stderr, asked, credentials }).toEqual({
      stderr: '',
      asked: ['POST /am/api/v2/silences'],
      credentials: [expected],
    })
  })

  test('those of the daemon are sent to it alone', async () => {
    const [manager, watcher] = [await alertmanager(), await daemon()]
    const urls = [`--alertmanager=${manager.url}`, `--url=${watcher.url}/watch`]
    const flags = ['--user=you', '--password-file=/password', '--alertmanager.token-file=/token']
    const { code } = await silence(['vault', ...urls, ...flags], YAML, { '/password': 'secret', '/token': 't0ken' })
    expect({ code, asked: watcher.asked, daemon: watcher.credentials, manager: manager.credentials }).toEqual({
      code: 0,
      asked: ['GET /watch/metrics'],
      daemon: [basic('you:secret')],
      manager: ['Bearer t0ken', 'Bearer t0ken'],
    })
  })
})

describe('--list and --expire', () => {
  const one = (id: string, more: object = {}) => ({
    id,
    status: { state: 'active' },
    matchers: [
      { name: 'alertname', value: 'A|B', isRegex: true, isEqual: true },
      { name: 'network', value: 'fuji', isRegex: false },
      { name: 'source', value: 'node-a|node-b', isRegex: true, isEqual: false },
    ],
    startsAt: '2026-12-08T21:00:00.123Z',
    endsAt: '2026-12-08T23:00:00.000Z',
    createdBy: 'stakewatch',
    comment: 'new \u001b disk',
    ...more,
  })
  const all = [
    one('late'),
    one('early', { status: { state: 'pending' }, endsAt: '2026-12-08T22:00:00.000Z' }),
    one('over', { status: { state: 'expired' } }),
    one('of-others', { createdBy: 'me' }),
  ]
  const run = (url: string, ...words: string[]) => runCommand(['silence', `--alertmanager=${url}`, ...words])

  test('lists those of stakewatch that are not over', async () => {
    const { url } = await alertmanager(all)
    expect(await run(url, '--list')).toMatchObject({
      code: 0,
      stdout: `early  pending until 2026-12-08T22:00:00Z  network="fuji", source!~"node-a|node-b"  A and B  new ? disk
late  active until 2026-12-08T23:00:00Z  network="fuji", source!~"node-a|node-b"  A and B  new ? disk
`,
    })
    const empty = await alertmanager(all.slice(2))
    expect((await run(empty.url, '--list')).stdout).toBe('no silence of stakewatch is active or pending\n')
  })

  test('ends one of them, and no other', async () => {
    const { url, asked } = await alertmanager(all)
    expect(await run(url, '--expire=late')).toMatchObject({ code: 0, stdout: 'late  ended\n' })
    expect(asked).toEqual(['GET /api/v2/silences', 'DELETE /api/v2/silence/late'])
    for (const id of ['over', 'of-others', 'none/../x']) {
      expect(await run(url, `--expire=${id}`)).toMatchObject({
        code: 4,
        stderr: `--expire: stakewatch made no silence ${id} that is not over; --list shows them`,
      })
    }
    expect(asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(1)
  })
})
