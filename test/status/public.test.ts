// The public page without a daemon: what it says of each kind of validator, and what never gets there.

import { describe, expect, test } from 'vitest'
import { everyMetric } from '../../src/commands/catalogue.ts'
import { publicMetricNames, type PublicStatus, type PublicValidator } from '../../src/status/value/public.ts'
import { pageOfPublic, publicPage } from '../../src/status/page/public-page.ts'
import { DAY, linesOf, NOW, shown, VAL_1, type World, yamlOf } from '../support/status.ts'

const PAGE = 'public: { validators: [{ validator: val-1 }] }'
const yaml = yamlOf(['node-a', 'node-b', 'node-c'], [`{ node_id: ${VAL_1}, name: val-1 }`], PAGE)

/** When a collector last succeeded, and its interval of a minute. */
function polled(ages: Readonly<Record<string, number>>, target = 'primary'): string[] {
  return Object.entries(ages).flatMap(([run, age]) => {
    const [collector, source = ''] = run.split('/')
    const of = `{network="fuji",collector="${collector}",source="${source}",target="${target}"}`
    return [
      `stakewatch_collector_last_success_timestamp_seconds${of} ${NOW - age}`,
      `stakewatch_collector_interval_seconds${of} 60`,
    ]
  })
}

const facts = {
  validator_in_set: 1,
  validator_stake_tokens: 2_000,
  validator_delegation_fee_ratio: 0.02,
  validator_delegation_capacity_tokens: 7_500.5,
  validator_end_timestamp_seconds: NOW + 20 * DAY,
}
const sees = (uptime: number, reward = 'on_track') => ({
  validator_uptime_ratio: uptime,
  validator_reward_state: reward,
})
const opinions = { 'node-a': sees(0.99), 'node-b': sees(0.97) }
const lines = [...linesOf({}, facts, opinions), ...polled({ validators: 20, 'uptime/node-a': 30, 'uptime/node-b': 10 })]

async function said(world: Partial<World>) {
  const one = shown({ yaml, ...world })
  await one.evaluate()
  const status = JSON.parse(one.publicAnswer('/public.json').body) as PublicStatus
  return { ...one, status, validator: status.validators[0]!, body: one.publicAnswer('/public').body }
}

/** What the entries of the first card say, by their terms. */
const entriesOf = (body: string) =>
  Object.fromEntries(
    Array.from(body.split('</article>')[0]!.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>([^]*?)<\/dd>/g), ([, term, text]) => [
      term!,
      text!.replace(/<[^>]*>/g, '').trim(),
    ]),
  )

const known: PublicValidator = {
  name: null,
  node_id: VAL_1,
  state: 'validating',
  // Between 99 % and 97 %.
  uptime_ratio: 0.98,
  stake_tokens: 2_000,
  delegation_fee_ratio: 0.02,
  delegation_capacity_tokens: 7_500.5,
  reward_state: 'on_course',
  end_timestamp_seconds: NOW + 20 * DAY,
  polled_timestamp_seconds: NOW - 30,
  old: false,
}
const unknown: PublicValidator = {
  ...known,
  state: 'unknown',
  uptime_ratio: null,
  stake_tokens: null,
  delegation_fee_ratio: null,
  delegation_capacity_tokens: null,
  reward_state: null,
  end_timestamp_seconds: null,
  polled_timestamp_seconds: null,
}
const gone: PublicValidator = { ...unknown, state: 'not_validating', polled_timestamp_seconds: NOW - 30 }

test('a validator of the primary network: the JSON and the page say the same', async () => {
  const { status, body } = await said({ lines })
  expect(status).toEqual({ title: null, simulated: false, timestamp_seconds: NOW, validators: [known] })
  expect(entriesOf(body)).toEqual({
    Uptime: '98.00%',
    Reward: 'on course',
    'Own stake': '2,000 AVAX',
    'Delegation fee': '2.00%',
    'Room for delegations': '7,500.5 AVAX',
    'End of the period': '2026-06-17 20:26 UTC, in 20 d',
  })
  expect(body).toContain('Data from 2026-05-28 20:26 UTC')
})

