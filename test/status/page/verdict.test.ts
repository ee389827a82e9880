// The first sentence of the page, and the strip of the last day.

import { describe, expect, test } from 'vitest'
import { filterOf, hoursOf, validatorTable } from '../../../src/status/page/validator-table.ts'
import { thresholds } from '../../../src/alerts/thresholds.ts'
import { written } from '../../../src/status/page/markup.ts'
import { problemSection } from '../../../src/status/page/problem-section.ts'
import { verdictOf } from '../../../src/status/page/verdict.ts'
import { linesOf, NOW, shown, yamlOf } from '../../support/status.ts'

const ids = ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ']
const validators = ids.map((id, at) => `{ node_id: ${id}, name: val-${at + 1} }`)
const yaml = yamlOf(['node-a'], validators)

function linesWith(connected: readonly number[], more: Readonly<Record<string, number>> = {}): string[] {
  return ids.flatMap((node_id, at) =>
    linesOf(
      { node_id, validator: `val-${at + 1}` },
      { validator_in_set: 1, validator_tracked: 1 },
      { 'node-a': { validator_connected: connected[at]!, ...more } },
    ),
  )
}

async function worldAfter(seconds: number, lines: readonly string[], nodes: readonly string[] = ['node-a']) {
  const world = shown({ yaml: yamlOf([...nodes], validators), lines })
  world.set(NOW + seconds)
  await world.evaluate()
  return world
}

async function saidAfter(seconds: number, lines: readonly string[], isUnevaluated = false) {
  const world = shown({ yaml, lines, isUnevaluated })
  if (!isUnevaluated) {
    world.set(NOW + seconds)
    await world.evaluate()
  }
  return verdictOf(world.status())
}

describe('the verdict', () => {
  test.each([
    ['nothing is known of the validators yet', 0, [], 'warning', /^Nothing pages, but no node sees val-1 and val-2\.$/],
    ['nothing is wrong', 0, linesWith([1, 1]), 'good', /^All is well: 2 validators and 1 upstream watched\.$/],
    ['something may be starting', 0, linesWith([0, 1]), 'warning', /^May page soon: .*\.$/],
    [
      'one of two is away',
      360,
      linesWith([0, 1]),
      'critical',
      /^1 of 2 validators needs you: .* on fuji; firing for 1 min\.$/,
    ],
    [
      'all are away',
      360,
      linesWith([0, 0]),
      'critical',
      /^2 validators need you: .* on fuji; firing for 1 min, 1 more like it\.$/,
    ],
    [
      'there is time left',
      360,
      linesWith([0, 1], { validator_downtime_budget_seconds: 90_000 }),
      'critical',
      /, its reward is lost in 1 d 1 h if it stays away; firing for 1 min\.$/,
    ],
  ])('when %s', async (_, seconds, lines, tone, text) => {
    const verdict = await saidAfter(seconds, lines)
    expect(verdict).toMatchObject({ tone, text: expect.stringMatching(text) })
  })

  test.each([
    [['NodeID-2'], /^1 of 2 validators and 1 other need you: /],
    [['NodeID-2', 'NodeID-3', 'NodeID-3'], /^1 of 2 validators and 2 others need you: /],
  ])('counts validators of an L1 that are not configured as well: %j', async (others, text) => {
    const status = (await worldAfter(360, linesWith([0, 1]))).status()
    const [one] = status.alerts
    const more = others.map((node_id) => ({ ...one!, labels: { ...one!.labels, node_id } }))
    expect(verdictOf({ ...status, alerts: [one!, ...more] }).text).toMatch(text)
  })

  test.each([
    [{ ordinal: 0, shards: 1 }, 'All is well: nothing is configured yet.'],
    [{ ordinal: 2, shards: 3 }, 'All is well: nothing falls to this shard.'],
  ])('where it watches nothing: %j', async (shard, text) => {
    const status = (await worldAfter(0, [])).status()
    const nothing = { alerts: [], validators: [], subnets: [], upstreams: [] }
    expect(verdictOf({ ...status, ...nothing, shard }).text).toBe(text)
  })

  test('of things of the same name on several networks it says on which each is', async () => {
    const lines = ['stakewatch_upstream_up{network="fuji",source="node-b"} 0']
    const status = (await worldAfter(900, [...linesWith([1, 1]), ...lines], ['node-a', 'node-b'])).status()
    const [warning] = status.alerts
    const elsewhere = (one: typeof warning) => ({ ...one!, labels: { ...one!.labels, network: 'other' } })
    const [seen] = status.validators
    const unseen = ['fuji', 'other'].map((network) => ({ ...seen!, network, state: 'unknown' as const }))
    const many = { ...status, alerts: [warning!, elsewhere(warning)], validators: unseen }
    expect(verdictOf(many).text).toBe(
      'Nothing pages, but no node sees val-1 on fuji and val-1 on other. 2 warnings can wait for the morning: node-b does not answer on fuji and node-b does not answer on other.',
    )
    const [, rest] = problemSection(many, { prefix: '', telemetryPath: '' }).map(written)
    expect(rest).toContain('<li>node-b does not answer on other, ')
  })

  test('says what may page next to what does', async () => {
    const status = (await worldAfter(360, linesWith([0, 1]))).status()
    const [firing] = status.alerts
    const alerts = [firing!, { ...firing!, state: 'pending' as const }]
    expect(verdictOf({ ...status, alerts }).more).toBe('1 more may page soon.')
  })

  test('names what is lost first, of a validator that is not configured by name too', async () => {
    const balances = [90_000, 600, 7_200].flatMap((left, at) =>
      linesOf(
        { subnet: 'orchard', node_id: `NodeID-${at}`, validator: `l1-${at}` },
        { l1_validator_depletion_timestamp_seconds: NOW + 360 + left, l1_validator_active: 1 },
        {},
      ),
    )
    const verdict = await saidAfter(360, [...linesWith([0, 1]), ...balances])
    expect(verdict.text).toMatch(/ l1-1: balance ends in 10m 0s on fuji; firing for .*, 2 more like it\.$/)
  })

  test.each([
    [['b'], '1 warning can wait for the morning: node-b does not answer.'],
    [
      ['b', 'c', 'd'],
      '3 warnings can wait for the morning: node-b does not answer, node-c does not answer and node-d does not answer.',
    ],
    [
      ['b', 'c', 'd', 'e', 'f'],
      '5 warnings can wait for the morning: node-b does not answer, node-c does not answer, node-d does not answer and 2 more.',
    ],
  ])('names what is not urgent: %j', async (down, text) => {
    const nodes = ['a', ...down].map((one) => `node-${one}`)
    const lines = down.map((one) => `stakewatch_upstream_up{network="fuji",source="node-${one}"} 0`)
    const world = await worldAfter(900, [...linesWith([1, 1]), ...lines], nodes)
    expect(verdictOf(world.status())).toEqual({ tone: 'warning', text: `Nothing is urgent. ${text}`, more: '' })
  })

  test.each([
    ['is away', 'disconnected', 90_000, ', its reward is lost in 1 d 1 h if it stays away; firing for 1 min.'],
    // What is wrong with it uses up no downtime.
    ['is connected', 'connected', 90_000, ' on fuji; firing for 1 min.'],
    [
      'is connected and has less than a day left',
      'connected',
      80_000,
      ', 22 h 13 min of downtime left; firing for 1 min.',
    ],
  ] as const)('of a validator that %s', async (_, state, budget, text) => {
    const status = (await worldAfter(360, linesWith([0, 1], { validator_downtime_budget_seconds: budget }))).status()
    const validators = status.validators.map((one) => ({ ...one, state }))
    expect(verdictOf({ ...status, validators }).text.endsWith(text)).toBe(true)
  })

  test.each([
    [[], ', its reward is at risk; firing for 1 min.'],
    [['StakewatchRewardLost'], ', its reward is lost; firing for 1 min.'],
  ])('says whether the judge holds the reward for lost: %j', async (names, text) => {
    const status = (await worldAfter(360, linesWith([0, 1], { validator_downtime_budget_seconds: -5 }))).status()
    const alerts = names.map((alert) => ({ ...status.alerts[0]!, alert }))
    const validators = status.validators.map((validator) => ({ ...validator, alerts }))
    expect(verdictOf({ ...status, validators }).text.endsWith(text)).toBe(true)
  })

  test('says the time left below the limit of the configuration', async () => {
    const status = (await worldAfter(360, linesWith([0, 1], { validator_downtime_budget_seconds: 90_000 }))).status()
    const validators = status.validators.map((one) => ({ ...one, state: 'connected' as const }))
    const { text } = verdictOf({ ...status, validators }, { ...thresholds, budgetEnding: 100_000 })
    expect(text).toContain(', 1 d 1 h of downtime left;')
  })

  test('before anything was judged, and after a pause, it claims nothing', async () => {
    expect((await saidAfter(0, linesWith([1, 1]), true)).text).toBe('Nothing has been judged yet.')
    const world = shown({ yaml, lines: linesWith([1, 1]) })
    world.set(NOW + 120)
    expect(verdictOf(world.status())).toMatchObject({ tone: 'critical', text: expect.stringContaining('unknown') })
  })
})

