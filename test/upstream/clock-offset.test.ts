import { expect, test } from 'vitest'
import { clockOffsetOf } from '../../src/upstream/headers.ts'
import type { Moment } from '../../src/lib/clock.ts'

/** 14 November 2023, 22:13:20 UTC. */
const AT = 1_700_000_000_000
const DATE = 'Tue, 14 Nov 2023 22:13:20 GMT'
const moment = (after: number, set = 0): Moment => ({ wall: AT + after + set, steady: 5_000 + after })

test.each<[string, Record<string, string>, Moment, Moment, number | undefined]>([
  // What the upstream wrote at 0.5 s on average we take to have been written in the middle of the way.
  ['of one clock', { date: DATE }, moment(400), moment(600), 0],
  ['we are ten minutes fast', { date: DATE }, moment(400, 600_000), moment(600, 600_000), 600_000],
  ['we are ten minutes slow', { date: DATE }, moment(400, -600_000), moment(600, -600_000), -600_000],
  ['an answer of four seconds', { date: DATE }, moment(0), moment(4_000), 1_500],
  ['an answer that took too long', { date: DATE }, moment(0), moment(5_001), undefined],
  ['our clock was set meanwhile', { date: DATE }, moment(0), moment(100, 600_000), undefined],
  ['no date', {}, moment(0), moment(1), undefined],
  ['a date that is none', { date: 'soon' }, moment(0), moment(1), undefined],
  ['a cache kept it', { date: DATE, age: '12' }, moment(0), moment(1), undefined],
])('how far we are ahead of an upstream: %s', (_, headers, sent, received, expected) => {
  expect(clockOffsetOf(headers, sent, received)).toBe(expected)
})