describe('each kind of validator', () => {
  const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
  const ofL1 = yamlOf(
    ['node-a'],
    [`{ node_id: ${VAL_1}, name: val-1, subnet: acre }`],
    `    subnets: [{ id: ${L1}, name: acre }]\npublic: { validators: [{ validator: val-1, subnet: acre }] }`,
  )
  const inL1 = (lines: readonly string[]) => lines.map((line) => line.replace('subnet="primary"', 'subnet="acre"'))
  const info = `stakewatch_validator_info{network="fuji",subnet="acre",node_id="${VAL_1}",validator="val-1",kind="l1"} 1`
  const liveness = inL1(linesOf({}, { validator_in_set: 1 }, { 'node-a': { l1_validator_uptime_ratio: 0.5 } }))
  const polledL1 = polled({ validators: 30, 'l1-liveness/node-a': 20 }, 'acre')
  const { name, node_id, polled_timestamp_seconds, old } = known
  const l1 = { name, node_id, state: 'validating', uptime_ratio: 0.5, polled_timestamp_seconds, old }

  test.each<[string, Partial<World>, object, string]>([
    ['that was never polled is unknown, never 0', { lines: [] }, unknown, 'There is no current data.'],
    [
      'whose data has expired is unknown, although the time of the last poll is known',
      { lines: polled({ validators: 600, 'uptime/node-a': 600 }) },
      unknown,
      'There is no current data.',
    ],
    [
      'that is not in the set, whatever nodes still report of it',
      { lines: [...linesOf({}, { ...facts, validator_in_set: 0 }, opinions), ...polled({ validators: 30 })] },
      gone,
      'not validating now',
    ],
    [
      'whose period is over, before the chain removes it',
      { lines: lines.map((line) => line.replace(`${NOW + 20 * DAY}`, `${NOW - 60}`)) },
      { ...known, end_timestamp_seconds: NOW - 60 },
      '2026-05-28 20:25 UTC, over',
    ],
    [
      'that takes no further delegation has a room of 0',
      { lines: lines.map((line) => line.replace('7500.5', '0')) },
      { ...known, delegation_capacity_tokens: 0 },
      'none: no further delegation fits',
    ],
    [
      'that a node reports as disconnected without an uptime',
      {
        lines: [
          ...linesOf({}, facts, { 'node-a': { validator_connected: 0 } }),
          ...polled({ validators: 30, 'uptime/node-a': 40 }),
        ],
      },
      {
        ...known,
        state: 'disconnected',
        uptime_ratio: null,
        reward_state: null,
        polled_timestamp_seconds: NOW - 40,
      },
      'disconnected now',
    ],
    [
      'that no node observes: its stake is known, its uptime and reward are not',
      { lines: [...linesOf({}, facts), ...polled({ validators: 30 })] },
      { ...known, uptime_ratio: null, reward_state: null },
      'unknown',
    ],
    [
      'of an L1 has no stake, no fee, no reward and no period',
      { yaml: ofL1, lines: [...liveness, info, ...polledL1] },
      l1,
      '50.00%',
    ],
    [
      'of an L1 to which no node is connected',
      {
        yaml: ofL1,
        lines: [...liveness, info, ...inL1(linesOf({}, {}, { 'node-a': { l1_validator_connected: 0 } })), ...polledL1],
      },
      { ...l1, state: 'disconnected' },
      'disconnected now',
    ],
    [
      'of an L1 without a balance does not validate',
      {
        yaml: ofL1,
        lines: [...liveness, info, ...inL1(linesOf({}, { l1_validator_active: 0 })), ...polledL1],
      },
      { ...l1, state: 'not_validating', uptime_ratio: null },
      'not validating now',
    ],
    [
      'of an L1 without a balance by the data service, where no node answers, as the alert has it',
      {
        yaml: ofL1,
        lines: [
          ...inL1(linesOf({}, { l1_validator_listed_balance_tokens: 0 })),
          ...polled({ validators: 600, 'listed-l1s': 40 }, 'acre'),
        ],
      },
      {
        ...l1,
        state: 'not_validating',
        uptime_ratio: null,
        end_timestamp_seconds: null,
        polled_timestamp_seconds: NOW - 40,
      },
      'not validating now',
    ],
    [
      'of a subnet of another kind has an end',
      { yaml: ofL1, lines: [...inL1(linesOf({}, { ...facts })), ...polled({ validators: 30 }, 'acre')] },
      { ...l1, uptime_ratio: null, end_timestamp_seconds: NOW + 20 * DAY },
      '2026-06-17 20:26 UTC, in 20 d',
    ],
  ])('%s', async (_, world, expected, text) => {
    const { validator, body } = await said(world)
    expect(validator).toEqual(expected)
    expect(body).toContain(text)
    expect(body.match(/<article/g)).toHaveLength(1)
  })
})

