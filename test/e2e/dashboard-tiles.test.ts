// The tiles of the dashboards say what they should, of a troubled night and of a quiet one: promtool works them out.

import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboards } from '../../dashboards/src/all.ts'
import { mayStop, nodeMayStop } from '../../dashboards/src/validators/maintenance.ts'
import { rewardByMajority } from '../../dashboards/src/validators/reward.ts'
import { filledIn, targetsOf } from '../dashboards/lint.ts'
import { temporaryFolder } from './support/processes.ts'

/** What each asks, by the name of its dashboard and its title. */
const tiles = new Map<string, string>(
  Object.entries(dashboards).flatMap(([page, dashboard]) =>
    targetsOf(dashboard)
      .filter(({ panel }) => panel.type === 'stat')
      .map(({ panel, query }) => [`${page}: ${panel.title}`, filledIn(query.expr, '1m', '5m')] as const),
  ),
)

/** Two replicas of stakewatch that watch the same: what both say is one thing, what one misses is missing. */
const replicas = ['a', 'b'] as const

/** Values, or how they grow from minute to minute. */
type Series = Record<string, number | string>

function replica(instance: (typeof replicas)[number], name: string): string {
  return name.replace('{', `{job="sw", instance="${instance}", `)
}

/** The same from each replica. */
function both(series: Series): Series {
  return Object.fromEntries(
    Object.entries(series).flatMap(([name, value]) => replicas.map((instance) => [replica(instance, name), value])),
  )
}

const primary = (validator: string) =>
  `network="n", subnet="primary", node_id="id-${validator}", validator="${validator}"`
const paying = (validator: string) => `network="n", subnet="l1", node_id="id-${validator}", validator="${validator}"`
/** What is only shown of a validator has no node id. */
const shown = (labels: string) => labels.replace(/node_id="[^"]*", /, '')

/** What the judge found: the objects with each problem, by condition. */
function judged(found: Readonly<Record<string, readonly string[]>>): Series {
  return Object.fromEntries(
    Object.entries(found).flatMap(([condition, objects]) => [
      ...objects.map((labels) => [`stakewatch_condition{condition="${condition}", severity="critical", ${labels}}`, 1]),
      [`stakewatch_conditions{${of({ condition, state: 'ok' })}}`, 3],
      [`stakewatch_conditions{${of({ condition, state: 'problem' })}}`, objects.length],
    ]),
  ) as Series
}

/** What the observers x, y and z see of one validator, and w, which has no vote. */
function observed(validator: string, views: readonly { connected: number; budget: number; state: string }[]): Series {
  return Object.fromEntries(
    views.flatMap(({ connected, budget, state }, at) => {
      const labels = `${primary(validator)}, source="${'xyzw'[at]}"`
      return [
        [`stakewatch_validator_connected{${labels}}`, connected],
        [`stakewatch_validator_downtime_budget_seconds{${labels}}`, budget],
        ...['safe', 'on_track', 'at_risk', 'lost'].map((one) => [
          `stakewatch_validator_reward_state{${labels}, state="${one}"}`,
          one === state ? 1 : 0,
        ]),
      ] as [string, number][]
    }),
  )
}

/** The time of the question, in seconds. */
const NOW = 600
const DAY = 86_400
const of = (labels: Record<string, string>) =>
  Object.entries({ network: 'n', ...labels })
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')
const met = (what: string, labels: Record<string, string>, expectation: string) =>
  `stakewatch_${what}_expectation_met{${of(labels)}, expectation="${expectation}"}`
const runs = (target: string) => `network="n", collector="of-${target}"`
const collector = (target: string) => `${runs(target)}, target="${target}"`

/** Of 100: the weight that each node is connected to, and the share that is left when the heaviest validator stops. */
function weights(subnet: string, views: Readonly<Record<string, readonly [connected: number, spare: number]>>): Series {
  const all = Object.entries(views).flatMap(([source, [connected, spare]]) => [
    [`stakewatch_l1_weight{${of({ subnet, source, of: 'total' })}}`, 100],
    [`stakewatch_l1_weight{${of({ subnet, source, of: 'connected' })}}`, connected],
    [`stakewatch_l1_liveness_margin{${of({ subnet, source, threshold: 'blocks', when: 'greatest_stops' })}}`, spare],
    [`stakewatch_l1_liveness_margin{${of({ subnet, source, threshold: 'health', when: 'greatest_stops' })}}`, -1],
  ])
  return Object.fromEntries(all) as Series
}

/** What is left of 100, by window. */
function budgets(source: string, left: Readonly<Record<string, number>>): Series {
  const all = Object.entries(left).flatMap(([window, units]) => [
    [`stakewatch_upstream_budget_units{${of({ source, window })}}`, 100],
    [`stakewatch_upstream_budget_remaining_units{${of({ source, window })}}`, units],
  ])
  return Object.fromEntries(all) as Series
}

