// What is remembered is counted on with, so that a record which only looks right would break each run from then on.

import { expect, test } from 'vitest'
import { believedType } from '../../../src/collectors/counting/believed.ts'
import { followedType, histogramType } from '../../../src/collectors/counting/follow.ts'
import { countType, decimalType, heightType, momentType, sumType } from '../../../src/collectors/counting/remembered.ts'
import { emptyHistogram, observe, ofSubnet } from '../../../src/metrics/define.ts'

test.each([
  ['a decimal', decimalType, ['0', '-1', '9'.repeat(78)], ['', 'x', '1.5', '1e5', '0x1', ' 1', '9'.repeat(301), 1]],
  ['a sum', sumType, ['0', '9'.repeat(78), '9'.repeat(300)], ['-1', '9'.repeat(301), '', 'x', 1]],
  ['a moment', momentType, [0, 1.5, 1_780_000_000_000], [-1, 1e300, Infinity, NaN, '1']],
  ['a height', heightType, [0, 2 ** 53 - 1], [-1, 1.5, 2 ** 53, '1']],
  ['a count', countType, [0, 1.5, 1e21], [-1, Infinity, NaN, '1']],
] as const)('%s', (_, type, right, wrong) => {
  const isRight = (value: unknown) => type.safeParse(value).success
  expect(right.filter((value) => !isRight(value))).toEqual([])
  expect(wrong.filter(isRight)).toEqual([])
})

test('rejects a total that is no number', () => {
  expect(believedType.safeParse({ total: '5', at: 0 }).success).toBe(true)
  expect(believedType.safeParse({ total: 'PlatformVM', at: 0 }).success).toBe(false)
})

test('rejects a position that is no number', () => {
  const type = followedType(countType)
  const kept = { position: '5', floor: '-1', seen: [['id', '5']], totals: 1, gaps: 0 }
  expect(type.safeParse(kept).success).toBe(true)
  expect(type.safeParse({ ...kept, seen: [['id', 'x']] }).success).toBe(false)
  // Items below the first one there can be would be counted from there on.
  expect(type.safeParse({ ...kept, position: '-1' }).success).toBe(false)
})

test('a histogram with other buckets restarts', () => {
  const metric = ofSubnet.histogram('stakewatch_x_seconds', { help: 'X.', buckets: [1, 2] })
  const type = histogramType(metric)
  expect(type.safeParse(observe(metric, emptyHistogram(metric), [5])).data).toEqual({ counts: [0, 0, 1], sum: 5 })
  expect(type.safeParse({ counts: [0, 1], sum: 5 }).success).toBe(false)
  expect(type.safeParse({ counts: [0, 0, 0, 1], sum: 5 }).success).toBe(false)
})
