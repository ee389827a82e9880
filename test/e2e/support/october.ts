// A month of two validators and an L1 as two replicas of stakewatch saw it, written by hand: October 2025. Scrapes are at the
// half minute, every five minutes, and every minute around what happens.

import type { Written } from './blocks.ts'

/** Seconds since the epoch: `at(5, 10)` is 5 October, 10:00. */
export const at = (day: number, hour = 0, minute = 0) => Date.UTC(2025, 9, day, hour, minute) / 1_000

/** From one time to before another. */
type Range = readonly [from: number, until: number]
const within = (time: number, ...ranges: readonly Range[]) =>
  ranges.some(([from, until]) => time >= from && time < until)

/** Prometheus was down, so that no replica was scraped: 3 h, and 1 h. */
const UNSCRAPED: readonly Range[] = [
  [at(15, 8), at(15, 11)],
  [at(25, 20, 30), at(25, 21, 30)],
]
/** Around these times there is a scrape every minute. */
const CLOSE: readonly Range[] = [
  [at(5, 9), at(5, 13)],
  [at(8, 13, 50), at(8, 14, 30)],
  [at(9, 2, 50), at(9, 4)],
  [at(12, 8, 50), at(12, 9, 20)],
  [at(15, 7, 50), at(15, 11, 10)],
  [at(17, 23, 50), at(18, 0, 10)],
  [at(25, 19, 50), at(25, 21, 40)],
  [at(27, 23, 50), at(28, 2, 10)],
]

/** A replica is absent at times. `a` and `b` share validators, `c` is another shard. */
const absent: Readonly<Record<string, readonly Range[]>> = {
  a: [[at(10), at(10, 6)]],
  b: [
    [0, at(3)],
    [at(20, 12), at(20, 13)],
  ],
  c: [],
  // Rules are evaluated by Prometheus, and their series have no target.
  rules: [],
}

/** From a day before the month to an hour after it. */
function scrapes(every: number): number[] {
  const minutes = Array.from({ length: 33 * 1_440 + 60 }, (_, minute) => at(0) + minute * 60)
  return minutes
    .filter((time) => time < at(32, 1))
    .filter((time) => (time % every === 0 || (every === 300 && within(time, ...CLOSE))) && !within(time, ...UNSCRAPED))
}

type Value = (time: number, replica: string) => number | undefined

interface Scraped {
  replicas?: readonly string[]
  every?: number
}

/** The series of a metric, one for each replica. A value that is undefined is no sample. */
function seriesOf(
  name: string,
  labels: Readonly<Record<string, string>>,
  value: Value,
  { replicas = ['a', 'b'], every = 300 }: Scraped = {},
): Written[] {
  return replicas.map((replica) => ({
    name,
    labels: {
      ...labels,
      network: labels['network'] ?? 'mainnet',
      job: 'stakewatch',
      ...(replica !== 'rules' && { instance: `10.0.0.${replica.codePointAt(0)! - 96}:19650` }),
    },
    samples: scrapes(every).flatMap((time) => {
      const known = within(time, ...absent[replica]!) ? undefined : value(time, replica)
      return known === undefined ? [] : [[time + 30, text(known)] as const]
    }),
  }))
}

/** Metrics have the places of their token. */
const text = (value: number) => String(Number(value.toFixed(9)))

const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const SECOND = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const L1 = 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN'
export const ids = { 'val-1': NODE, 'val-2': SECOND, 'val-l1': L1 }

const one = { subnet: 'primary', node_id: NODE, validator: 'val-1' }
const two = { subnet: 'primary', node_id: SECOND, validator: 'val-2' }
const three = { subnet: 'orchard', node_id: L1, validator: 'val-l1' }
const other = { replicas: ['c'] }
const rules = { replicas: ['rules'] }
const hour = { every: 1_800 }

const downOf =
  (...ranges: readonly Range[]): Value =>
  (time) =>
    within(time, ...ranges) ? 0 : 1
const always: Value = () => 1
const after =
  (time: number, before: number, then: number): Value =>
  (now) =>
    now < time ? before : then
/** A step at each of these times. */
const counting =
  (...steps: readonly (readonly [time: number, by: number])[]) =>
  (time: number, from = 0) =>
    steps.reduce((sum, [when, by]) => (when <= time && when >= from ? sum + by : sum), 0)

