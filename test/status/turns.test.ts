// Turns of the last week on the pages: as far as it is remembered, and what is not known.

import { describe, expect, test } from 'vitest'
import type { PublicStatus } from '../../src/status/value/public.ts'
import { statusSchema } from '../../src/status/value/status-schema.ts'
import { topText } from '../../src/commands/top/top.ts'
import { DAY, linesOf, NOW, shown, VAL_1, yamlOf } from '../support/status.ts'

const HOUR = 3_600
const MORE = '    chains: [{ id: p-chain }, { id: c-chain }]\npublic: { validators: [{ validator: val-1 }] }'
const yaml = yamlOf(['node-a'], [`{ node_id: ${VAL_1}, name: val-1 }`], MORE)

interface Counts {
  made: number
  missed: number
  gaps?: number
  isContradicted?: boolean
}

function linesAt(counts: Readonly<Record<string, Counts>>): string[] {
  return [
    ...linesOf({}, { validator_tracked: 1, validator_in_set: 1 }),
    ...Object.entries(counts).flatMap(([chain, { made, missed, gaps = 0, isContradicted = false }]) => {
      const turns = `stakewatch_validator_turns_total{network="fuji",subnet="primary",node_id="${VAL_1}",validator="val-1",chain="${chain}"`
      return [
        `${turns},outcome="made"} ${made}`,
        `${turns},outcome="missed"} ${missed}`,
        `${turns},outcome="idle"} 1000`,
        `stakewatch_chain_turns_gaps_total{network="fuji",chain="${chain}"} ${gaps}`,
        `stakewatch_chain_draw_contradicted{network="fuji",chain="${chain}"} ${Number(isContradicted)}`,
      ]
    }),
  ]
}

/** What is published at this hour after NOW. */
type Hour = readonly [hour: number, counts: Readonly<Record<string, Counts>>]

function after([, first]: Hour, ...others: readonly Hour[]) {
  const world = shown({ yaml, lines: linesAt(first) })
  for (const [hour, counts] of others) {
    world.set(NOW + hour * HOUR)
    world.publish(linesAt(counts))
  }
  const status = statusSchema.parse(JSON.parse(world.answer('/api/v1/status').body))
  const open = JSON.parse(world.publicAnswer('/public.json').body) as PublicStatus
  return {
    turns: status.validators[0]!.turns,
    open: open.validators[0]!.turns,
    page: world.answer('/validators/:name', {}, 'val-1').body.replace(/>\s+</g, '><'),
    publicPage: world.publicAnswer('/public').body,
    top: topText(status, 'here', { limit: 10 }),
  }
}

/** Every hour of some days: a number of turns an hour. */
const hourly = (days: number, made: number, missed: number) => {
  const at = (hour: number): Hour => [hour, { 'c-chain': { made: hour * made, missed: hour * missed } }]
  return [at(0), ...Array.from({ length: days * 24 }, (_, hour) => at(hour + 1))] as const
}

test('less than a week is known: everyone reads since when', () => {
  const { turns, open, page, publicPage, top } = after(...hourly(1, 2, 1))
  const week = { made: 48, missed: 24, since_timestamp_seconds: NOW, whole_week: false }
  expect(turns).toEqual({ ...week, chains: [{ chain: 'c-chain', ...week }] })
  expect(open).toEqual(week)
  expect(page).toContain('<li>c-chain: made 48 of 72 since 2026-05-28 20:26 UTC</li>')
  expect(publicPage).toContain('made 48 of 72 since 2026-05-28 20:26 UTC')
  expect(publicPage).not.toContain('c-chain')
  expect(top).toContain('48 of 72')
})

// Ten days of 3 an hour, of which 7 count: 504. What is noted is up to six hours old, so that six hours more may count.
test('a week is known, and what is older is left out', () => {
  const { turns, page } = after(...hourly(10, 2, 1))
  expect(turns).toMatchObject({ whole_week: true, since_timestamp_seconds: NOW + 3 * DAY })
  expect(turns!.made! + turns!.missed!).toBeGreaterThanOrEqual(504)
  expect(turns!.made! + turns!.missed!).toBeLessThanOrEqual(504 + 18)
  expect(page).toContain(' this week</li>')
})

test('after a gap, turns are counted since then', () => {
  const before = { made: 100, missed: 5 }
  expect(
    after(
      [0, { 'c-chain': before }],
      [1, { 'c-chain': { made: 140, missed: 6, gaps: 1 } }],
      [3, { 'c-chain': { made: 143, missed: 7, gaps: 1 } }],
    ).turns,
  ).toMatchObject({
    made: 3,
    missed: 1,
    since_timestamp_seconds: NOW + HOUR,
  })
})

test('a counter that begins again is no gap', () => {
  const { turns } = after([0, { 'c-chain': { made: 100, missed: 5 } }], [7, { 'c-chain': { made: 20, missed: 0 } }])
  expect(turns).toMatchObject({ made: 20, missed: 0, since_timestamp_seconds: NOW })
})

test('all chains together count since the last of them is counted, each by itself since its own beginning', () => {
  const { turns } = after(
    [0, { 'c-chain': { made: 0, missed: 0 } }],
    [7, { 'c-chain': { made: 10, missed: 1 }, 'p-chain': { made: 0, missed: 0 } }],
    [8, { 'c-chain': { made: 12, missed: 1 }, 'p-chain': { made: 1, missed: 0 } }],
  )
  expect(turns).toMatchObject({
    made: 3,
    missed: 0,
    since_timestamp_seconds: NOW + 7 * HOUR,
    chains: [
      { chain: 'p-chain', made: 1, missed: 0, since_timestamp_seconds: NOW + 7 * HOUR },
      { chain: 'c-chain', made: 12, missed: 1, since_timestamp_seconds: NOW },
    ],
  })
})

describe('what is not known', () => {
  const counted = [0, { 'c-chain': { made: 7, missed: 0 } }] as const

  test('was never counted: nothing is said', () => {
    const { turns, open, page, publicPage, top } = after([0, {}], [1, {}])
    expect([turns, open]).toEqual([null, undefined])
    for (const body of [page, publicPage]) expect(body).not.toContain('Turns to build blocks')
    expect(top).not.toContain('TURNS')
  })

  test.each([
    ['is not reported any more', {}],
    ['is contradicted', { 'c-chain': { made: 9, missed: 4, isContradicted: true } }],
  ])('%s: unknown, and not 0', (_, counts) => {
    const { turns, open, page, publicPage, top } = after(counted, [1, counts])
    expect(turns).toMatchObject({ made: null, missed: null })
    expect(open).toMatchObject({ made: null, missed: null })
    expect(page).toContain('<li>c-chain: unknown</li>')
    expect(publicPage).toMatch(/<dt>Turns to build blocks<\/dt>\s*<dd>unknown<\/dd>/)
    expect(top).toContain('unknown')
  })

  test('no turn came', () => {
    const { turns, page } = after(counted, [1, { 'c-chain': { made: 7, missed: 0 } }])
    expect(turns).toMatchObject({ made: 0, missed: 0 })
    expect(page).toContain('c-chain: none since 2026-05-28 20:26 UTC')
  })
})

test('a week that begins while nothing was known counts from when it was known again', () => {
  const hours = hourly(9, 2, 1).map(([hour, counts]): Hour => [hour, hour >= 40 && hour < 60 ? {} : counts])
  const { turns } = after(hours[0]!, ...hours.slice(1))
  expect(turns).toMatchObject({ made: 312, missed: 156, since_timestamp_seconds: NOW + 60 * HOUR, whole_week: false })
})