/** A maintenance window that opens and closes that many seconds from now. */
function windowOf(window: string, active: number, start: number, end: number): Series {
  return {
    [`stakewatch_maintenance_active{${of({ window })}}`]: active,
    [`stakewatch_maintenance_start_timestamp_seconds{${of({ window })}}`]: NOW + start,
    [`stakewatch_maintenance_end_timestamp_seconds{${of({ window })}}`]: NOW + end,
  }
}

const troubled: Series = {
  ...both({
    ...observed('gone', [
      { connected: 0, budget: -10, state: 'lost' },
      { connected: 0, budget: -20, state: 'lost' },
      { connected: 0, budget: 5_000, state: 'on_track' },
    ]),
    ...observed('disputed', [
      { connected: 0, budget: -1, state: 'lost' },
      { connected: 1, budget: 300, state: 'at_risk' },
      { connected: 1, budget: 100, state: 'safe' },
    ]),
    // One observer was down itself: that is no majority.
    ...observed('well', [
      { connected: 0, budget: -5, state: 'lost' },
      { connected: 1, budget: 9_000, state: 'on_track' },
      { connected: 1, budget: 9_000, state: 'on_track' },
      { connected: 0, budget: -5, state: 'lost' },
    ]),
    // Half of two is a risk, but no loss.
    ...observed('tied', [
      { connected: 0, budget: -5, state: 'lost' },
      { connected: 1, budget: 1, state: 'safe' },
    ]),
    [`stakewatch_node_votes{${of({ source: 'w' })}}`]: 0,
    ...Object.fromEntries(['x', 'y', 'z'].map((source) => [`stakewatch_node_votes{${of({ source })}}`, 1])),
    ...judged({
      validator_disconnected: [primary('gone')],
      reward_lost: [primary('gone')],
      chain_stalled: [of({ chain: 'c' })],
      // One fails a check, another one belongs to another network.
      own_node_unhealthy: [of({ source: 'x', check: 'P' })],
      node_of_other_network: [of({ source: 'z' })],
      node_forked: [of({ chain: 'c', source: 'x' }), of({ chain: 'd', source: 'x' })],
      chain_process_dead: [of({ source: 'x' })],
      node_not_upgraded: [of({ source: 'x' })],
    }),
    ...Object.fromEntries(
      Object.entries({ l1: 0.85, tight: 0.7, well: 0.9 }).map(([subnet, online]) => [
        `stakewatch_l1_weight_online_ratio{${of({ subnet })}}`,
        online,
      ]),
    ),
    ...Object.fromEntries(
      ['gone', 'disputed', 'well', 'silent'].map((one) => [`stakewatch_validator_tracked{${primary(one)}}`, 1]),
    ),
    [`stakewatch_validator_in_set{${primary('gone')}}`]: 0,
    [`stakewatch_validator_in_set{${primary('disputed')}}`]: 1,
    [`stakewatch_validator_in_set{${primary('well')}}`]: 1,
    [`stakewatch_validator_end_timestamp_seconds{${primary('disputed')}}`]: NOW + 500,
    // Three renew themselves. The one whose reward most observers judge lost leaves instead.
    [`stakewatch_validator_end_timestamp_seconds{${primary('gone')}}`]: NOW + 400,
    [`stakewatch_validator_end_timestamp_seconds{${primary('well')}}`]: NOW + 100,
    [`stakewatch_validator_end_timestamp_seconds{${primary('tied')}}`]: NOW + 50,
    ...Object.fromEntries(
      ['gone', 'well', 'tied'].map((one) => [`stakewatch_validator_next_period_seconds{${primary(one)}}`, 14 * DAY]),
    ),
    [`stakewatch_l1_validator_active{${paying('broke')}}`]: 0,
    [`stakewatch_l1_validator_active{${paying('poor')}}`]: 1,
    [`stakewatch_l1_validator_active{${paying('rich')}}`]: 1,
    [`stakewatch_l1_validator_depletion_timestamp_seconds{${paying('poor')}}`]: NOW + 6 * DAY,
    [`stakewatch_l1_validator_depletion_timestamp_seconds{${paying('rich')}}`]: NOW + 90 * DAY,
    [`stakewatch_l1_validator_runway_seconds{${shown(paying('broke'))}}`]: 0,
    [`stakewatch_l1_validator_runway_seconds{${shown(paying('poor'))}}`]: 6 * DAY,
    [`stakewatch_l1_validator_balance_tokens{${paying('poor')}}`]: 0.5,
    [`stakewatch_l1_validator_balance_tokens{${paying('rich')}}`]: 8,
    [`stakewatch_validator_info{${paying('poor')}, kind="l1"}`]: 1,
    [`stakewatch_validator_weight{${paying('poor')}}`]: 30,
    [`stakewatch_validator_weight{${paying('rich')}}`]: 70,
    [`stakewatch_subnet_weight{network="n", subnet="l1", state="active"}`]: 100,
    [`stakewatch_subnet_weight{network="n", subnet="l1", state="inactive"}`]: 40,
    [`stakewatch_collector_ttl_seconds{${runs('p')}}`]: 300,
    [`stakewatch_collector_interval_seconds{${collector('p')}}`]: 100,
    [`stakewatch_collector_interval_seconds{${collector('q')}}`]: 1_200,
    [`stakewatch_collector_ttl_seconds{${runs('q')}}`]: 3_600,
    'stakewatch_upstream_up{network="n", source="y"}': 1,
    'stakewatch_build_info{version="1", node_version="24"}': 1,
    [`stakewatch_validator_expectation_met{${primary('disputed')}, expectation="min_stake"}`]: 0,
    [`stakewatch_validator_expectation_met{${primary('well')}, expectation="auto_renew"}`]: 1,
    [met('chain', { chain: 'd' }, 'gas_limit')]: 1,
    // Two of three nodes say no of one chain, one of two of the other.
    [met('blockchain_status', { chain: 'c', source: 'x' }, 'status')]: 0,
    [met('blockchain_status', { chain: 'c', source: 'y' }, 'status')]: 0,
    [met('blockchain_status', { chain: 'c', source: 'z' }, 'status')]: 1,
    [met('blockchain_status', { chain: 'd', source: 'x' }, 'status')]: 0,
    [met('blockchain_status', { chain: 'd', source: 'y' }, 'status')]: 1,
    // One expectation, and two ways to break it.
    [met('address_erc20', { address: 'v', chain: 'c' }, 'outgoing')]: 0,
    [met('address_transactions', { address: 'v', chain: 'c' }, 'outgoing')]: 0,
    [met('address_native_balance', { address: 'w', chain: 'd' }, 'min_balance')]: 1,
    [`stakewatch_node_behind_blocks{${of({ chain: 'c', source: 'x' })}}`]: 3,
    [`stakewatch_node_behind_blocks{${of({ chain: 'd', source: 'y' })}}`]: 40,
    [`stakewatch_icm_oldest_pending_timestamp_seconds{${of({ route: 'out' })}}`]: NOW - 10,
    [`stakewatch_icm_oldest_pending_timestamp_seconds{${of({ route: 'home' })}}`]: NOW - 500,
    [`stakewatch_node_admin_api_expected{${of({ source: 'x' })}}`]: 0,
    [`stakewatch_node_admin_api_reachable{${of({ source: 'x' })}}`]: 1,
    [`stakewatch_node_admin_api_expected{${of({ source: 'y' })}}`]: 1,
    [`stakewatch_node_admin_api_reachable{${of({ source: 'y' })}}`]: 0,
    [`stakewatch_node_admin_api_expected{${of({ source: 'z' })}}`]: 1,
    [`stakewatch_node_admin_api_reachable{${of({ source: 'z' })}}`]: 1,
    ...Object.fromEntries(['u', 'v', 'w'].map((address) => [`stakewatch_address_tracked{${of({ address })}}`, 1])),
    [`stakewatch_address_balance_tokens{${of({ address: 'v', chain: 'c', state: 'locked_platform', asset: 'T' })}}`]: 0,
    [`stakewatch_address_native_balance_tokens{${of({ address: 'w', chain: 'd' })}}`]: 7,
    [`stakewatch_address_stake_next_end_timestamp_seconds{${of({ address: 'v' })}}`]: NOW + 800,
    [`stakewatch_address_stake_next_end_timestamp_seconds{${of({ address: 'w' })}}`]: NOW + 700,
    [`stakewatch_address_next_unlock_timestamp_seconds{${of({ address: 'v', chain: 'c' })}}`]: NOW + 900,
    [`stakewatch_address_next_unlock_timestamp_seconds{${of({ address: 'w', chain: 'c' })}}`]: NOW + 950,
    [`stakewatch_address_last_outgoing_timestamp_seconds{${of({ address: 'v', chain: 'c' })}}`]: NOW - 60,
    [`stakewatch_address_last_outgoing_timestamp_seconds{${of({ address: 'v', chain: 'd' })}}`]: NOW - 90,
    // The node that sees most counts for each L1.
    ...weights('tight', { x: [60, -0.15], y: [70, -0.05] }),
    ...weights('well', { x: [90, 0.1] }),
    [`stakewatch_subnet_changes_total{${of({ subnet: 'tight', what: 'owner' })}}`]: '0+1',
    [`stakewatch_icm_messages{${of({ route: 'out', state: 'pending' })}}`]: 2,
    [`stakewatch_icm_messages{${of({ route: 'home', state: 'pending' })}}`]: 1,
    [`stakewatch_icm_messages{${of({ route: 'home', state: 'delivered' })}}`]: 9,
    [`stakewatch_icm_abandoned_total{${of({ route: 'home' })}}`]: '0+1',
    [`stakewatch_icm_receipts_pending{${of({ route: 'out' })}}`]: 1,
    [`stakewatch_icm_receipts_pending{${of({ route: 'home' })}}`]: 2,
    [`stakewatch_icm_messages_incomplete{${of({ route: 'out', reason: 'time' })}}`]: 1,
    [`stakewatch_icm_messages_incomplete{${of({ route: 'out', reason: 'form' })}}`]: 1,
    [`stakewatch_signature_aggregation_success{${of({ probe: 'p' })}}`]: 0,
    [`stakewatch_signature_aggregation_success{${of({ probe: 'q' })}}`]: 1,
    ...budgets('x', { day: 30, minute: 1 }),
    ...budgets('y', { day: 50, minute: 100 }),
    [`stakewatch_upstream_items_dropped_total{${of({ source: 'x' })}}`]: '0+1',
    [`stakewatch_rewards_unpriced{${of({ address: 'v' })}}`]: 2,
    [`stakewatch_rewards_unpriced{${of({ address: 'w' })}}`]: 1,
    ...windowOf('kernel', 1, -60, 900),
    ...windowOf('weekly', 0, 1_000, 8_200),
    [`stakewatch_collector_success{${collector('p')}}`]: 1,
    [`stakewatch_collector_last_success_timestamp_seconds{${collector('q')}}`]: 0,
  }),
  // Here the replicas differ: the worse one counts.
  [replica('a', met('address_balance', { address: 'w', chain: 'c' }, 'min_balance'))]: 0,
  [replica('b', met('address_balance', { address: 'w', chain: 'c' }, 'min_balance'))]: 1,
  'stakewatch_upstream_up{job="sw", instance="a", network="n", source="x"}': 0,
  'stakewatch_upstream_up{job="sw", instance="b", network="n", source="x"}': 1,
  [`stakewatch_collector_success{job="sw", instance="a", ${collector('q')}}`]: 0,
  [`stakewatch_collector_success{job="sw", instance="b", ${collector('q')}}`]: 1,
  [`stakewatch_collector_last_success_timestamp_seconds{job="sw", instance="a", ${collector('p')}}`]: NOW - 240,
  [`stakewatch_collector_last_success_timestamp_seconds{job="sw", instance="b", ${collector('p')}}`]: NOW - 30,
}

