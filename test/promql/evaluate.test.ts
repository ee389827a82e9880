import { describe, expect, test } from 'vitest'
import { type Input, resultOf } from '../support/promql.ts'

const UP: Input = { 'up{job="a", source="n1"}': '1', 'up{job="a", source="n2"}': '0', 'up{job="b", source="n3"}': '1' }
/** Errors and requests by method, as in the documentation of vector matching. */
const METHODS: Input = {
  'errors{method="get", code="500"}': '24',
  'errors{method="get", code="404"}': '30',
  'errors{method="put", code="501"}': '3',
  'errors{method="post", code="500"}': '6',
  'errors{method="post", code="404"}': '21',
  'requests{method="get"}': '600',
  'requests{method="del"}': '34',
  'requests{method="post"}': '120',
}

// Worked out from the pages of Prometheus on operators and functions.
describe('gives what Prometheus documents', () => {
  test.each<[expr: string, input: Input, result: string[]]>([
    ['up', UP, ['up{job="a", source="n1"} 1', 'up{job="a", source="n2"} 0', 'up{job="b", source="n3"} 1']],
    ['up{job!="a"}', UP, ['up{job="b", source="n3"} 1']],
    ['up{source=~"n[12]", source!~".*1"}', UP, ['up{job="a", source="n2"} 0']],
    // A pattern is about the whole value, and a label that is missing is ''.
    ['up{source=~"n"}', UP, []],
    ['up{pod="", job="b"}', UP, ['up{job="b", source="n3"} 1']],
    ['{__name__="up", job="b"}', UP, ['up{job="b", source="n3"} 1']],
    ['nothing', UP, []],
    // Comparisons filter and keep the name; arithmetic and bool do not.
    ['up == 0', UP, ['up{job="a", source="n2"} 0']],
    ['0 == up', UP, ['up{job="a", source="n2"} 0']],
    ['up{job="a"} == bool 0', UP, ['{job="a", source="n1"} 0', '{job="a", source="n2"} 1']],
    ['2 - up{job="b"}', UP, ['{job="b", source="n3"} 1']],
    ['-up{job="b"}', UP, ['{job="b", source="n3"} -1']],
    ['1 + 2 * 3 ^ 2 % 5', {}, ['4']],
    ['2 ^ 3 ^ 2', {}, ['512']],
    ['1 < bool 2', {}, ['1']],
    ['1h + 1', {}, ['3601']],
    // The examples of vector matching.
    ['errors{code="500"} / ignoring(code) requests', METHODS, ['{method="get"} 0.04', '{method="post"} 0.05']],
    [
      'errors / ignoring(code) group_left requests',
      METHODS,
      [
        '{code="404", method="get"} 0.05',
        '{code="404", method="post"} 0.175',
        '{code="500", method="get"} 0.04',
        '{code="500", method="post"} 0.05',
      ],
    ],
    [
      'requests > on (method) group_right () errors == 120',
      METHODS,
      ['errors{code="404", method="post"} 120', 'errors{code="500", method="post"} 120'],
    ],
    ['requests > on (method) errors{code="500"}', METHODS, ['{method="get"} 600', '{method="post"} 120']],
    [
      'up * on (source) group_left (version) info',
      { ...UP, 'info{source="n1", version="1.13"}': '2' },
      ['{job="a", source="n1", version="1.13"} 2'],
    ],
    ['up and on (job) up{source="n3"}', UP, ['up{job="b", source="n3"} 1']],
    ['up unless on (job) up{source="n3"}', UP, ['up{job="a", source="n1"} 1', 'up{job="a", source="n2"} 0']],
    ['up{source="n1"} or on (job) up', UP, ['up{job="a", source="n1"} 1', 'up{job="b", source="n3"} 1']],
    ['up and on () vector(1)', { 'up{a="b"}': '3' }, ['up{a="b"} 3']],
    // `and` and `unless` bind closer than `or`.
    ['up{source="n1"} or up{source="n2"} and up == 1', UP, ['up{job="a", source="n1"} 1']],
    ['sum by (job) (up)', UP, ['{job="a"} 1', '{job="b"} 1']],
    ['count without (source) (up)', UP, ['{job="a"} 2', '{job="b"} 1']],
    ['avg(up{job="a"})', UP, ['{} 0.5']],
    ['sum(nothing)', UP, []],
    ['topk(1, errors)', METHODS, ['errors{code="404", method="get"} 30']],
    ['quantile by (job) (0.5, up)', UP, ['{job="a"} 0.5', '{job="b"} 1']],
    // Rank 0.25 * 3 = 0.75 of 1, 2, 4, 8: three quarters of the way from 1 to 2.
    ['quantile(0.25, x)', { 'x{a="1"}': '4', 'x{a="2"}': '1', 'x{a="3"}': '8', 'x{a="4"}': '2' }, ['{} 1.75']],
    ['count_values("v", up)', UP, ['{v="0"} 1', '{v="1"} 2']],
    ['max(x)', { 'x{a="1"}': 'NaN', 'x{a="2"}': '-1' }, ['{} -1']],
    ['clamp_max(up{job="b"} * 7, 5)', UP, ['{job="b", source="n3"} 5']],
    ['clamp_min(up{source="n2"}, 2)', UP, ['{job="a", source="n2"} 2']],
    ['abs(up{job="b"} - 3)', UP, ['{job="b", source="n3"} 2']],
    ['absent(up)', UP, []],
    ['absent(nothing{job="a", pod=~"b"})', UP, ['{job="a"} 1']],
    ['time()', { x: '1 1 1' }, ['120']],
    [
      'label_replace(up{job="b"}, "node", "${1}-$1", "source", "(n).*")',
      UP,
      ['up{job="b", node="n-n", source="n3"} 1'],
    ],
    ['label_replace(up{job="b"}, "job", "", "source", "n3")', UP, ['up{source="n3"} 1']],
    ['label_replace(up{job="b"}, "node", "$1", "source", "x(.*)")', UP, ['up{job="b", source="n3"} 1']],
  ])('%s', (expr, input, result) => {
    expect(resultOf(expr, input)).toEqual(result)
  })
})