describe('the reward, by what the nodes see', () => {
  test.each([
    [['safe'], 'on_course', 'on course'],
    [['on_track', 'safe', 'lost'], 'on_course', 'on course'],
    [['on_track', 'at_risk'], 'at_risk', 'at risk'],
    [['on_track', 'lost'], 'at_risk', 'at risk'],
    [['at_risk', 'lost', 'safe'], 'at_risk', 'at risk'],
    [['lost', 'lost', 'safe'], 'lost', 'lost'],
    [['a state of a later version'], null, 'unknown'],
    [[], null, 'unknown'],
  ] as const)('%j is %s', async (votes, state, text) => {
    const all = Object.fromEntries(votes.map((vote, at) => [`node-${'abc'[at]}`, sees(0.9, vote)]))
    const { validator, body } = await said({ lines: linesOf({}, facts, all) })
    expect(validator.reward_state).toBe(state)
    expect(entriesOf(body)['Reward']).toBe(text)
  })
})

describe('whether nodes are connected to it: most of them decide', () => {
  test.each<[votes: readonly (0 | 1 | null)[], PublicValidator['state'], text: string]>([
    [[1, 1, 1], 'validating', 'validating'],
    [[1, 1, 0], 'validating', 'validating'],
    [[1, 0], 'validating', 'validating'],
    [[1, 0, 0], 'disconnected', 'disconnected now'],
    [[null, null, 0], 'disconnected', 'disconnected now'],
    [[null, null, null], 'validating', 'validating'],
  ])('%j: %s', async (votes, state, text) => {
    const all = votes.map((vote, at) => {
      const opinion = { ...sees(0.9), ...(vote !== null && { validator_connected: vote }) }
      return [`node-${'abc'[at]}`, opinion] as const
    })
    const { validator, body } = await said({ lines: linesOf({}, facts, Object.fromEntries(all)) })
    expect(validator.state).toBe(state)
    expect(/<span class="state \w+">([^<]*)</.exec(body)![1]).toBe(text)
    expect(body.includes('its uptime falls')).toBe(state === 'disconnected')
    // It has not left: what it promises is still true.
    expect(entriesOf(body)).toMatchObject({ Uptime: '90.00%', Reward: 'on course' })
  })
})