const safe = { connected: 1, budget: 9_000, state: 'safe' }
const quiet: Series = both({
  ...observed('well', [safe, safe, safe]),
  [`stakewatch_validator_tracked{${primary('well')}}`]: 1,
  [`stakewatch_validator_in_set{${primary('well')}}`]: 1,
  [`stakewatch_l1_validator_active{${paying('rich')}}`]: 1,
  [`stakewatch_l1_validator_depletion_timestamp_seconds{${paying('rich')}}`]: NOW + 90 * DAY,
  [`stakewatch_collector_success{${collector('p')}}`]: 1,
  'stakewatch_upstream_up{network="n", source="x"}': 1,
  [met('address_balance', { address: 'w', chain: 'c' }, 'min_balance')]: 1,
  ...judged({ validator_disconnected: [], reward_lost: [], chain_stalled: [], node_forked: [] }),
  [`stakewatch_node_admin_api_expected{${of({ source: 'x' })}}`]: 0,
  [`stakewatch_node_admin_api_reachable{${of({ source: 'x' })}}`]: 0,
  [`stakewatch_address_tracked{${of({ address: 'w' })}}`]: 1,
  [`stakewatch_node_address_balance_tokens{${of({ address: 'w', state: 'unlocked' })}}`]: 1,
  [`stakewatch_rewards_unpriced{${of({ address: 'w' })}}`]: 0,
  [`stakewatch_icm_messages{${of({ route: 'home', state: 'pending' })}}`]: 0,
})