describe('looks back as Prometheus does', () => {
  test.each<[expr: string, input: Input, result: string[]]>([
    ['x offset 2m', { x: '1 2 3 4' }, ['x{} 2']],
    ['x', { x: '1 2 _' }, []],
    ['x offset 1m', { x: '1 _ 3' }, []],
    ['max_over_time(x[2m])', { x: '9 1 3 2' }, ['{} 3']],
    ['min_over_time(x[2m])', { x: '0 1 3 2' }, ['{} 1']],
    ['avg_over_time(x[3m])', { x: '1 1 1 5' }, ['{} 2']],
    ['sum_over_time(x[1m])', { x: '1 2 3' }, ['{} 5']],
    // The value of now counts, and the series that is gone still does.
    ['last_over_time(x[5m])', { x: '1 2 _' }, ['x{} 2']],
    ['changes(x[5m])', { x: '1 1 2 _ 2 1' }, ['{} 2']],
    ['resets(x[5m])', { x: '1 3 2 5 0' }, ['{} 2']],
    // From 10 to 16 in 3 minutes, and the window is as long: nothing to add.
    ['increase(x[3m])', { x: '10 12 14 16' }, ['{} 6']],
    // The first sample is 3 of 5 minutes after the beginning: it came on by 2 a minute, and half a minute is added.
    ['increase(x[5m])', { y: '1 1 1 1 1 1', x: '_ _ _ 10 12 14' }, ['{} 5']],
    // A counter begins at 0: from 1 to 5 in 2 minutes, and it was 0 half a minute before.
    ['increase(x[5m])', { y: '1 1 1 1 1 1', x: '_ _ _ 1 3 5' }, ['{} 5']],
    // 4 before the reset, 1 after it.
    ['increase(x[3m])', { x: '0 2 4 1' }, ['{} 5']],
    ['increase(x[3m])', { x: '_ _ _ 4' }, []],
    ['increase(x[2m] offset 1m)', { x: '1 2 3 9' }, ['{} 2']],
    ['max_over_time((x > 1)[2m:1m])', { x: '5 1 3 1' }, ['{} 3']],
    ['sum_over_time(sum(x)[3m:2m])', { 'x{a="1"}': '1 2 3 4 5', 'x{a="2"}': '1 1 1 1 1' }, ['{} 10']],
  ])('%s of %j', (expr, input, result) => {
    expect(resultOf(expr, input)).toEqual(result)
  })
})

test.each<[expr: string, input: Input, problem: RegExp]>([
  ['x + on (a) y', { 'x{a="1", b="1"}': '1', 'y{a="1", c="1"}': '1', 'y{a="1", c="2"}': '1' }, /duplicate series/],
  ['x + on (a) y', { 'x{a="1", b="1"}': '1', 'x{a="1", b="2"}': '1', 'y{a="1"}': '1' }, /several samples match/],
  ['label_replace(x, "a", "1", "a", ".*")', { 'x{a="1"}': '1', 'x{a="2"}': '1' }, /several samples have the labels/],
])('%s cannot be evaluated', (expr, input, problem) => {
  expect(() => resultOf(expr, input)).toThrow(problem)
})

test.each([
  ['x[', /syntax error/],
  ['sum(', /syntax error/],
  ['x @ end()', /not supported/],
  ['deriv(x[5m])', /deriv is not supported/],
  ['sin(x)', /sin is not supported/],
  ['stddev(x)', /not supported/],
  ['a atan2 b', /atan2 is not supported/],
  ['increase(x)', /does not take/],
  ['abs(x[5m])', /does not take/],
  ['{job="a"}', /without the name/],
  ['x[5m]', /range has no value/],
])('%s is refused before it is wrong', (expr, problem) => {
  expect(() => resultOf(expr, {})).toThrow(problem)
})