describe('nodes whose opinions do not count', () => {
  test('one of another network has no say', async () => {
    const foreign = 'stakewatch_node_in_network{network="fuji",source="node-b"} 0'
    const { validator } = await said({ lines: [...lines, foreign] })
    expect(validator.uptime_ratio).toBe(0.99)
  })

  test('that of another network does not say that it is disconnected either', async () => {
    const away = linesOf({}, facts, { 'node-b': { ...sees(0.97), validator_connected: 0 } })
    expect((await said({ lines: away })).validator.state).toBe('disconnected')
    const foreign = 'stakewatch_node_in_network{network="fuji",source="node-b"} 0'
    expect((await said({ lines: [...away, foreign] })).validator.state).toBe('validating')
  })

  test('where none is left, one that the alert still holds for disconnected is not shown as back', async () => {
    const inSet = { ...facts, validator_tracked: 1 }
    const runs = polled({ validators: 20, 'uptime/node-a': 30 })
    const away = [...linesOf({}, inSet, { 'node-a': { ...sees(0.97), validator_connected: 0 } }), ...runs]
    const { publicAnswer, publish, set, validator } = await said({ lines: away })
    expect(validator.state).toBe('disconnected')
    const stateAt = (seconds: number, some: readonly string[]) => {
      set(NOW + seconds)
      publish(some)
      const { validators } = JSON.parse(publicAnswer('/public.json').body) as PublicStatus
      return validators[0]!.state
    }
    expect(stateAt(360, away)).toBe('disconnected')
    expect(stateAt(400, [...linesOf({}, inSet), ...runs])).toBe('disconnected')
    const back = linesOf({}, inSet, { 'node-a': { ...sees(0.97), validator_connected: 1 } })
    expect(stateAt(440, [...back, ...runs])).toBe('validating')
    expect(stateAt(480, [...linesOf({}, inSet), ...runs])).toBe('validating')
  })

  test('before the first evaluation of the rules it is not known which these are', () => {
    const { publicAnswer } = shown({ yaml, lines, isUnevaluated: true })
    const { validators } = JSON.parse(publicAnswer('/public.json').body) as PublicStatus
    expect(validators).toEqual([
      { ...known, uptime_ratio: null, reward_state: null, polled_timestamp_seconds: NOW - 20 },
    ])
  })
})

describe('the age of data', () => {
  const young = { validators: 20, 'uptime/node-a': 30, 'uptime/node-b': 10 }
  test.each<[string, Readonly<Record<string, number>>, number, boolean, string]>([
    ['all polls within two intervals', { ...young, validators: 120 }, 120, false, 'Data from 2026-05-28 20:24 UTC<'],
    ['a stake not polled for longer', { ...young, validators: 121 }, 121, true, '20:24 UTC, 2 min 1 s ago'],
    [
      'one opinion that is older',
      { ...young, 'uptime/node-b': 250 },
      250,
      true,
      '2026-05-28 20:22 UTC, 4 min 10 s ago',
    ],
  ])('%s', async (_, ages, age, old, text) => {
    const { validator, body } = await said({ lines: [...linesOf({}, facts, opinions), ...polled(ages)] })
    expect([validator.polled_timestamp_seconds, validator.old]).toEqual([NOW - age, old])
    expect(body.includes('<strong>Old data</strong>')).toBe(old)
    expect(body).toContain(text)
  })

  test('when the scheduler stands still, all is unknown', async () => {
    const { say, clock, set, publicAnswer, validator } = await said({ lines })
    expect(validator.state).toBe('validating')
    say({ kind: 'tick', at: clock.now() })
    set(NOW + 61)
    const { validators } = JSON.parse(publicAnswer('/public.json').body) as PublicStatus
    expect(validators[0]).toEqual(unknown)
  })
})

test('is rebuilt at most every five seconds for any number of visitors, and at once by a reload or what is withdrawn', async () => {
  const { publicAnswer, set, reload, say } = await said({ lines })
  const first = publicAnswer('/public')
  set(NOW + 4.9)
  expect(publicAnswer('/public')).toBe(first)
  set(NOW + 5)
  const second = publicAnswer('/public')
  expect(second).not.toBe(first)
  say({ kind: 'drop', keys: ['unit'] })
  expect(publicAnswer('/public').body).toContain('There is no current data.')
  reload(yaml.replace('validators: [{ validator: val-1 }]', 'validators: [{ validator: val-1, name: Renamed }]'))
  expect(publicAnswer('/public').body).toContain('Renamed')
  reload(yaml.replace(PAGE, ''))
  for (const path of ['/public', '/public.json'] as const) {
    expect(publicAnswer(path)).toEqual({ code: 404, type: expect.any(String), body: 'There is no public page.\n' })
  }
})