const connections = [
  // Most observers: down 5 October 10:00 to 12:00, and 25 October from 20:00 on into the gap.
  ...seriesOf(
    'stakewatch_validator_connected',
    { ...one, source: 'node-a' },
    downOf([at(5, 10), at(5, 12)], [at(12, 9), at(12, 9, 10)], [at(25, 20), at(25, 21)]),
  ),
  ...seriesOf('stakewatch_validator_connected', { ...one, source: 'node-b' }, (time, replica) =>
    within(time, [at(12, 9), at(12, 9, 10)])
      ? undefined
      : downOf([at(5, 10), at(5, 12)], [at(8, 14), at(8, 14, 20)], [at(25, 20), at(25, 21)])(time, replica),
  ),
  // From 28 October 00:00 to 02:00 this node is isolated: it sees no one, and does not vote.
  ...seriesOf(
    'stakewatch_validator_connected',
    { ...one, source: 'public' },
    downOf([at(5, 10), at(5, 11, 30)], [at(25, 20), at(25, 21)], [at(28), at(28, 2)]),
  ),
  ...seriesOf('stakewatch_node_votes', { source: 'public' }, (time) =>
    within(time, [at(28), at(28, 2)]) ? 0 : undefined,
  ),
  ...['node-a', 'node-b'].flatMap((source) =>
    seriesOf(
      'stakewatch_validator_connected',
      { ...two, source },
      (time) => (time >= at(18) ? undefined : within(time, [at(6), at(8)]) ? 0 : 1),
      other,
    ),
  ),
  ...seriesOf(
    'stakewatch_l1_validator_connected',
    { ...three, source: 'node-a' },
    downOf([at(9, 3), at(9, 3, 45)]),
    other,
  ),
  ...seriesOf('stakewatch_validator_in_set', one, always),
  ...seriesOf('stakewatch_validator_in_set', two, after(at(18), 1, 0), other),
  ...seriesOf('stakewatch_validator_in_set', three, always, other),
]

const DAYS = 86_400
/** By validator: when each period begins; the last one is the end. */
const periodOf = (starts: readonly number[], time: number) => starts.findLastIndex((start) => start <= time)
const ofPeriod =
  (starts: readonly number[], values: readonly number[]): Value =>
  (time) =>
    values[periodOf(starts, time)]
const FIRST = [at(1) - 7 * DAYS, at(8), at(22), at(36)]
const LAST = [at(1) - 11 * DAYS, at(4), at(18)]
const upTo =
  (end: number, value: Value): Value =>
  (time, replica) =>
    time < end ? value(time, replica) : undefined

const terms = [
  ...(
    [
      [one, FIRST, [15.5, 15.6, 15.7], ['a', 'b']],
      [two, LAST, [8.25, 8.3], ['c']],
    ] as const
  ).flatMap(([labels, starts, rewards, replicas]) => {
    const gauge = (name: string, value: Value, more = {}) =>
      seriesOf(name, { ...labels, ...more }, upTo(starts.at(-1)!, value), { ...hour, replicas })
    return [
      ...gauge('stakewatch_validator_start_timestamp_seconds', ofPeriod(starts, starts)),
      ...gauge('stakewatch_validator_end_timestamp_seconds', ofPeriod(starts, starts.slice(1))),
      ...gauge('stakewatch_validator_next_period_seconds', () => 14 * DAYS),
      ...gauge('stakewatch_validator_potential_reward_tokens', ofPeriod(starts, rewards)),
      ...['node-a', 'node-b'].flatMap((source) =>
        gauge('stakewatch_validator_required_uptime_ratio', () => 0.9, { source }),
      ),
    ]
  }),
  ...(
    [
      ['node-a', [119_000, 113_000, 120_000]],
      ['node-b', [119_500, 112_000, 119_000]],
      ['public', [118_000, 114_000, 118_000]],
    ] as const
  ).flatMap(([source, budgets]) =>
    seriesOf('stakewatch_validator_downtime_budget_seconds', { ...one, source }, ofPeriod(FIRST, budgets), hour),
  ),
  // 48 h down, and 33.6 h were allowed.
  ...['node-a', 'node-b'].flatMap((source) => [
    ...seriesOf(
      'stakewatch_validator_downtime_budget_seconds',
      { ...two, source },
      upTo(at(18), ofPeriod(LAST, [120_000, -51_840])),
      { ...hour, ...other },
    ),
    ...['on_track', 'lost'].flatMap((state) =>
      seriesOf(
        'stakewatch_validator_reward_state',
        { ...two, source, state },
        upTo(at(18), (time) => Number(time >= at(7, 10) === (state === 'lost'))),
        { ...hour, ...other },
      ),
    ),
  ]),
  ...['compounded', 'not_compounded', 'removed', 'left', 'unseen'].flatMap((outcome) => {
    const own = counting(
      ...(outcome === 'compounded'
        ? [[at(8, 0, 5), 1] as const]
        : outcome === 'not_compounded'
          ? [[at(22, 0, 5), 1] as const]
          : []),
    )
    const second = counting(
      ...(outcome === 'compounded'
        ? [[at(4, 0, 5), 1] as const]
        : outcome === 'removed'
          ? [[at(18, 0, 15), 1] as const]
          : []),
    )
    return [
      ...seriesOf('stakewatch_validator_renewals_total', { ...one, outcome }, (time, replica) =>
        // `a` counted three before, and begins again at 0 after its absence, as it has no storage.
        replica === 'a' ? (time < at(10, 6) ? 3 + own(time) : own(time, at(10, 6))) : own(time, at(3)),
      ),
      ...seriesOf('stakewatch_validator_renewals_total', { ...two, outcome }, (time) => second(time), other),
    ]
  }),
]

