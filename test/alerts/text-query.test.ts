import { expect, test } from 'vitest'
import { queryOf } from '../../src/alerts/text-query.ts'

const readings = (metric: string) =>
  metric === 'weight'
    ? [
        { labels: { name: 'a', source: 'x' }, value: 1 },
        { labels: { name: 'b', source: 'x' }, value: 3 },
        { labels: { name: 'b', source: 'y' }, value: 2 },
      ]
    : metric === 'least'
      ? [{ labels: { name: 'b', source: 'y' }, value: 1.5 }]
      : []
const query = queryOf(readings, 100)

test.each([
  ['weight{name="b"}', [3, 2]],
  ['weight{name="b",source="y"} == 2', [2]],
  ['weight{name="b"} > 2', [3]],
  ['weight{instance="any",name="a"}', [1]],
  ['weight{unknown="any"}', []],
  ['weight{name!="b"}', [1]],
  ['count by (source) (weight{name="b"})', [1, 1]],
  ['time() - weight{name="a"}', [99]],
  ['max by (name) (weight{source="x"})', [1, 3]],
  ['count(weight{source="x"}) - 1', [1]],
  ['count(weight{source="z"})', []],
  ['topk(1, max by (name) (weight{source="x"}) and (max by (name) (weight{source="x"}) > 1))', [3]],
  ['weight{name="b"} - least{name="b"}', [0.5]],
  ['max(weight{name="b"}) - max(least{name="none"})', []],
  ['ceil((max(weight{name="b"}) - max(least{name="b"})) * 10) / 100', [0.15]],
])('%s is %j', (text, values) => {
  expect(query(text).map(({ value }) => value)).toEqual(values)
})

test.each(['rate(weight{name="b"}[5m])', 'weight', 'weight{name=~"b"}', 'time()', 'max(1)', 'weight{name="b"} 1'])(
  '%s is not known',
  (text) => {
    expect(() => query(text)).toThrow('this query is not known')
  },
)
