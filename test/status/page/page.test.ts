import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { markup, written } from '../../../src/status/page/markup.ts'
import { problemSection } from '../../../src/status/page/problem-section.ts'
import { palettes } from '../../../src/status/page/style.ts'
import { thresholds } from '../../../src/alerts/thresholds.ts'
import { statusPage } from '../../../src/status/page/page.ts'
import { taskSection, upstreamSection } from '../../../src/status/page/polling.ts'
import { filterOf } from '../../../src/status/page/validator-table.ts'
import type { Alert, TaskRow } from '../../../src/status/value/status-schema.ts'
import { DAY, linesOf, NOW, shown, VAL_1, yamlOf } from '../../support/status.ts'

const yaml = yamlOf(['node-a', 'node-b'], [`{ node_id: ${VAL_1}, name: val-1 }`])
const page = (world: Partial<Parameters<typeof shown>[0]> = {}, query = {}) =>
  shown({ yaml, ...world }).answer('/', query).body

test('the policy lets each page have its one style sheet and nothing else', () => {
  const { answer } = shown({ yaml, runbook: () => '# A' })
  for (const [path, name] of [['/'], ['/runbooks'], ['/runbooks/:name', 'StakewatchRewardLost']] as const) {
    const { body, headers } = answer(path, {}, name)
    const sheets = [...body.matchAll(/<style>([^]*?)<\/style>/g)].map(([, sheet]) => sheet!)
    expect(sheets).toHaveLength(1)
    const hash = createHash('sha256').update(sheets[0]!).digest('base64')
    expect(headers?.['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ])
    expect(headers?.['x-frame-options']).toBe('DENY')
    expect(body).not.toMatch(/<script|<link|<img|<iframe|\sstyle=|\son\w+=/i)
  }
})

const HOSTILE = `</td></style><script>alert("1" + '2')</script>&amp;\u202e\u0007\``

test('whatever is put into a page is text there, wherever it stands', () => {
  expect(
    written(markup`<a title="${HOSTILE}">${[HOSTILE, markup`<b>${HOSTILE}</b>`]}</a>${undefined}${false}${7}`),
  ).toBe(`<a title="${ESCAPED}">${ESCAPED}<b>${ESCAPED}</b></a>7`)
})

const ESCAPED =
  '&#60;/td&#62;&#60;/style&#62;&#60;script&#62;alert(&#34;1&#34; + &#39;2&#39;)&#60;/script&#62;&#38;amp;\ufffd\ufffd&#96;'

test('hostile names of every place are text on the page', () => {
  const inLabel = HOSTILE.replaceAll('"', '\\"')
  const of = `network="fuji",subnet="primary",node_id="${VAL_1}",validator="val-1"`
  const { answer } = shown({
    yaml,
    version: HOSTILE,
    lines: [
      ...linesOf(
        {},
        { validator_in_set: 1 },
        { [inLabel]: { validator_connected: 1, validator_reward_state: inLabel } },
      ),
      `stakewatch_validator_info{${of},kind="${inLabel}"} 1`,
      `stakewatch_validator_expectation_met{${of},expectation="${inLabel}"} 0`,
      `stakewatch_node_info{network="fuji",source="node-a",id="${inLabel}",version="${inLabel}"} 1`,
      'stakewatch_upstream_up{network="fuji",source="node-a"} 1',
      `stakewatch_upstream_circuit_open{network="fuji",source="node-a",operation="${inLabel}"} 1`,
      `stakewatch_upstream_budget_units{network="fuji",source="node-a",window="${inLabel}"} 10`,
      `stakewatch_upstream_budget_remaining_units{network="fuji",source="node-a",window="${inLabel}"} 1`,
    ],
    rows: [
      {
        key: 'supply/fuji/primary',
        network: 'fuji',
        result: 'failure',
        reason: HOSTILE,
        source: HOSTILE,
        finishedAt: NOW * 1_000,
        took: 0,
        series: 0,
      },
    ],
    errors: [
      { network: 'fuji', source: 'node-a', operation: HOSTILE, code: HOSTILE, reason: HOSTILE, at: NOW * 1_000 },
    ],
  })
  const found = (['/', '/validators/:name', '/upstreams', '/tasks'] as const).map((path) => {
    const { body } = answer(path, { q: HOSTILE }, 'val-1')
    expect(body).not.toContain('<script')
    expect(body).not.toContain('\u202e')
    return body.split(ESCAPED).length - 1
  })
  // Version, and the alert with its first action. Observer, reward state, kind and expectation. Id, version, operations and window of the node, and three of the
  // error. Reason and source.
  expect(found).toEqual([3, 4, 7, 2])
})

describe('says', () => {
  test('prominently that the network is simulated', () => {
    expect(page()).not.toContain('Simulated')
    const body = page({ isSimulated: true })
    expect(body).toContain('<strong>Simulated network:</strong> nothing here is real.')
    expect(body).toMatch(/<title>\s*SIMULATED: /)
  })

  test('that polling has stopped, and then shows all data as unknown', () => {
    const world = shown({ yaml, lines: linesOf({}, { validator_in_set: 1 }, { 'node-a': { validator_connected: 1 } }) })
    world.say({ kind: 'tick', at: world.clock.now() })
    expect(world.status().validators[0]!.state).toBe('connected')
    // A minute is forgiven.
    world.set(NOW + 61)
    expect(world.status()).toMatchObject({
      scheduler_stalled: true,
      rules: { current: false },
      validators: [{ state: 'unknown', alerts: [] }],
    })
    const { body } = world.answer('/')
    expect(body).toContain('Polling has stopped: nothing on this page is current.')
    expect(body).toContain('the current state of alerts is unknown.')
    expect(body).not.toContain('state good')
    expect(body).toContain('0 of 2 answer; 2 unknown.')
  })

  test('unknown for missing data, and never 0', () => {
    const row = /<tbody>[^]*?<\/tbody>/.exec(page())![0].replace(/>\s+</g, '><')
    expect(row.match(/>unknown</g)).toHaveLength(4)
    expect(row).not.toContain('<svg')
    const body = shown({ yaml }).answer('/validators/:name', {}, 'val-1').body
    const card = /<article[^]*?<\/article>/.exec(body)![0].replace(/>\s+</g, '><')
    expect(card).toContain('<span class="state plain">unknown</span>')
    expect(card).toContain('<dt>Downtime left before the reward is lost</dt><dd>unknown</dd>')
    expect(card).toContain('<dt>Stake</dt><dd>unknown</dd>')
    expect(card).toContain('<th scope="row">node-a</th><td>unknown</td><td>unknown</td><td>unknown</td>')
    expect(card).not.toContain('<svg')
  })

  test('what failed last, and when', () => {
    const error = { network: 'fuji', source: 'node-b', operation: 'info.peers', code: 'timeout', reason: 'no answer' }
    const { body } = shown({ yaml, errors: [{ ...error, at: (NOW - 3_700) * 1_000 }] }).answer('/upstreams')
    expect(body.replace(/\s+/g, ' ')).toContain(
      '<time datetime="2026-05-28T19:25:00.000Z" title="2026-05-28 19:25 UTC">1 h 1 min ago</time>: no answer (timeout, info.peers)',
    )
  })
})

const DISCONNECTED = linesOf(
  {},
  { validator_in_set: 1, validator_tracked: 1 },
  { 'node-a': { validator_connected: 0 }, 'node-b': { validator_connected: 0 } },
)
const titleOf = (body: string) => /<title>([^]*?)<\/title>/.exec(body)![1]!.trim()

describe('of alerts it says', () => {
  test('that none is firing, with the time of the evaluation, and only after one', () => {
    const calm = linesOf({}, { validator_in_set: 1 }, { 'node-a': { validator_connected: 1 } })
    const { answer, set } = shown({ yaml, lines: calm })
    set(NOW + 12)
    const { body } = answer('/')
    expect(body).toMatch(/\b(\d+) of \1 conditions were judged 12 s ago: none is a problem\./)
    expect(titleOf(body)).toBe('no alerts - stakewatch')
    const unevaluated = page({ lines: calm, isUnevaluated: true })
    expect(unevaluated).toContain('No condition has been judged yet: the state of alerts is unknown.')
    expect(titleOf(unevaluated)).toBe('nothing is being judged - stakewatch')
  })

  test('which are pending or firing, since when, about what, with a link to the runbook', async () => {
    const world = shown({ yaml, lines: DISCONNECTED })
    const alert = {
      severity: 'critical',
      alert: 'StakewatchValidatorDisconnected',
      active_timestamp_seconds: NOW,
      labels: expect.objectContaining({ validator: 'val-1', network: 'fuji' }),
    }
    const pending = { ...alert, state: 'pending', firing_timestamp_seconds: null }
    expect(world.status()).toMatchObject({ alerts: [pending], validators: [{ alerts: [pending] }] })
    expect(titleOf(world.answer('/').body)).toBe('1 pending - stakewatch')
    // The rule waits for five minutes.
    world.set(NOW + 300)
    await world.evaluate()
    const firing = { ...alert, state: 'firing', firing_timestamp_seconds: NOW + 300 }
    expect(world.status()).toMatchObject({ alerts: [firing], validators: [{ alerts: [firing] }] })
    const { body } = world.answer('/')
    expect(titleOf(body)).toBe('1 critical - stakewatch')
    expect(body).toContain('firing for 0 s')
    expect(body).toContain(`(${VAL_1})`)
    expect(body).toContain(
      `<a href="/runbooks/StakewatchValidatorDisconnected?network=fuji&#38;node_id=${VAL_1}&#38;subnet=primary&#38;validator=val-1">`,
    )
  })

  test('an earlier step of a problem is collapsed while the next one fires', async () => {
    const world = shown({ yaml, lines: DISCONNECTED })
    world.set(NOW + 300)
    await world.evaluate()
    const status = world.status()
    const [firing] = status.alerts as [Alert]
    const held: Alert = { ...firing, alert: 'StakewatchEarlier', title: 'the step before', state: 'held' }
    const render = (...alerts: Alert[]) =>
      problemSection({ ...status, alerts }, { prefix: '', telemetryPath: '' }).map(written)
    const [urgent, rest] = render(firing, held)
    expect(urgent).not.toContain(held.title)
    expect(rest).toContain('<summary>1 critical no longer true</summary>')
    expect(rest).toContain(held.title)
    // One about another object is open.
    expect(render(firing, { ...held, labels: { ...held.labels, validator: 'val-2' } })[0]).toContain(held.title)
  })

  test.each([
    ['configured', VAL_1, '/?alert=StakewatchValidatorDisconnected#validators'],
    ['of the rest of an L1, which only the JSON lists', 'NodeID-2', '/api/v1/status'],
  ])('where the others of a group are that are too many, of validators %s', async (_, node_id, link) => {
    const world = shown({ yaml, lines: DISCONNECTED })
    world.set(NOW + 300)
    await world.evaluate()
    const status = world.status()
    const [one] = status.alerts as [Alert]
    const last: Alert = { ...one, labels: { ...one.labels, node_id } }
    const alerts = [one, one, one, one, one, last]
    const [urgent] = problemSection({ ...status, alerts }, { prefix: '', telemetryPath: '' }).map(written)
    expect(urgent).toContain(`<a href="${link}">and 1 more</a>`)
  })

  test('that they stay while their data is missing, and since when', async () => {
    const run =
      'stakewatch_collector_interval_seconds{network="fuji",collector="uptime",source="node-a",target="primary"} 60'
    const world = shown({ yaml, lines: [...DISCONNECTED, run] })
    world.set(NOW + 300)
    await world.evaluate()
    world.publish([...DISCONNECTED.filter((line) => line.includes('_tracked')), run])
    world.set(NOW + 360)
    await world.evaluate()
    expect(world.status().alerts).toMatchObject([{ alert: 'StakewatchValidatorDisconnected', state: 'firing' }])
    expect(world.answer('/').body).toContain('There has been no data since')
    expect(titleOf(world.answer('/').body)).toBe('1 critical - stakewatch')
  })

  test('that they are unknown while the daemon has not judged for two minutes', async () => {
    const world = shown({ yaml, lines: DISCONNECTED })
    world.set(NOW + 120)
    expect(world.status()).toMatchObject({ rules: { current: false }, alerts: [{ state: 'unknown' }] })
    expect(titleOf(world.answer('/').body)).toBe('nothing is being judged - stakewatch')
    const status = world.status()
    const alerts = (['critical', 'warning', 'info'] as const).map((severity) => ({ ...status.alerts[0]!, severity }))
    const [, rest] = problemSection({ ...status, alerts }, { prefix: '', telemetryPath: '' }).map(written)
    expect(rest).toContain('<summary>3 unknown</summary>')
    await world.evaluate()
    expect(world.status()).toMatchObject({ rules: { current: true }, alerts: [{ state: 'pending' }] })
  })
})

test.each([
  [{ ordinal: 0, shards: 1 }, 'are configured.'],
  [{ ordinal: 1, shards: 2 }, 'fall to this shard.'],
])('where there are no validators and no upstreams it says why: %j', (shard, why) => {
  const status = { ...shown({ yaml }).status(), validators: [], upstreams: [], shard }
  const links = { prefix: '', telemetryPath: '' }
  const body = statusPage({
    status,
    links,
    filter: filterOf({ still: '' }),
    connectedDay: () => [],
    limits: thresholds,
  })
  for (const one of [body, written(upstreamSection(status, links))]) expect(one).toContain(`No upstreams ${why}`)
  expect(body).toContain(`No validators ${why}`)
})

test('shows values of subnets, chains, wallets, routes and probes with their alerts', () => {
  const { status, answer } = shown({
    yaml: yamlOf(
      ['node-a'],
      [],
      `    subnets: [{ id: ${SUBNET}, name: orchard }]
    chains: [{ id: c-chain, evm_chain_id: 43113, stall_after: 2m }]
    data_api: { url: 'http://10.0.0.9' }
    addresses: [{ name: relayer, addresses: ['0x9f8b4a3e0f5d6c7b8a9f0e1d2c3b4a5968778695'], chains: [c-chain], min_balance: 5 }]
    icm: { routes: [{ name: home, from: '43113', to: '99999' }] }`,
    ),
    lines: [
      'stakewatch_l1_weight{network="fuji",subnet="orchard",source="node-a",of="connected"} 600',
      'stakewatch_l1_weight{network="fuji",subnet="orchard",source="node-a",of="total"} 1000',
      'stakewatch_evm_head_height{network="fuji",chain="c-chain"} 1895',
      'stakewatch_node_evm_head_height{network="fuji",chain="c-chain",source="node-a"} 1897',
      `stakewatch_evm_head_timestamp_seconds{network="fuji",chain="c-chain"} ${NOW - 20}`,
      `stakewatch_node_evm_head_timestamp_seconds{network="fuji",chain="c-chain",source="node-a"} ${NOW - 10}`,
      'stakewatch_chain_stall_threshold_seconds{network="fuji",chain="c-chain"} 120',
      'stakewatch_address_native_balance_tokens{network="fuji",address="relayer",chain="c-chain"} 1.5',
      'stakewatch_address_native_balance_expectation_met{network="fuji",address="relayer",chain="c-chain",expectation="min_balance"} 0',
      `stakewatch_icm_oldest_pending_timestamp_seconds{network="fuji",route="home"} ${NOW - 60}`,
    ],
  })
  const { subnets, chains, wallets, routes } = status()
  expect(subnets.find(({ name }) => name === 'orchard')).toMatchObject({
    weight_ratio: 0.6,
    first_depletion_timestamp_seconds: null,
  })
  // Of an L1 at 60 % no message is signed: that is what its card says.
  expect(subnets[0]!.alerts.map(({ alert }) => alert)).toContain('StakewatchL1MessagesUnsigned')
  expect(chains).toMatchObject([{ height: 1_897, head_timestamp_seconds: NOW - 10, stall_threshold_seconds: 120 }])
  expect(wallets).toMatchObject([
    {
      min_balance_tokens: 5,
      balances: [{ chain: 'c-chain', tokens: 1.5 }],
      alerts: [{ alert: 'StakewatchWalletLow' }],
    },
  ])
  expect(routes).toMatchObject([{ oldest_pending_timestamp_seconds: NOW - 60, alerts: [] }])
  const row = answer('/').body.replaceAll(/\s+/g, ' ')
  expect(row).toContain('60% of its weight is online')
  expect(row).toContain('newest block 10 s old')
  expect(row).toContain('1.5 on c-chain; at least 5')
  expect(row).toContain('a message has waited for 1 min')
  const text = answer('/watched').body.replaceAll(/\s+/g, ' ')
  expect(text).toContain('60.0%; healthy nodes need 80%, blocks 75%, messages 67%')
  expect(text).toContain('<dd>10 s old</dd>')
  expect(text).toContain('<dd>1.5 tokens</dd>')
})

test('expired data disappears immediately', () => {
  const lines = linesOf({}, { validator_in_set: 1 }, { 'node-a': { validator_connected: 1 } })
  const { status, publish, set, clock } = shown({ yaml, lines })
  const { wall, steady } = clock.now()
  publish(lines, { wall: wall + 100, steady: steady + 100 })
  expect(status().validators[0]!.state).toBe('connected')
  set(NOW + 0.2)
  expect(status().validators[0]!.state).toBe('unknown')
})

const SUBNET = '2dzaLhtGXfV9LRWVs9vJZb22XA82qSSyWyJUDbMkAkHuN5jxYZ'

const idOf = (at: number) => `NodeID-${String(at)}`

const rowsOf = (body: string) =>
  [...body.matchAll(/<th scope="row">\s*<a href="\/validators\/([\w-]+)"/g)].map(([, name]) => name!)

test('of 1,500 validators it shows 25 on a page, the worst first, and finds the others', () => {
  const { answer } = fleet(1_500)
  const { body } = answer('/')
  // The last two of the configuration come first.
  expect(rowsOf(body).slice(0, 3)).toEqual(['v1498', 'v1499', 'v0'])
  expect(rowsOf(body)).toHaveLength(25)
  expect(body.replace(/\s+/g, ' ')).toContain('Page 1 of 60 <a href="/?page=2#validators">Next</a>')
  expect(body).toContain('<a href="/?state=disconnected#validators">2 disconnected</a>')
  const all = Array.from({ length: 60 }, (_, at) => rowsOf(answer('/', { page: String(at + 1) }).body)).flat()
  expect(new Set(all).size).toBe(1_500)
  expect(rowsOf(answer('/', { state: 'disconnected' }).body)).toEqual(['v1498', 'v1499'])
  expect(rowsOf(answer('/', { q: 'V149' }).body).toSorted()).toEqual(
    ['v149', ...Array.from({ length: 10 }, (_, at) => `v149${at}`)].toSorted(),
  )
  expect(rowsOf(answer('/', { network: 'other' }).body)).toEqual([])
  expect(answer('/', { q: 'none' }).body).toContain('No validator fits.')
  // Whatever else is asked for is the first or the last page.
  for (const page of ['0', '-1', 'x', '']) expect(rowsOf(answer('/', { page }).body)[0]).toBe('v1498')
  expect(rowsOf(answer('/', { page: '1e9' }).body)).toHaveLength(25)
  expect(JSON.parse(answer('/api/v1/status').body).validators).toHaveLength(1_500)
  expect(Buffer.byteLength(body)).toBeLessThan(30 * 1024)
  // However many look within a second, it is made once.
  expect(answer('/')).toBe(answer('/'))
})

test('of 30 that are away, those with the least time left come first, and a link leads to all', async () => {
  const { answer, set, evaluate, status } = fleet(40, 30)
  set(NOW + 600)
  await evaluate()
  const { body } = answer('/')
  // The budget falls with the place in the configuration, and that of the last one is used up.
  expect(rowsOf(body).slice(0, 3)).toEqual(['v38', 'v37', 'v36'])
  expect(body).toContain('v38 disconnected on fuji')
  expect(body).toMatch(/, its reward is lost in 1 min if it stays away; firing for 5 min, 29 more like it/)
  const [, listed] = /watch it\.<\/h3>\s*<ul>([^]*?)<\/ul>/.exec(body)!
  expect([...listed!.matchAll(/<li>(v\d+)/g)].map(([, name]) => name)).toEqual(['v38', 'v37', 'v36', 'v35', 'v34'])
  // What it costs is said once.
  expect(listed!.match(/<p>Validator (v\d+) /g)).toEqual(['<p>Validator v38 '])
  const link = '/?alert=StakewatchValidatorDisconnected#validators'
  expect(listed).toContain(`<a href="${link}">and 25 more</a>`)
  const found = answer('/', { alert: 'StakewatchValidatorDisconnected', page: '2' }).body
  expect(rowsOf(found)).toEqual(
    status()
      .validators.slice(25, 30)
      .map(({ name }) => name),
  )
  expect(rowsOf(answer('/', { alert: 'x' }).body)).toEqual([])
})

/** Validators without a checksum: the configuration is not read from a file. */
function fleet(count: number, away = 2) {
  const all = Array.from({ length: count }, (_, at) => ({ node_id: idOf(at), validator: `v${at}` }))
  const facts = { validator_in_set: 1, validator_tracked: 1, validator_start_timestamp_seconds: NOW - DAY }
  const left = (at: number) => (away > 2 ? { validator_downtime_budget_seconds: 60 * (count - 1 - at) || -60 } : {})
  const lines = all.flatMap((labels, at) => {
    const connected = { validator_connected: at < count - away ? 1 : 0, validator_uptime_ratio: 0.99, ...left(at) }
    return linesOf(labels, facts, { 'node-a': connected, 'node-b': connected })
  })
  const validators = all.map(({ node_id, validator: name }) => ({ node_id, name, subnet: 'primary', expect: {} }))
  return shown({ yaml: yamlOf(['node-a', 'node-b'], []), lines, validators })
}

test('of tasks that went alike it shows three and the number of the others, what failed first', () => {
  const { status } = fleet(1)
  const [task] = status().tasks
  const some = (count: number, change: Partial<TaskRow>) =>
    Array.from({ length: count }, (_, at) => ({ ...task!, collector: 'listed', target: `t${at}`, ...change }))
  const limited = some(40, { result: 'failure', reason: 'HTTP 429' })
  const tasks = [...limited, ...some(4, { result: null }), ...some(5, { result: 'success' })]
  const body = written(taskSection({ ...status(), tasks }, { prefix: '', telemetryPath: '/metrics' }))
  expect(body).toContain('49 planned, 40 failing, 4 without a result yet.')
  // Instead of the number of one other, that one.
  expect([...body.matchAll(/fuji\/(t\d+)/g)].map(([, name]) => name)).toEqual(
    't0 t1 t2 t0 t1 t2 t3 t0 t1 t2'.split(' '),
  )
  expect([...body.matchAll(/class="quiet">(\d+ more [^<]+)</g)].map(([, text]) => text)).toEqual([
    '37 more listed: failure',
    '2 more listed: success',
  ])
})

test('of a task that is not supported it says when that is asked again', () => {
  const { status } = fleet(1)
  const nextOf = (result: TaskRow['result']) => {
    const tasks = [{ ...status().tasks[0]!, result, interval_seconds: 10, next_run_timestamp_seconds: NOW + 7 }]
    const body = written(taskSection({ ...status(), tasks }, { prefix: '', telemetryPath: '/metrics' }))
    return /about in [^<]*/.exec(body)![0]
  }
  expect(nextOf('success')).toBe('about in 7 s, every 10 s')
  expect(nextOf('unsupported')).toBe('about in 7 s, every 10 s; asked again within an hour')
})

test('each link respects the prefix', () => {
  const { answer } = shown({
    yaml,
    prefix: '/watch',
    lines: linesOf({}, { validator_in_set: 1 }, { 'node-a': { validator_connected: 0 } }),
    runbook: () => '',
  })
  for (const [path, name] of [['/'], ['/runbooks'], ['/runbooks/:name', 'StakewatchRewardLost']] as const) {
    const links = [...answer(path, {}, name).body.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(link).toMatch(/^\/watch\//)
  }
})

test('it is loaded again, except for those who asked for it to stay', () => {
  expect(page()).toContain('<meta http-equiv="refresh" content="30"')
  expect(page({}, { still: '' })).not.toContain('http-equiv')
})

test('links that narrow the list leave it still, and the one that stops reloading leaves it narrow', () => {
  const { answer } = fleet(60)
  const linksOf = (query: Readonly<Record<string, string>>) =>
    Array.from(answer('/', query).body.matchAll(/href="\/(\?[^"]*)"/g), ([, link]) => link!.replaceAll('&#38;', '&'))
  const still = linksOf({ still: '', state: 'connected' })
  expect(still).toContain('?state=connected&page=2&still=#validators')
  expect(still).toContain('?state=connected')
  expect(answer('/', { still: '' }).body).toContain('<input type="hidden" name="still" value="" />')
  expect(linksOf({ state: 'connected', page: '2' })).toContain('?state=connected&page=2&still=')
  expect(linksOf({})).toContain('?still=')
})

describe('a runbook', () => {
  const text = `# StakewatchRewardLost

Severity \`critical\`.

## Meaning

It is **lost**.

## Diagnosis

1. Ask \`stakewatch query info.peers --config.network=NETWORK\` for \`{source="…"}\`; see
   [another](StakewatchDown.md) and [the document](../alerting.md).
`
  const asked: string[] = []
  const { answer } = shown({
    yaml,
    runbook(alert) {
      asked.push(alert)
      return alert === 'StakewatchRewardLost' ? text : undefined
    },
  })
  const bodyOf = (query = {}, name = 'StakewatchRewardLost') => answer('/runbooks/:name', query, name).body

  test('says what to do first, and what it means last', () => {
    const body = bodyOf()
    expect([...body.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual(['Diagnosis', 'Meaning'])
    expect(body).toContain('It is <strong>lost</strong>.')
    expect(body).toContain('<a href="/runbooks/StakewatchDown">another</a> and the document.')
  })

  test('fills in what the link of the alert knows, as text', () => {
    expect(bodyOf()).toContain('--config.network=NETWORK</code> for <code>{source=&quot;…&quot;}')
    const body = bodyOf({ network: 'fuji', source: HOSTILE, hidden: 7 })
    expect(body).toContain(`--config.network=fuji</code> for <code>{source=&quot;${ESCAPED}&quot;}`)
    expect(body).not.toContain('<script')
  })

  test('has the name of an alert: no other file is read', () => {
    // As the links of the alert rules name it.
    expect(bodyOf({}, 'StakewatchRewardLost.md')).toBe(bodyOf())
    asked.length = 0
    for (const name of ['StakewatchDown', '../../README', 'constructor', '']) {
      expect(answer('/runbooks/:name', {}, name)).toEqual({
        code: 404,
        type: 'text/plain; charset=utf-8',
        body: 'There is no such runbook here.\n',
      })
    }
    expect(asked).toEqual(['StakewatchDown'])
  })
})

describe('the colours have the contrast that WCAG 2.2 asks for', () => {
  /** Relative luminance and contrast as WCAG defines them. */
  const luminance = (colour: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one: string, other: string) => {
    const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
    return (light + 0.05) / (dark + 0.05)
  }
  test.each(Object.entries(palettes))('%s', (_, palette) => {
    expect(contrast('#000000', '#ffffff')).toBe(21)
    for (const background of [palette.page, palette.card]) {
      for (const text of ['text', 'quiet', 'link', 'critical', 'warning', 'good', 'maintenance'] as const) {
        expect(contrast(palette[text], background)).toBeGreaterThanOrEqual(4.5)
      }
    }
    // The filled part of a bar against the rest.
    for (const fill of ['quiet', 'critical', 'warning', 'good'] as const) {
      expect(contrast(palette[fill], palette.track)).toBeGreaterThanOrEqual(3)
    }
  })
})

test.each([
  [[0], '0 s of downtime', '0 s'],
  [[-1], 'reward lost', 'none: exceeded by 1 s'],
  [[-20, 10], 'reward at risk', 'none for half of the observers'],
  [[-20, -10, 10], 'reward lost', 'none: exceeded by 10 s'],
])('the reward is lost once most observers see the downtime budget exceeded, not while it is used up: %j', (...row) => {
  const [budgets, text, left] = row
  const seen = budgets.map((budget, at) => [
    `node-${'abc'[at]}`,
    { validator_downtime_budget_seconds: budget, validator_reward_state: budget < 0 ? 'lost' : 'at_risk' },
  ])
  const lines = linesOf({}, { validator_in_set: 1, validator_tracked: 1 }, Object.fromEntries(seen))
  const world = shown({ yaml, lines })
  const { body } = world.answer('/')
  const texts = ['0 s of downtime', 'reward lost', 'reward at risk']
  expect(texts.filter((one) => body.includes(one))).toEqual([text])
  const section = world.answer('/validators/:name', {}, 'val-1').body.replace(/>\s+</g, '><')
  expect(section).toContain(`<dt>Downtime left before the reward is lost</dt><dd>${left}<`)
})

test('an upstream that refuses access before it has answered counts once', () => {
  const body = page({
    yaml: yamlOf(['node-a'], [], '    data_api: { url: https://data.example.com, network: fuji }'),
    lines: ['stakewatch_upstream_refusing{network="fuji",source="data-api"} 1'],
  })
  expect(body).toMatch(/: 1 of 2 answer; <span class="critical">not fuji\/data-api<\/span>\./)
})

test('the bars of a balance are full at the limit of the configuration', () => {
  const lines = linesOf(
    {},
    { validator_in_set: 1, l1_validator_active: 1, l1_validator_depletion_timestamp_seconds: NOW + 15 * DAY },
  )
  const widths = (limits: string) => {
    const { answer } = shown({ yaml: `${yaml}${limits}`, lines })
    return [answer('/').body, answer('/validators/:name', {}, 'val-1').body].map(
      (body) => /is-plain" width="([^"]*)"/.exec(body)?.[1],
    )
  }
  expect([widths(''), widths('\nlimits: { runwayPlanned: 40d }')]).toEqual([
    ['50', '50'],
    ['37.5', '37.5'],
  ])
})

test('when an undelivered message pages is said by the limit of the configuration', () => {
  const route = '{ name: ab, from: "43113", to: "173750" }'
  const after = (limits: string) => {
    const world = shown({ yaml: `${yamlOf(['node-a'], [], `    icm: { routes: [${route}] }`)}${limits}` })
    return /Alert after<\/dt>\s*<dd>([^<]*)/.exec(world.answer('/watched').body)?.[1]
  }
  expect([after(''), after('\nlimits: { messagePending: 2h }')]).toEqual(['30 min', '2 h'])
})

test('how long a balance lasts is shown by the limit of the configuration', () => {
  const lines = linesOf({}, { l1_validator_active: 1, l1_validator_depletion_timestamp_seconds: NOW + 30 * DAY })
  const shownBy = (limits: string) => {
    const { answer } = shown({ yaml: `${yaml}${limits}`, lines })
    const full = /a full bar is ([^<]*) or more/.exec(answer('/validators/:name', {}, 'val-1').body)?.[1]
    return [full, /of balance[^]*?fill[^]*?width="(\d+)/.exec(answer('/').body)?.[1]]
  }
  expect(shownBy('')).toEqual(['30 d', '100'])
  expect(shownBy('\nlimits: { runwayPlanned: 60d }')).toEqual(['60 d', '50'])
})

test('of a route that was not polled the page does not say that no message waits', () => {
  const route = '{ name: ab, from: "43113", to: "173750" }'
  const body = page({ yaml: yamlOf(['node-a'], [], `    icm: { routes: [${route}] }`) })
  expect(body).toContain('no waiting message is known')
})