describe('nothing private gets there', () => {
  const planted: string[] = []
  function secret(): string {
    const one = `mrk${planted.length}secretQzWvJ`
    planted.push(one)
    return one
  }
  const other = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
  const [own, net, elsewhere, sub, node, wallet] = Array.from({ length: 6 }, secret) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const url = () => `"http://${secret()}:${secret()}@${secret().toLowerCase()}.example/${secret()}?key=${secret()}"`
  const network = (name: string) => `  - name: ${name}
    network: fuji
    nodes: [{ name: ${node}, url: ${url()} }]
    data_api: { url: ${url()}, key: ${secret()}, key_header: ${secret()} }
    metrics_api: { url: ${url()} }
    subnets: [{ id: 2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof, name: ${sub} }]
    validators:
      - { node_id: ${VAL_1}, name: ${own}, expect: { reward_addresses: [P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66] } }
      - { node_id: ${VAL_1}, name: ${own}, subnet: ${sub} }
      - { node_id: ${other}, name: ${secret()} }
    chains: [{ id: c-chain, name: ${secret()}, evm_chain_id: 43113 }]
    addresses: [{ name: ${wallet}, addresses: [P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66] }]
    icm: { routes: [{ name: ${secret()}, from: '1', to: '2' }] }
    signature_probes: [{ name: ${secret()}, message: '00' }]
    maintenance: [{ name: ${secret()}, schedule: '* * * * *', for: 1m, nodes: [${node}] }]
`
  const world = `networks:
${network(net)}${network(elsewhere)}public: { title: Our page, validators: [{ validator: ${own}, network: ${net} }, { validator: ${own}, network: ${net}, subnet: ${sub}, name: Named }] }
`
  // The secrets that are ids must not come out either.
  planted.push(
    'P-fuji1w508d6qejxtdg4y5r3zarvary0c5xw7krd7v66',
    other,
    '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof',
  )
  const of = (subnet: string) => ({ network: net, subnet, validator: own })
  const failed = { network: net, source: secret(), reason: secret() }
  const published = [
    ...linesOf(of('primary'), facts, { [node]: sees(0.99, 'lost'), [secret()]: sees(0.97, secret()) }),
    ...linesOf(of(sub), facts, { [node]: { l1_validator_uptime_ratio: 0.9 } }),
    ...linesOf({ network: net, node_id: other, validator: secret() }, facts, {}),
    ...linesOf({ network: elsewhere, validator: own }, facts, {}),
    `stakewatch_validator_info{network="${net}",subnet="${sub}",node_id="${VAL_1}",kind="${secret()}",validation_id="${secret()}"} 1`,
    `stakewatch_validator_expectation_met{network="${net}",subnet="primary",node_id="${VAL_1}",expectation="${secret()}"} 0`,
    `stakewatch_node_info{network="${net}",source="${node}",id="${secret()}",version="${secret()}"} 1`,
    `stakewatch_address_balance_tokens{network="${net}",address="${wallet}",chain="${secret()}",asset="${secret()}"} 1`,
    `stakewatch_upstream_up{network="${net}",source="${node}"} 0`,
  ]

  test.each(['/public', '/public.json'] as const)('%s: in the body, the headers and the type', async (path) => {
    const one = shown({
      yaml: world,
      version: secret(),
      lines: published,
      rows: [
        {
          ...failed,
          key: `uptime/${net}/primary/${node}`,
          result: 'failure',
          finishedAt: NOW * 1_000,
          took: 0,
          series: 0,
        },
      ],
      errors: [{ ...failed, operation: secret(), code: 'timeout', at: NOW * 1_000 }],
    })
    await one.evaluate()
    const answer = JSON.stringify(one.publicAnswer(path))
    // It is there, and it is not empty.
    expect(answer).toContain('Our page')
    expect(answer).toContain('Named')
    expect(answer).toContain(VAL_1)
    expect(answer).toMatch(path === '/public' ? /2,000 AVAX/ : /\\"stake_tokens\\":2000/)
    expect(planted.length).toBeGreaterThan(50)
    expect(planted.filter((marker) => answer.toLowerCase().includes(marker.toLowerCase()))).toEqual([])
  })

  test('the JSON has these keys and no others', async () => {
    const { status } = await said({ lines })
    expect(Object.keys(status)).toEqual(['title', 'simulated', 'timestamp_seconds', 'validators'])
    expect(Object.keys(status.validators[0]!)).toEqual(Object.keys(known))
  })
})