describe('the tiles', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder.remove())

  type Expected = Readonly<Record<string, number>>

  async function check(series: Series, asked: readonly { expr: string; samples: Expected }[]) {
    const test = {
      interval: '1m',
      input_series: Object.entries(series).map(([name, value]) => ({ series: name, values: `${value}x10` })),
      promql_expr_test: asked.map(({ expr, samples }) => ({
        expr,
        eval_time: `${NOW}s`,
        exp_samples: Object.entries(samples).map(([labels, value]) => ({ labels, value })),
      })),
    }
    const file = join(folder.path, 'tiles.yml')
    await writeFile(file, JSON.stringify({ rule_files: [], evaluation_interval: '1m', tests: [test] }))
    return spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  }
  const tile = (title: string, samples: Expected) => ({
    expr: tiles.get(title)!,
    samples,
  })
  const passed = expect.objectContaining({ status: 0, stdout: expect.stringContaining('SUCCESS') as string })

  /** With the labels and the name of the object that the tile names. Of several that are as bad, it names any. */
  const inTrouble: [title: string, value: number, labels?: string, name?: string][] = [
    ['fleet: Offline', 1, primary('gone'), 'gone'],
    ['fleet: Not in set', 1, primary('gone'), 'gone'],
    ['fleet: Reward lost', 1, primary('gone'), 'gone'],
    ['fleet: Reward risk', 3],
    // The vote in the middle: of two, it is between them.
    ['fleet: Budget', -2, primary('tied'), 'tied'],
    ['fleet: Leaves in', 400, primary('gone'), 'gone'],
    ['fleet: Without data', 1, primary('silent'), 'silent'],
    ['fleet: L1 inactive', 1, paying('broke'), 'broke'],
    ['fleet: L1 runway', 6 * DAY, paying('poor'), 'l1 poor'],
    ['fleet: Chain stalled', 1, of({ chain: 'c' }), 'c'],
    ['fleet: L1 weight', 0.7, of({ subnet: 'tight' }), 'tight'],
    ['fleet: Unhealthy', 2],
    ['fleet: Unmet', 4],
    ['fleet: Message lag', 500, of({ route: 'home' }), 'home'],
    ['fleet: No answer', 1, of({ source: 'x' }), 'x'],
    ['fleet: Runs failing', 1, collector('q'), 'of-q q'],
    // Of 240 in 300 seconds and 600 in 3,600 the first is nearer to its end; it was due after 100.
    ['fleet: Data late by', 140, collector('p'), 'of-p p'],
    ['fleet: Instances', 2],
    // The other window is closed.
    ['fleet: In maintenance', 900, of({ window: 'kernel' }), 'kernel'],
    // The page shows one validator. With all of them the tile shows the worst.
    ['validator: Connected', 0],
    ['validator: In its set', 0],
    ['validator: Reward', 3],
    ['validator: Budget left', -10],
    ['validator: Leaves in', 400],
    ['validator: May stop', 0.5],
    ['validator: Runway left', 0],
    ['validator: Balance', 0.5],
    ['validator: Active', 0],
    ['validator: L1 weight', 0.85],
    // Of an L1 with a weight of 140.
    ['validator: Its weight', 0.5],
    // The one that most observers judge lost leaves instead.
    ['validator: Renews in', 50],
    ['l1s: Inactive', 1, paying('broke'), 'broke'],
    ['l1s: Out in 7 days', 1, paying('poor'), 'poor'],
    ['l1s: L1 runway', 6 * DAY, paying('poor'), 'l1 poor'],
    ['l1s: L1 weight', 0.7, of({ subnet: 'tight' }), 'tight'],
    ['l1s: To spare', -0.05, of({ subnet: 'tight' }), 'tight'],
    // One a minute, for five minutes.
    ['l1s: Changes', 5],
    ['chains: Unhealthy', 2],
    ['chains: Forked', 2],
    ['chains: Chain dead', 1, of({ source: 'x' }), 'x'],
    ['chains: Not ready', 1, of({ source: 'x' }), 'x'],
    ['chains: Most behind', 40, of({ chain: 'd', source: 'y' }), 'y d'],
    ['chains: Admin faults', 2],
    ['wallets: Unmet', 2],
    ['wallets: Unknown', 1],
    ['wallets: Stake ends', 700, of({ address: 'w' }), 'w'],
    ['wallets: Next unlock', 900, of({ address: 'v', chain: 'c' }), 'v c'],
    ['wallets: Last sent', 60, of({ address: 'v', chain: 'c' }), 'v c'],
    ['wallets: Not priced', 3],
    ['messages: Message lag', 500, of({ route: 'home' }), 'home'],
    ['messages: Pending', 3],
    ['messages: Abandoned', 5],
    ['messages: Receipts due', 3],
    ['messages: Incomplete', 2],
    ['messages: Not signed', 1, of({ probe: 'p' }), 'p'],
    ['self: API budget', 0.3, of({ source: 'x' }), 'x'],
    // Each of the two instances leaves out one a minute.
    ['self: Left out', 10],
  ]

  // promtool names the expressions whose values are others.
  test('say what they should in a troubled night', async () => {
    const asked = inTrouble.map(([title, value, labels, name]) =>
      labels === undefined
        ? { expr: `sum(${tiles.get(title)})`, samples: { '{}': value } }
        : tile(title, { [`{${shown(labels)}, name="${name}"}`]: value }),
    )
    expect(await check(troubled, asked)).toEqual(passed)
  })

  test('are all among those', () => {
    const others = ['self: Instances', 'self: No answer', 'self: Data late by', 'self: Runs failing']
    expect(new Set([...inTrouble.map(([title]) => title), ...others])).toEqual(new Set(tiles.keys()))
  })

  const ofValidators = ['Offline', 'Not in set', 'Reward lost', 'Reward risk', 'Without data', 'L1 inactive']
  const ofOthers = ['No answer', 'Runs failing', 'Unmet', 'Chain stalled', 'Message lag']
  const zero = [
    ...[...ofValidators, ...ofOthers].map((title) => `fleet: ${title}`),
    'messages: Message lag',
    'l1s: Inactive',
    'l1s: Out in 7 days',
    'chains: Forked',
    'chains: Admin faults',
    'wallets: Unmet',
    'wallets: Unknown',
    'wallets: Not priced',
  ]

  test('count zero in a quiet one', async () => {
    expect(
      await check(
        quiet,
        // A blank for a name: Grafana would invent one.
        zero.map((title) => tile(title, { [tiles.get(title)!.includes('label_join') ? '{name=" "}' : '{}']: 0 })),
      ),
    ).toEqual(passed)
  })

  const unconfigured: Readonly<Record<string, readonly string[]>> = {
    'l1-validators': [
      ...['L1 weight', 'L1 inactive', 'L1 runway'].map((title) => `fleet: ${title}`),
      ...['Inactive', 'Out in 7 days', 'L1 runway', 'L1 weight', 'To spare'].map((title) => `l1s: ${title}`),
    ],
    icm: ['fleet: Message lag', 'messages: Message lag'],
  }

  test.each(['l1-validators', 'icm'])(
    'without what %s watches, tiles say so, and with it they have no data',
    async (name) => {
      const run = (collector: string) => ({
        [`stakewatch_collector_interval_seconds{network="n", collector="${collector}"}`]: 60,
      })
      const asked = (samples: Expected) =>
        unconfigured[name]!.map((title) => ({ expr: `(${tiles.get(title)}) == bool Inf`, samples }))
      expect(await check(both(run('chain-head')), asked({ '{name=" "}': 1 }))).toEqual(passed)
      expect(await check(both({ ...run('chain-head'), ...run(name) }), asked({}))).toEqual(passed)
    },
  )

  const kinds: [what: string, series: Series, infinite: Readonly<Record<string, string>>, empty: readonly string[]][] =
    [
      [
        'an L1 validator',
        { [`stakewatch_validator_info{${paying('v')}, kind="l1"}`]: 1 },
        { Reward: 'Inf', 'Budget left': 'Inf', 'Leaves in': 'Inf', 'Renews in': 'Inf' },
        ['Runway left', 'Balance', 'Active', 'L1 weight'],
      ],
      [
        'a validator of the primary network',
        { [`stakewatch_validator_info{${primary('v')}, kind="primary"}`]: 1 },
        { 'Runway left': 'Inf', Balance: 'Inf', Active: 'Inf', 'L1 weight': 'Inf' },
        ['Reward', 'Budget left', 'Leaves in'],
      ],
      [
        'one that renews itself',
        {
          [`stakewatch_validator_info{${primary('v')}, kind="primary"}`]: 1,
          [`stakewatch_validator_end_timestamp_seconds{${primary('v')}}`]: NOW + 50,
          [`stakewatch_validator_next_period_seconds{${primary('v')}}`]: DAY,
        },
        { 'Leaves in': '-Inf' },
        ['Reward'],
      ],
      [
        'a validator of a permissioned subnet',
        { [`stakewatch_validator_info{${paying('v')}, kind="permissioned"}`]: 1 },
        { Reward: 'Inf', 'Budget left': 'Inf', Active: 'Inf' },
        ['Leaves in'],
      ],
    ]

  test.each(kinds)(
    'say of %s what does not apply to it, and nothing of what is unknown',
    async (_, series, infinite, empty) => {
      const asked = [
        ...Object.entries(infinite).map(([title, value]) => {
          const { expr } = tile(`validator: ${title}`, {})
          return { expr: `sum((${expr}) == bool ${value})`, samples: { '{}': 1 } }
        }),
        ...empty.map((title) => tile(`validator: ${title}`, {})),
      ]
      expect(await check(both(series), asked)).toEqual(passed)
    },
  )

  describe('what fires now', () => {
    const alert = (alertname: string, severity: string, labels: string) =>
      ['ALERTS', 'ALERTS_FOR_STATE'].map((name) => [
        `${name}{alertname="Stakewatch${alertname}", ${name === 'ALERTS' ? 'alertstate="firing", ' : ''}severity="${severity}", ${labels}}`,
        name === 'ALERTS' ? 1 : NOW - 60,
      ])
    const firing: Series = Object.fromEntries([
      ...['a', 'b', 'c'].flatMap((one) => alert('L1BalanceEnding', 'warning', paying(one))),
      ...alert('ValidatorDisconnected', 'critical', primary('gone')),
      ...alert('ChainStalled', 'critical', of({ chain: 'c' })),
      ...alert('ChainStalled', 'critical', of({ chain: 'd' })),
      ...alert('ShardMissing', 'critical', 'job="stakewatch", shard_ordinal="2"'),
    ]) as Series
    const [since, objects] = targetsOf(dashboards.fleet).filter(({ panel }) => panel.title === 'What fires now')
    const columns = 'alertname, severity, what, page, network, subnet, validator, chain'
    const rows = (values: readonly [number, number, number, number]) => {
      const several = `page="stakewatch-validator", network="n", subnet="l1", validator="All", chain="All"`
      const [ofL1, ofOne, ofChains, ofShard] = values
      return {
        [`{alertname="StakewatchL1BalanceEnding", severity="2", what="several of l1", ${several}}`]: ofL1,
        [`{alertname="StakewatchValidatorDisconnected", severity="1", what="gone primary", page="stakewatch-validator", ${primary('gone').replace(/node_id="[^"]*", /, '')}, chain="All"}`]:
          ofOne,
        [`{alertname="StakewatchChainStalled", severity="1", what="several", page="stakewatch-chains", network="n", subnet="All", validator="All", chain="All"}`]:
          ofChains,
        [`{alertname="StakewatchShardMissing", severity="1", what="shard 2", page="stakewatch-self", network="All", subnet="All", validator="All", chain="All"}`]:
          ofShard,
      }
    }

    test('has one row for each cause, with the number of its objects and the page of all or of one', async () => {
      const asked = [
        { expr: objects!.query.expr, samples: rows([3, 1, 2, 1]) },
        { expr: since!.query.expr, samples: rows([60, 60, 60, 60]) },
      ].map(({ expr, samples }) => ({ expr: `max by (${columns}) (${filledIn(expr, '1m')})`, samples }))
      expect(await check(firing, asked)).toEqual(passed)
    })

    const works: Series = { 'ALERTS{alertname="StakewatchWatchdog", alertstate="firing", severity="none"}': 1 }
    const named = `max by (severity, what) (${filledIn(since!.query.expr, '1m')}) > bool 1e9`

    test('says that nothing fires where the rules are evaluated', async () => {
      const row = { '{severity="4", what="nothing fires"}': 1 }
      expect(await check(works, [{ expr: named, samples: row }])).toEqual(passed)
      expect(await check({}, [{ expr: named, samples: {} }])).toEqual(passed)
      const asked = { expr: `count(${named}) - sum(${named})`, samples: { '{}': 4 } }
      expect(await check({ ...works, ...firing }, [asked])).toEqual(passed)
    })
  })

  test('leave safe rewards out of the least budget', async () => {
    expect(await check(quiet, [tile('fleet: Budget', {})])).toEqual(passed)
  })

  test('leave the state of a reward in the table to the majority, and call a tie a risk', async () => {
    const samples = { gone: 3, disputed: 2, well: 1, tied: 2 }
    const byLabels = Object.entries(samples).map(([name, state]) => [`{${shown(primary(name))}}`, state])
    const expr = filledIn(rewardByMajority, '1m')
    expect(await check(troubled, [{ expr, samples: Object.fromEntries(byLabels) as Expected }])).toEqual(passed)
  })

  describe('of maintenance', () => {
    const seconds = (validator: string, source: string) =>
      `stakewatch_validator_may_stop_seconds{${primary(validator)}, source="${source}"}`
    const l1 = (validator: string, source: string) =>
      `stakewatch_l1_validator_may_stop{${shown(paying(validator))}, source="${source}"}`
    const tracked = [
      ...['long', 'short', 'exact', 'silent', 'double', 'ending', 'late'].map(primary),
      ...['calm', 'tight', 'double'].map(paying),
    ]
    const fleet: Series = both({
      ...Object.fromEntries(tracked.map((labels) => [`stakewatch_validator_tracked{${labels}}`, 1])),
      [seconds('long', 'x')]: 9_000,
      [seconds('long', 'y')]: 4_000,
      // The observer that allows least counts.
      [seconds('short', 'x')]: 9_000,
      [seconds('short', 'y')]: 3_599,
      [seconds('exact', 'x')]: 3_600,
      [seconds('double', 'x')]: 9_000,
      // Both periods end in 480 s. One has no more to lose until then.
      ...Object.fromEntries(
        ['ending', 'late'].map((one) => [`stakewatch_validator_end_timestamp_seconds{${primary(one)}}`, NOW + 480]),
      ),
      [seconds('ending', 'x')]: 480,
      [seconds('late', 'x')]: 400,
      [l1('double', 'x')]: 0,
      [l1('calm', 'x')]: 1,
      [l1('calm', 'y')]: 1,
      [l1('tight', 'x')]: 1,
      [l1('tight', 'y')]: 0,
      // Not tracked: another operator's.
      [l1('stranger', 'x')]: 1,
    })
    const samplesOf = (values: readonly (readonly [string, number])[]) =>
      Object.fromEntries(values.map(([labels, value]) => [`{${labels}}`, value]))

    test.each([
      ['each validator by itself', mayStop, 1],
      ['each with the others of its node', nodeMayStop, 0],
    ] as const)('tell who may stop: %s', async (_, expr, double) => {
      const samples = samplesOf([
        [primary('long'), 1],
        [primary('short'), 0],
        [primary('exact'), 1],
        [primary('silent'), 0.5],
        [primary('ending'), 1],
        [primary('late'), 0],
        // Its node validates an L1 as well, where it may not.
        [primary('double'), double],
        [paying('double'), 0],
        [paying('calm'), 1],
        [paying('tight'), 0],
      ])
      expect(await check(fleet, [{ expr: filledIn(expr, '1m'), samples }])).toEqual(passed)
    })
  })

  describe('of maintenance windows', () => {
    const member = (validator: string, window: string) => [
      `stakewatch_validator_in_maintenance{${validator}, window="${window}"}`,
      window === 'kernel' ? 1 : 0,
    ]
    const fleet: Series = {
      ...both({
        ...windowOf('kernel', 1, -60, 300),
        ...windowOf('weekly', 0, 1_000, 8_200),
        ...(Object.fromEntries([
          member(primary('long'), 'kernel'),
          ...['long', 'short', 'next'].map((one) => member(primary(one), 'weekly')),
          member(paying('calm'), 'weekly'),
          // The observer in the middle counts: 8,000 s and 6,299.5 s.
          ...[9_000, 4_000, 8_000].map((allows, at) => [
            `stakewatch_validator_may_stop_seconds{${primary('long')}, source="${'xyz'[at]}"}`,
            allows,
          ]),
          ...['short', 'next'].flatMap((one) =>
            [9_000, 3_599].map((allows, at) => [
              `stakewatch_validator_may_stop_seconds{${primary(one)}, source="${'xyz'[at]}"}`,
              allows,
            ]),
          ),
        ]) as Series),
        // Inside the second window, before it, and after it.
        [`stakewatch_validator_end_timestamp_seconds{${primary('long')}}`]: NOW + 5_000,
        [`stakewatch_validator_end_timestamp_seconds{${primary('short')}}`]: NOW + 500,
        [`stakewatch_validator_end_timestamp_seconds{${primary('next')}}`]: NOW + 90_000,
        [`stakewatch_maintenance_validator_down{${paying('calm')}, window="weekly"}`]: 1,
        [`stakewatch_validator_weight{${paying('calm')}}`]: 30,
        [`stakewatch_validator_info{${paying('calm')}, kind="l1"}`]: 1,
        [`stakewatch_subnet_weight{${of({ subnet: 'l1', state: 'active' })}}`]: 100,
      }),
      [`ALERTS{alertname="StakewatchMaintenanceOverrun", alertstate="firing", severity="critical", ${primary('long')}, window="kernel"}`]: 1,
    }
    const columns = (page: keyof typeof dashboards, title: string) =>
      targetsOf(dashboards[page])
        .filter(({ panel }) => panel.title === title)
        .map(({ query }) => filledIn(query.expr, '1m', '5m'))
    const kernel = `{${of({ window: 'kernel' })}}`
    const weekly = `{${of({ window: 'weekly' })}}`

    test('tell what each takes and costs', async () => {
      const expected: Expected[] = [
        { [kernel]: 1, [weekly]: 0 },
        { [weekly]: 1_000 },
        { [kernel]: 300, [weekly]: 8_200 },
        // What is left of the open one.
        { [kernel]: 300, [weekly]: 7_200 },
        { [kernel]: 1, [weekly]: 4 },
        // Of the two that may be down for 6,299.5 s, the period of one ends before the window.
        { [kernel]: 0, [weekly]: 1 },
        { [kernel]: 0, [weekly]: 1 },
        { [weekly]: 0.7 },
        { [kernel]: 1, [weekly]: 0 },
      ]
      const asked = columns('fleet', 'Maintenance windows').map((expr, at) => ({ expr, samples: expected[at]! }))
      expect(asked).toHaveLength(expected.length)
      expect(await check(fleet, asked)).toEqual(passed)
    })

    test('tell what one costs a validator', async () => {
      const [, , , uses, allowed, share] = columns('validator', 'Maintenance windows over it')
      const [now, long, short, next, calm] = [
        `{${shown(primary('long'))}, window="kernel"}`,
        ...[primary('long'), primary('short'), primary('next'), paying('calm')].map(
          (one) => `{${shown(one)}, window="weekly"}`,
        ),
      ] as [string, string, string, string, string]
      expect(
        await check(fleet, [
          { expr: uses!, samples: { [now]: 300, [long]: 7_200, [short]: 7_200, [next]: 7_200, [calm]: 7_200 } },
          { expr: allowed!, samples: { [now]: 8_000, [long]: 8_000, [next]: 6_299.5 } },
          { expr: share!, samples: { [now]: 0.0375, [long]: 0.9, [next]: 7_200 / 6_299.5 } },
        ]),
      ).toEqual(passed)
    })

    test('tell that none is open', async () => {
      const closed = both({ ...windowOf('weekly', 0, 1_000, 8_200), 'stakewatch_build_info{}': 1 })
      const { expr } = tile('fleet: In maintenance', {})
      expect(await check(closed, [{ expr: `count((${expr}) == -1)`, samples: { '{}': 1 } }])).toEqual(passed)
    })
  })

  test('are empty, not zero, where nothing is known', async () => {
    const asked = [...tiles.values()].map((expr) => ({ expr, samples: {} }))
    expect(await check({ up: 0 }, asked)).toEqual(passed)
  })
})