const stakes = [
  ...seriesOf('stakewatch_validator_stake_tokens', one, after(at(8), 2000, 2012.345678901), hour),
  ...seriesOf('stakewatch_validator_delegated_tokens', one, after(at(16), 500, 750.5), hour),
  ...seriesOf('stakewatch_validator_delegators', one, after(at(16), 3, 4), hour),
  ...seriesOf('stakewatch_validator_delegation_fee_ratio', one, () => 0.02, hour),
  ...seriesOf(
    'stakewatch_validator_pending_reward_tokens',
    { ...one, reward_type: 'VALIDATOR' },
    ofPeriod(FIRST, [15.5, 15.6, 15.7]),
    hour,
  ),
  ...seriesOf('stakewatch_validator_pending_reward_tokens', { ...one, reward_type: 'VALIDATOR_FEE' }, () => 1.25, hour),
  ...seriesOf(
    'stakewatch_validator_stake_tokens',
    two,
    upTo(at(18), () => 2000),
    { ...hour, ...other },
  ),
]

const PAID = [
  [at(8, 1), 15.5],
  [at(12, 5), 8.25],
  // While nothing is scraped, and while `b` is absent.
  [at(15, 9), 1.000000001],
  [at(20, 12, 30), 15.6],
] as const
const VALUES = [
  [at(9, 1), 387.5],
  [at(13, 5), 206.25],
  [at(16, 9), 30],
  [at(21, 12, 30), 468],
] as const
/** `a` loses its count on 10 October, `b` begins on 3 October and polls twenty minutes later. */
const counted =
  (steps: readonly (readonly [number, number])[]): Value =>
  (time, replica) => {
    const count = counting(...steps)
    if (replica === 'b') return count(time - 1_200, at(3))
    return time < at(10, 6) ? 100.5 + count(time) : count(time, at(10, 6))
  }

const wallets = [
  ...seriesOf('stakewatch_rewards_tokens_total', { address: 'treasury', reward_type: 'VALIDATOR' }, counted(PAID)),
  ...seriesOf(
    'stakewatch_rewards_value_total',
    { address: 'treasury', reward_type: 'VALIDATOR', currency: 'usd' },
    counted(VALUES),
  ),
  ...seriesOf('stakewatch_rewards_unpriced', { address: 'treasury' }, after(at(31), 0, 1), hour),
  // The price of the token is 25, and 30 from 15 October on.
  ...seriesOf('stakewatch_address_native_balance_tokens', { address: 'treasury', chain: 'c-chain' }, () => 10, hour),
  ...seriesOf(
    'stakewatch_address_native_balance_value',
    { address: 'treasury', chain: 'c-chain', currency: 'usd' },
    after(at(15), 250, 300),
    hour,
  ),
  // A chain with a token of its own says nothing about it.
  ...seriesOf('stakewatch_address_native_balance_tokens', { address: 'treasury', chain: 'orchard' }, () => 1, hour),
  ...seriesOf(
    'stakewatch_address_native_balance_value',
    { address: 'treasury', chain: 'orchard', currency: 'usd' },
    () => 9_000,
    hour,
  ),
  ...(
    [
      ['c-chain', '11111111111111111111111111111111LpoYY', '43114'],
      ['orchard', '2ub1xK3g', '99'],
      ['p-chain', '11111111111111111111111111111111LpoYY', ''],
    ] as const
  ).flatMap(([chain, subnet_id, evm_chain_id]) =>
    seriesOf(
      'stakewatch_blockchain_info',
      { chain, blockchain_id: 'id', blockchain_name: chain, vm_id: 'vm', subnet_id, evm_chain_id },
      always,
      hour,
    ),
  ),
]

const FORTY_A_DAY = Array.from({ length: 31 }, (_, day) => [at(day + 1, 12), 40] as const)
/** While it is down. */
const TWO = [
  [at(5, 10, 30), 1],
  [at(5, 11, 30), 1],
] as const

const turns = [
  ...seriesOf('stakewatch_validator_turns_total', { ...one, chain: 'c-chain', outcome: 'made' }, counted(FORTY_A_DAY)),
  ...seriesOf('stakewatch_validator_turns_total', { ...one, chain: 'c-chain', outcome: 'missed' }, counted(TWO)),
  // Nothing says that there was anything to build.
  ...seriesOf('stakewatch_validator_turns_total', { ...one, chain: 'c-chain', outcome: 'idle' }, counted(FORTY_A_DAY)),
  ...seriesOf('stakewatch_chain_turns_gaps_total', { chain: 'c-chain' }, after(at(25, 22), 1, 2)),
]