test('markup in names is text: on the page, in its title, and in the JSON as it is', async () => {
  const hostile = `</title><script>alert("1" + '2')</script>&amp;`
  const quoted = JSON.stringify(hostile)
  const { body, status } = await said({
    yaml: yaml.replace(PAGE, `public: { title: ${quoted}, validators: [{ validator: val-1, name: ${quoted} }] }`),
    lines,
  })
  const escaped = '&#60;/title&#62;&#60;script&#62;alert(&#34;1&#34; + &#39;2&#39;)&#60;/script&#62;&#38;amp;'
  expect(body.split(escaped)).toHaveLength(4)
  expect(body).not.toMatch(/<script|<link|<img|<iframe|\sstyle=|\son\w+=/i)
  expect([status.title, status.validators[0]!.name]).toEqual([hostile, hostile])
})

test('a simulated network is named as such in the title and on the page', async () => {
  const { body, status } = await said({ lines, isSimulated: true })
  expect(status.simulated).toBe(true)
  expect(body).toContain('<title>SIMULATED: Validators</title>')
  expect(body).toContain('nothing here is real.')
})

test('each metric that it is made of is in the catalogue', () => {
  const catalogue = new Set(everyMetric().map(({ name }) => name))
  expect([...publicMetricNames].filter((name) => !catalogue.has(name))).toEqual([])
})

describe('of many validators', () => {
  const many = (count: number): PublicStatus => ({
    title: 'Many',
    simulated: false,
    timestamp_seconds: NOW,
    validators: Array.from({ length: count }, (_, at) => ({
      ...known,
      name: `v${at}`,
      state: at === 40 ? 'unknown' : at === 50 ? 'disconnected' : 'validating',
    })),
  })
  const namesOn = (count: number, page: number) =>
    Array.from(publicPage(many(count), page).matchAll(/id="validator-\d+">(v\d+) /g), ([, name]) => name!)

  test('it counts them, and shows 24 on a page, those in trouble first', () => {
    expect(namesOn(60, 1)).toEqual(['v50', 'v40', ...Array.from({ length: 22 }, (_, at) => `v${at}`)])
    expect(new Set([1, 2, 3].flatMap((page) => namesOn(60, page))).size).toBe(60)
    const body = publicPage(many(60), 2)
    expect(body).toContain('60 validators: 1 disconnected now, 1 unknown, 58 validating.')
    expect(body.replace(/\s+/g, ' ')).toContain('<a href="?page=1">Previous</a> Page 2 of 3 <a href="?page=3">Next</a>')
  })

  test('24 are in the order of the configuration, on one page', () => {
    expect(namesOn(24, 1)).toEqual(Array.from({ length: 24 }, (_, at) => `v${at}`))
    expect(publicPage(many(24), 1)).not.toContain('Page 1')
  })

  test.each([undefined, '', '0', '-1', 'x', '1e9', 'Infinity', ['2']])('%j leads to a page that there is', (asked) => {
    expect([1, 2, 3]).toContain(pageOfPublic(many(60), asked))
  })
})
