import { expect, test } from 'vitest'
import { queryOf } from '../../src/alerts/text-query.ts'

const query = queryOf({ details: { missing: 0.5, away: 'a and b', nothing: undefined }, unknownSince: 90 })
const detail = (name: string) => `stakewatch_condition_detail{condition="any",detail="${name}",network="a"}`

test.each([
  [detail('missing'), [{ labels: {}, value: 0.5 }]],
  [detail('away'), [{ labels: { text: 'a and b' }, value: 1 }]],
  [detail('nothing'), []],
  [detail('other'), []],
  ['stakewatch_condition_unknown_since_timestamp_seconds{condition="any"}', [{ labels: {}, value: 90 }]],
])('%s is %j', (text, readings) => {
  expect(query(text)).toEqual(readings)
})

test.each([
  `rate(${detail('missing')}[5m])`,
  'stakewatch_condition_detail',
  'stakewatch_condition_detail{network="a"}',
  'up{}',
])('%s is not known', (text) => {
  expect(() => query(text)).toThrow('this query is not known')
})
