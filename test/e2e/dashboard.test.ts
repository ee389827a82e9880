// Every query of the dashboards has an answer from the demo, scraped by a real Prometheus, and the tiles say what they
// should.

import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fleet from '../../dashboards/fleet.json' with { type: 'json' }
import wallets from '../../dashboards/wallets.json' with { type: 'json' }
import type { Dashboard } from '../../dashboards/src/dashboard.ts'
import { rewardByMajority } from '../../dashboards/src/reward.ts'
import { filledIn, labelValues, targetsOf, variablesOf } from '../dashboards/lint.ts'
import { type Prometheus, startPrometheus } from './support/prometheus.ts'
import { stakewatch, type Started, temporaryFolder } from './support/processes.ts'
import { eventually } from './support/scrape.ts'

const dashboards = [fleet, wallets] as unknown as Dashboard[]

/** At a scrape every second. */
const RATE_INTERVAL = '15s'
/** As much as there will be. */
const RANGE = '5m'

interface Asked {
  title: string
  expr: string
  /** Undefined where rows of a table are meant. */
  legend: string | undefined
  isTile: boolean
}

const queries: Asked[] = dashboards.flatMap(targetsOf).map(({ panel, query }) => ({
  title: `${panel.title} ${query.refId}`,
  expr: filledIn(query.expr, RATE_INTERVAL, RANGE),
  legend: query.legendFormat,
  isTile: panel.type === 'stat',
}))

const variables = dashboards.flatMap(variablesOf).flatMap((variable) => {
  const asked = labelValues(variable)
  return asked === undefined ? [] : [{ name: variable.name, ...asked }]
})

/** Seconds until the slowest of them has an answer: a message has to arrive while Prometheus is looking. */
const PATIENCE = 90

describe('the dashboards', () => {
  let demo: Started
  let prometheus: Prometheus | undefined
  let deadline: number

  beforeAll(async () => {
    // The time of a delivery is told in the live form alone.
    demo = stakewatch('demo', '--dialect=live', '--web.listen-address=127.0.0.1:0')
    prometheus = await startPrometheus(await demo.said(/metrics: +(\S+)/))
    deadline = performance.now() + PATIENCE * 1_000
  }, 60_000)

  afterAll(async () => {
    await prometheus?.end()
    await demo.end()
  })

  test.each(queries)(
    '$title has data, each series under a name of its own',
    async ({ title, expr, legend, isTile }) => {
      const series = await eventually(
        title,
        async () => {
          const found = await prometheus!.query(expr)
          return found.some(({ value }) => !Number.isNaN(value)) && found
        },
        (deadline - performance.now()) / 1_000,
      )
      const names = series.map(({ labels }) =>
        (legend ?? '').replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? ''),
      )
      const repeated = names.filter((name, at) => legend !== undefined && names.indexOf(name) !== at)
      expect({ repeated, isOne: series.length === 1 || !isTile }).toEqual({ repeated: [], isOne: true })
    },
  )

  test.each(variables)('the variable $name has values', async ({ selector, label }) => {
    const values = await prometheus!.query(`group by (${label}) (${filledIn(selector, RATE_INTERVAL)})`)
    expect(values.map(({ labels }) => labels[label])).not.toContain(undefined)
    expect(values.length).toBeGreaterThan(0)
  })
})

/** Two replicas of stakewatch that watch the same: what both say is one thing, what one misses is missing. */
const replicas = ['a', 'b'] as const

type Series = Record<string, number>

/** The same from each replica. */
function both(series: Series): Series {
  return Object.fromEntries(
    Object.entries(series).flatMap(([name, value]) =>
      replicas.map((replica) => [name.replace('{', `{job="sw", instance="${replica}", `), value]),
    ),
  )
}

const primary = (validator: string) =>
  `network="n", subnet="primary", node_id="id-${validator}", validator="${validator}"`
const paying = (validator: string) => `network="n", subnet="l1", node_id="id-${validator}", validator="${validator}"`

