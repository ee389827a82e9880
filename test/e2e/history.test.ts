// The demo's past in a real Prometheus: what was played answers the questions of the dashboards, and the demo goes on from
// there.

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dashboards } from '../../dashboards/src/all.ts'
import { startSimulator } from '../../src/simulator/simulator.ts'
import { writeHistory } from '../../tools/history.ts'
import { filledIn, targetsOf } from '../dashboards/lint.ts'
import { type Sink, startSink } from '../support/sink.ts'
import { type Prometheus, startPrometheus } from './support/prometheus.ts'
import { temporaryFolder } from './support/processes.ts'

const MINUTES = 12
const target = { job: 'stakewatch', instance: 'stakewatch:19650' }
/** A tenth of the demo's network: the tools take as many minutes for it as they would seconds. */
const network = { seed: 1, validators: 60, delegations: 600 }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let prometheus: Prometheus
let unavailable: Sink
let since: number
let blocks: number
const warnings: string[] = []

beforeAll(async () => {
  folder = await temporaryFolder()
  const now = Math.floor(Date.now() / 1_000)
  since = now - MINUTES * 60
  const data = join(folder.path, 'data')
  const log = { info: () => {}, warn: (_: object, message: string) => void warnings.push(message) }
  blocks = await writeHistory(data, target, { ...network, since, until: () => now, log })
  // No demo: what is answered comes from the blocks.
  unavailable = await startSink((_request, _body, response) => response.writeHead(503).end())
  prometheus = await startPrometheus(`${unavailable.url}/`, '{}', data)
})

afterAll(async () => {
  await prometheus?.end()
  await unavailable?.end()
  await folder.remove()
})

/** Seconds after the beginning. */
const at = async (seconds: number, expression: string) => prometheus.query(expression, since + seconds)

describe('the blocks', () => {
  test('are nothing but blocks', () => {
    // Blocks end with even hours.
    expect(blocks).toBeGreaterThanOrEqual(1)
    expect(blocks).toBeLessThanOrEqual(2)
  })

  test('come from a daemon that nothing has failed', () => {
    expect(warnings).toEqual([])
  })

  test('have an exposition for each minute, under the labels of the target', async () => {
    const counted = await at(
      MINUTES * 60,
      `count_over_time(up{job="stakewatch",instance="stakewatch:19650"}[${MINUTES}m])`,
    )
    expect(counted.map(({ value }) => value)).toEqual([MINUTES])
  })

  test('tell what the network was then', async () => {
    const simulator = await startSimulator({
      ...network,
      epoch: since,
      clock: () => 0,
      dialect: 'live',
      metricsDialect: 'document',
    })
    const { world } = simulator
    await simulator.stop()
    for (const minute of [6, MINUTES - 1]) {
      // The last poll was at most two minutes before.
      world.advance(since + (minute - 2) * 60)
      const [from, to] = [world.chains.P.head(), (world.advance(since + minute * 60), world.chains.P.head())]
      const [written] = await at(minute * 60, 'stakewatch_chain_head_height{chain="p-chain"}')
      expect(written!.value).toBeGreaterThanOrEqual(from)
      expect(written!.value).toBeLessThanOrEqual(to)
    }
  })
})

/** As Grafana works them out for a scrape interval of 30 seconds, which the Prometheus of deploy/compose has. */
const queries = Object.values(dashboards).flatMap((dashboard) =>
  targetsOf(dashboard).map(({ panel, query }) => ({
    name: `${dashboard.title}: ${panel.title} ${query.refId}`,
    expr: filledIn(query.expr, '2m', '10m'),
  })),
)

/** Nothing here ran in those hours: no process of ours, no rules, no drill. The demo keeps nothing on disk. */
const UNKNOWN_OF_THE_PAST = [
  'Fleet: What fires now A',
  'Fleet: What fires now B',
  'Validator: Alerts about it A',
  'Validator: Alerts about it B',
  'L1s: Alerts about L1s A',
  'L1s: Alerts about L1s B',
  'Chains and nodes: Alerts about chains and nodes A',
  'Chains and nodes: Alerts about chains and nodes B',
  'Wallets and rewards: Alerts about wallets A',
  'Wallets and rewards: Alerts about wallets B',
  'Messages: Alerts about messages A',
  'Messages: Alerts about messages B',
  'stakewatch itself: Alerts about stakewatch A',
  'stakewatch itself: Alerts about stakewatch B',
  'stakewatch itself: Instances of stakewatch F',
  'stakewatch itself: Instances of stakewatch H',
  'stakewatch itself: Instances of stakewatch I',
  'stakewatch itself: Instances of stakewatch J',
  'stakewatch itself: Requests to stakewatch A',
  'stakewatch itself: Jumps, restarts and failures C',
  'stakewatch itself: Configuration and storage B',
]

test('every other question of the dashboards has an answer in the past', async () => {
  const answers = await Promise.all(
    queries.map(async ({ name, expr }) => ({ name, series: await at((MINUTES - 1) * 60, expr) })),
  )
  const empty = answers.filter(({ series }) => series.length === 0).map(({ name }) => name)
  expect(queries.length).toBeGreaterThan(150)
  expect(empty).toEqual(UNKNOWN_OF_THE_PAST)
})
