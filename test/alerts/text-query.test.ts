import { expect, test } from 'vitest'
import { queryOf } from '../../src/alerts/text-query.ts'

const series = [
  { labels: { network: 'fuji', subnet: 'a', source: 'node-a' }, value: 1 },
  { labels: { network: 'fuji', subnet: 'a', source: 'node-b' }, value: 40 },
  { labels: { network: 'fuji', subnet: 'b"\\', source: 'node-a' }, value: 1 },
]
const query = queryOf((metric) => (metric === 'stakewatch_a' ? series : []), 100)

// As Prometheus evaluates them.
test.each([
  ['stakewatch_a{}', [1, 40, 1]],
  ['stakewatch_a{network="fuji",source="node-b"}', [40]],
  ['stakewatch_a{network="other"}', []],
  ['stakewatch_b{}', []],
  // A label that is not there is empty.
  ['stakewatch_a{pod=""}', [1, 40, 1]],
  ['stakewatch_a{subnet!="a"}', [1]],
  ['stakewatch_a{subnet="b\\"\\\\"}', [1]],
  ['stakewatch_a{} == 1', [1, 1]],
  ['stakewatch_a{} > 1', [40]],
  ['time() - stakewatch_a{source="node-b"}', [60]],
  ['count by (subnet) (stakewatch_a{})', [2, 1]],
  ['count by (source) (stakewatch_a{} == 1)', [2]],
])('%s', (text, values) => {
  expect(query(text).map(({ value }) => value)).toEqual(values)
})

test.each(['stakewatch_a', 'sum(stakewatch_a{})', 'stakewatch_a{} < 1'])('%s is refused', (text) => {
  expect(() => query(text)).toThrow(`this query is not known: ${text}`)
})
