// Splitting: which parts of an expression another evaluator gets.

import { describe, expect, test } from 'vitest'
import { HELD_VALUE, heldValue } from '../../src/alerts/condition-rule.ts'
import { groupsOf } from '../../src/alerts/rules.ts'
import { type Expression, partsOf } from '../../src/promql/expression.ts'
import { parsePromql } from '../../src/promql/parse.ts'
import { splitPromql } from '../../src/promql/split.ts'

/** Metrics with a colon are recorded. */
const isScraped = (metric: string) => !metric.includes(':')

function split(text: string): { text: string; parts: string[] } {
  const parts: string[] = []
  const nameOf = (part: string) => `server:${parts.push(part)}`
  return { text: splitPromql(text, isScraped, nameOf), parts }
}

test.each([
  ['a scraped metric', 'up', 'server:1', ['up']],
  ['a recorded metric', 'a:b', 'a:b', []],
  ['a selector without a name', 'count({job="x"})', 'server:1', ['count({job="x"})']],
  ['numbers and times alone', 'vector(1) + time()', 'vector(1) + time()', []],
  ['the whole expression, in one line', 'max by (job) (up)\n  == 0', 'server:1', ['max by (job) (up) == 0']],
  [
    'each largest part',
    'up == 1 and a:b unless on (job) max(down) > 2',
    'server:1 and a:b unless on (job) server:2',
    ['up == 1', 'max(down) > 2'],
  ],
  ['a range within its function', 'increase(up[5m]) > a:b', 'server:1 > a:b', ['increase(up[5m])']],
  ['a range of a recorded metric', 'max_over_time(a:b[5m]) > up', 'max_over_time(a:b[5m]) > server:1', ['up']],
  ['an offset with its selector', 'max(up offset 1h or a:b)', 'max(server:1 or a:b)', ['up offset 1h']],
  [
    'an offset of a range with its function',
    'a:b - changes(up[5m] offset 1h)',
    'a:b - server:1',
    ['changes(up[5m] offset 1h)'],
  ],
  [
    'the inside of a subquery that needs both',
    'sum_over_time((a:b and up)[1h:1m])',
    'sum_over_time((a:b and server:1)[1h:1m])',
    ['up'],
  ],
  ['an aggregation of both', 'sum without (x) (0 * (up or a:b))', 'sum without (x) (0 * (server:1 or a:b))', ['up']],
  ['a name that looks like one in a label', 'a:b{x="up"} or up', 'a:b{x="up"} or server:1', ['up']],
])('the other evaluator gets %s', (_, text, left, parts) => {
  expect(split(text)).toEqual({ text: left, parts })
})

describe('the rules', () => {
  const rules = [heldValue, ...groupsOf().flatMap((group) => group.rules)]
  const own = new Set([HELD_VALUE, 'stakewatch_condition_value'])
  const selectors = (one: Expression): string[] =>
    one.kind === 'selector' ? [one.name] : partsOf(one).flatMap(selectors)

  test('keep no scraped metric to themselves', () => {
    const left = rules.flatMap(({ expr }) =>
      selectors(
        parsePromql(
          splitPromql(
            expr,
            (metric) => !own.has(metric),
            () => 'server:1',
          ),
        ),
      ),
    )
    expect(left.length).toBeGreaterThan(80)
    expect(left.filter((name) => !own.has(name) && name !== 'server:1')).toEqual([])
  })
})
