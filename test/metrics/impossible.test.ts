import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import type { HistogramValue, Metric } from '../../src/metrics/define.ts'
import { isLabel } from '../../src/lib/label-text.ts'
import { impossible } from '../../src/run/identity.ts'

const NOW = 1_000_000
const SECONDS = NOW / 1_000

const metric = (name: string, type: Metric['type'], is?: Metric['is']): Metric => ({
  name,
  help: '',
  type,
  labels: [],
  ...(is && { is }),
})
const counter = metric('stakewatch_things_total', 'counter')
const gauge = metric('stakewatch_things', 'gauge')
const ratio = metric('stakewatch_uptime_ratio', 'gauge', 'share')
const past = metric('stakewatch_head_timestamp_seconds', 'gauge', 'past')
const end = metric('stakewatch_stake_next_end_timestamp_seconds', 'gauge', 'end')
const unlock = metric('stakewatch_next_unlock_timestamp_seconds', 'gauge', 'future')
const histogram = metric('stakewatch_interval_seconds', 'histogram')
const sizes = (counts: number[], sum: number): HistogramValue => ({ counts, sum })

describe('what cannot be true of a sample', () => {
  test.each<[string, Metric, number | HistogramValue, string | undefined]>([
    ['a counter at 0', counter, 0, undefined],
    ['a counter below 0', counter, -1, 'negative'],
    ['a counter that is no number', counter, NaN, 'number'],
    ['a counter without end', counter, Infinity, 'number'],
    ['a value below 0', gauge, -41_472, undefined],
    ['a value that is no number', gauge, NaN, 'number'],
    ['nothing of a share', ratio, 0, undefined],
    ['all of a share', ratio, 1, undefined],
    ['more than all of it', ratio, 2.5, 'ratio'],
    ['less than nothing of it', ratio, -0.05, 'ratio'],
    ['an hour ahead, as clocks differ', past, SECONDS + 3_600, undefined],
    ['more than an hour ahead', past, SECONDS + 3_601, 'future'],
    ['before 1970', past, -1, 'negative'],
    ['an end in ten years, clocks apart', end, SECONDS + 10 * 365 * 86_400 + 3_600, undefined],
    ['an end later than that', end, SECONDS + 10 * 365 * 86_400 + 3_601, 'future'],
    ['an unlock in the year 2286', unlock, 9_999_999_999, undefined],
    ['what will be, before 1970', end, -1, 'negative'],
    ['a histogram', histogram, sizes([1, 0], 5), undefined],
    ['a histogram with a negative sum', histogram, sizes([1, 0], -5), 'negative'],
    ['a histogram with a negative number', histogram, sizes([1, -1], 5), 'negative'],
    ['a histogram whose sum is no number', histogram, sizes([1, 0], NaN), 'number'],
  ])('%s', (_, of, value, reason) => {
    expect(impossible({ metric: of, value }, NOW)).toBe(reason)
  })

  test.each([
    ['of 256 bytes', 'x'.repeat(256), true],
    ['of 257 bytes', 'x'.repeat(257), false],
    ['of 64 signs of four bytes', '😀'.repeat(64), true],
    ['of 65 signs of four bytes', '😀'.repeat(65), false],
    ['with half a sign', 'a\ud800', false],
    ['with a line feed', 'a\nb', false],
    ['with a control character of one byte', '\u007f', false],
    ['with a control character of two', '\u009b', false],
  ])('a label %s', (_, value, expected) => {
    expect(isLabel(value)).toBe(expected)
  })
})

test('of the times that are published, these alone may lie in the future', () => {
  const names = collectors.flatMap(({ metrics }) => metrics.map((one) => one))
  const times = names.filter(({ name }) => name.endsWith('_timestamp_seconds'))
  const ahead = times.filter((one) => impossible({ metric: one, value: SECONDS + 9_999 }, NOW) === undefined)
  expect(ahead.map(({ name }) => name).toSorted()).toEqual([
    'stakewatch_address_next_unlock_timestamp_seconds',
    'stakewatch_address_pending_reward_next_end_timestamp_seconds',
    'stakewatch_address_stake_next_end_timestamp_seconds',
    'stakewatch_l1_listed_next_depletion_timestamp_seconds',
    'stakewatch_l1_validator_depletion_timestamp_seconds',
    'stakewatch_l1_validator_listed_depletion_timestamp_seconds',
    'stakewatch_node_upgrade_timestamp_seconds',
    'stakewatch_validator_delegation_next_end_timestamp_seconds',
    'stakewatch_validator_end_timestamp_seconds',
    'stakewatch_validator_listed_delegation_next_end_timestamp_seconds',
    'stakewatch_validator_listed_end_timestamp_seconds',
    'stakewatch_validator_pending_reward_next_end_timestamp_seconds',
  ])
})

test('each share and each time says what it is', () => {
  const all = collectors.flatMap(({ metrics }) => metrics).filter(({ type }) => type === 'gauge')
  const kindsOf: readonly (readonly [suffix: string, kinds: readonly Metric['is'][]])[] = [
    ['_ratio', ['share']],
    ['_timestamp_seconds', ['past', 'future', 'end']],
  ]
  const wrong = kindsOf.flatMap(([suffix, kinds]) =>
    all.filter(({ name, is }) => name.endsWith(suffix) !== kinds.includes(is)).map(({ name }) => name),
  )
  expect(wrong).toEqual([])
})