/** What three observers, x, y and z, see of one validator. */
function observed(validator: string, views: readonly { connected: number; budget: number; state: string }[]): Series {
  return Object.fromEntries(
    views.flatMap(({ connected, budget, state }, at) => {
      const labels = `${primary(validator)}, source="${'xyz'[at]}"`
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
const collector = (target: string) => `network="n", collector="c", target="${target}"`

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
    ]),
    // Half of two is none either.
    ...observed('tied', [
      { connected: 0, budget: -5, state: 'lost' },
      { connected: 1, budget: 1, state: 'safe' },
    ]),
    ...Object.fromEntries(
      ['gone', 'disputed', 'well', 'silent'].map((one) => [`stakewatch_validator_tracked{${primary(one)}}`, 1]),
    ),
    [`stakewatch_validator_in_set{${primary('gone')}}`]: 0,
    [`stakewatch_validator_in_set{${primary('disputed')}}`]: 1,
    [`stakewatch_validator_in_set{${primary('well')}}`]: 1,
    [`stakewatch_validator_end_timestamp_seconds{${primary('disputed')}}`]: NOW + 500,
    [`stakewatch_validator_end_timestamp_seconds{${primary('well')}}`]: NOW + 1_000,
    [`stakewatch_l1_validator_active{${paying('broke')}}`]: 0,
    [`stakewatch_l1_validator_active{${paying('poor')}}`]: 1,
    [`stakewatch_l1_validator_active{${paying('rich')}}`]: 1,
    [`stakewatch_l1_validator_depletion_timestamp_seconds{${paying('poor')}}`]: NOW + 6 * DAY,
    [`stakewatch_l1_validator_depletion_timestamp_seconds{${paying('rich')}}`]: NOW + 90 * DAY,
    [`stakewatch_collector_ttl_seconds{${collector('p')}}`]: 300,
    [`stakewatch_collector_ttl_seconds{${collector('q')}}`]: 3_600,
    'stakewatch_upstream_up{network="n", source="y"}': 1,
    'stakewatch_build_info{version="1", node_version="24"}': 1,
    [`stakewatch_collector_success{${collector('p')}}`]: 1,
    [`stakewatch_collector_last_success_timestamp_seconds{${collector('q')}}`]: 0,
  }),
  // Here the replicas differ: the worse one counts.
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
    expr: queries.find((query) => query.isTile && query.title === `${title} A`)!.expr,
    samples,
  })
  const passed = expect.objectContaining({ status: 0, stdout: expect.stringContaining('SUCCESS') as string })

  test.each([
    ['Disconnected', 1],
    ['Not in the set', 1],
    ['Reward lost', 1],
    ['Reward at risk', 2],
    ['Smallest downtime budget', 300, `{${primary('disputed')}, source="y"}`],
    ['Next stake end', 500, `{${primary('disputed')}}`],
    ['Validators without data', 1],
    ['L1 validators inactive', 1],
    ['L1 balances out in 7 d', 1],
    ['Shortest L1 runway', 6 * DAY, `{${paying('poor')}}`],
    ['Upstreams down', 1],
    ['Collectors failing', 1],
    // Of 240 in 300 seconds and 600 in 3,600.
    ['Oldest data', 0.8, `{${collector('p')}}`],
    ['Instances of stakewatch', 2],
  ])('%s in a troubled night: %d', async (title, value, labels = '{}') => {
    expect(await check(troubled, [tile(title, { [labels]: value })])).toEqual(passed)
  })

  const counts = ['Disconnected', 'Not in the set', 'Reward lost', 'Reward at risk', 'Validators without data']
  const ofOthers = ['L1 validators inactive', 'L1 balances out in 7 d', 'Upstreams down', 'Collectors failing']

  test('count zero in a quiet one', async () => {
    expect(
      await check(
        quiet,
        [...counts, ...ofOthers].map((title) => tile(title, { '{}': 0 })),
      ),
    ).toEqual(passed)
  })

  test('leave safe rewards out of the smallest budget', async () => {
    expect(await check(quiet, [tile('Smallest downtime budget', {})])).toEqual(passed)
  })

  test('leave the state of a reward in the table to the majority', async () => {
    const samples = { gone: 3, disputed: 2, well: 1, tied: 0 }
    const byLabels = Object.entries(samples).map(([name, state]) => [`{${primary(name)}}`, state])
    const expr = filledIn(rewardByMajority, RATE_INTERVAL)
    expect(await check(troubled, [{ expr, samples: Object.fromEntries(byLabels) as Expected }])).toEqual(passed)
  })

  test('are empty, not zero, where nothing is known', async () => {
    const tiles = queries.filter(({ isTile }) => isTile).map(({ expr }) => ({ expr, samples: {} }))
    expect(await check({ up: 0 }, tiles)).toEqual(passed)
  })
})
