import { finish } from '../../src/lib/steps.ts'
import { expect, test } from 'vitest'
import { createHistory, reachOf } from '../../src/promql/sample-history.ts'
import { parsePromql } from '../../src/promql/parse.ts'
import { MINUTE, seriesOf } from '../support/promql.ts'

const sample = (key: string, value: number) => ({ ...seriesOf(key), value })

test('keeps what rules look back at, and nothing of other metrics', () => {
  const reach = reachOf(
    ['increase(a[5m] offset 1h)', 'b + a[1m]', 'max_over_time(sum(c offset 1m)[10m:1m])'].map((expr) =>
      parsePromql(expr.replace(' + a[1m]', '')),
    ),
  )
  expect(Object.fromEntries(reach)).toEqual({ a: 65 * MINUTE, b: 0, c: 11 * MINUTE })
})

test('holds a series as its changes, and forgets what is out of reach', () => {
  const history = createHistory(new Map([['x', 10 * MINUTE]]))
  for (let minute = 0; minute < 1_000; minute += 1) {
    const samples = [sample('x{a="1"}', 5), sample('x{a="2"}', minute), ...(minute < 3 ? [sample('x{a="3"}', 1)] : [])]
    finish(history.take(minute * MINUTE, new Map([['x', samples]])))
  }
  // What is constant is one change; what changes is held for the range and the five minutes in which a sample is looked for.
  expect(history.size()).toEqual({ series: 2, changes: 1 + 16 })
})

test('a recorded series reads its own previous value, for five minutes', () => {
  const history = createHistory(new Map([['r', 3 * MINUTE]]))
  finish(history.take(0, new Map()))
  expect(history.at('r', 0)).toEqual([])
  finish(history.record('r', [sample('r', 7)]))
  finish(history.take(MINUTE, new Map()))
  expect(history.at('r', MINUTE)).toEqual([sample('r', 7)])
  // Not recorded in this round yet: one sample in the range, not two.
  expect(finish(history.over('r', { from: 0, to: MINUTE }))[0]!.runs).toEqual([
    { value: 7, first: 0, last: 0, count: 1 },
  ])
  finish(history.take(5 * MINUTE, new Map()))
  expect(history.at('r', 5 * MINUTE)).toEqual([sample('r', 7)])
  finish(history.take(6 * MINUTE, new Map()))
  expect(history.at('r', 6 * MINUTE)).toEqual([])
})