/** 12.5 tokens; the fee is 0.000001 a second, and twice that from 16 October on; 3 tokens are paid in on 20 October. */
const balance: Value = (time) => {
  const now = time + 30
  const slow = Math.max(0, Math.min(now, at(16)) - at(1))
  const fast = Math.max(0, now - at(16))
  return 12.5 - slow * 1e-6 - fast * 2e-6 + (time >= at(20, 6) ? 3 : 0)
}

const l1s = [
  ...seriesOf('stakewatch_l1_validator_balance_tokens', three, balance, other),
  ...seriesOf('stakewatch_l1_validator_topup_tokens_total', three, after(at(20, 6, 10), 7, 10), other),
  ...seriesOf('stakewatch_l1_validator_active', three, always, other),
  ...seriesOf('stakewatch_l1_fee_price_tokens_per_second', { method: 'fee_state' }, after(at(16), 1e-6, 2e-6), {
    ...hour,
    ...other,
  }),
  ...seriesOf(
    'stakewatch_l1_liveness_margin',
    { subnet: 'orchard', source: 'node-a', threshold: 'blocks', when: 'now' },
    (time) => (within(time, [at(9, 3), at(9, 3, 45)]) ? -0.15 : 0.25),
    other,
  ),
]

const firing = (labels: Readonly<Record<string, string>>, ...ranges: readonly Range[]) =>
  seriesOf('ALERTS', { alertstate: 'firing', ...labels }, (time) => (within(time, ...ranges) ? 1 : undefined), rules)

const alerts = [
  ...firing(
    { alertname: 'StakewatchValidatorDisconnected', severity: 'critical', ...one },
    [at(5, 10, 5), at(5, 12, 10)],
    [at(25, 20, 5), at(25, 20, 30)],
  ),
  ...firing({ alertname: 'StakewatchOwnNodeUnhealthy', severity: 'critical', source: 'own-1', check: 'diskspace' }, [
    at(5, 10, 2),
    at(5, 12, 10),
  ]),
  ...firing({ alertname: 'StakewatchDown', severity: 'critical', instance: '10.0.0.1:19650' }, [
    at(10, 0, 5),
    at(10, 6),
  ]),
  ...firing({ alertname: 'StakewatchValidatorUnsteady', severity: 'warning', ...one }, [at(5, 12), at(5, 13)]),
  ...firing({ alertname: 'StakewatchDrill', severity: 'critical', ...one }, [at(19, 12), at(19, 12, 10)]),
  ...firing({ alertname: 'StakewatchWatchdog', severity: 'none' }, [at(0), at(32)]),
  ...seriesOf(
    'ALERTS',
    { alertstate: 'pending', alertname: 'StakewatchNodesDown', severity: 'critical' },
    always,
    rules,
  ),
]

/** A request a minute, counted since the start of the process. */
const requests: Value = (time, replica) => {
  const began = replica === 'b' ? at(3) : time < at(10, 6) ? at(0) : at(10, 6)
  return (time - began) / 60
}

const upstreams = [
  ...seriesOf('stakewatch_upstream_up', { source: 'node-a' }, always),
  ...seriesOf('stakewatch_upstream_up', { source: 'node-b' }, downOf([at(12, 9), at(12, 9, 10)])),
  ...seriesOf(
    'stakewatch_upstream_requests_total',
    { source: 'node-a', operation: 'info.peers', code: 'ok' },
    requests,
  ),
  ...seriesOf(
    'stakewatch_upstream_requests_total',
    { source: 'node-b', operation: 'info.peers', code: 'ok' },
    requests,
  ),
  ...['info.peers', 'info.upgrades'].flatMap((operation) =>
    seriesOf(
      'stakewatch_upstream_requests_total',
      { source: 'node-b', operation, code: 'timeout' },
      after(at(12, 9), 0, 6),
    ),
  ),
  ...seriesOf('stakewatch_upstream_rate_limited_total', { source: 'node-b' }, after(at(13), 2, 5)),
  ...seriesOf('stakewatch_node_info', { source: 'own-1', id: NODE, version: 'avalanchego/1.14.0' }, always, hour),
]

const tracked = [one, two, three].flatMap((labels) =>
  seriesOf('stakewatch_validator_tracked', labels, always, { ...hour, replicas: labels === one ? ['a', 'b'] : ['c'] }),
)

export const october = [
  ...tracked,
  ...connections,
  ...terms,
  ...stakes,
  ...wallets,
  ...turns,
  ...l1s,
  ...alerts,
  ...upstreams,
]