describe('the last 24 hours', () => {
  const HOUR = 3_600

  test.each([
    [
      'away for the first minute of an hour and a minute',
      [NOW - HOUR - 60, 0, NOW - HOUR, 1],
      '98.3% of the 1 h 1 min',
    ],
    ['away for six hours of a day', [NOW - 50 * HOUR, 1, NOW - 6 * HOUR, 0], '75.0% of the last day'],
  ])('in words: %s', (_, track, text) => {
    const status = shown({ yaml, lines: linesWith([1, 1]) }).status()
    const links = { prefix: '', telemetryPath: '' }
    const table = written(validatorTable(status, filterOf({}), links, () => track, thresholds))
    expect(table).toContain(`aria-label="connected for ${text}`)
  })

  const now = 100 * HOUR
  const last = (track: readonly number[], count: number) => hoursOf([...track], now).slice(-count)

  test('a gap is a gap', () => expect(hoursOf([], now)).toEqual(Array.from({ length: 24 }, () => null)))

  test.each([
    ['connected all the time', [now - 50 * HOUR, 1], [1, 1]],
    ['away for half of the last hour', [now - 50 * HOUR, 1, now - 1_800, 0.4], [1, 0.5]],
    ['half of the votes are enough', [now - 50 * HOUR, 0.5], [1, 1]],
    ['known for a quarter of the last hour', [now - 900, 0], [null, 0]],
    ['unknown since half an hour ago', [now - 50 * HOUR, 1, now - 1_800, NaN], [1, 1]],
    ['unknown for the last hour', [now - 50 * HOUR, 1, now - HOUR, NaN], [1, null]],
  ])('%s', (_, track, expected) => expect(last(track, 2)).toEqual(expected))
})
