// What Prometheus answers to a query for a range, of which only what was asked for is taken; and what its clock says.

import { expect, test } from 'vitest'
import { prometheusAt } from '../../../src/commands/monitoring/prometheus.ts'
import type { Http } from '../../../src/upstream/http.ts'

const RANGE = { start: 600, end: 720, step: 60 }

function prometheusWith(data: unknown) {
  const text = JSON.stringify({ status: 'success', data })
  const http: Http = { send: () => Promise.resolve({ status: 200, headers: {}, text }), close: () => Promise.resolve() }
  return prometheusAt(http, { url: 'http://prometheus:9090', headers: {}, hints: {} })
}

const answering = (result: unknown) => prometheusWith({ resultType: 'matrix', result }).queryRange('up', RANGE)

const one = (...values: (readonly [time: unknown, value: unknown])[]) => [{ metric: { job: 'a' }, values }]

test.each<[string, unknown, number]>([
  ['every time', one([600, '1'], [660, '2'], [720, '3']), 3],
  ['a gap', one([600, '1'], [720, '3']), 2],
  ['no series', [], 0],
  ['a series without a value', one(), 0],
  ['times that are printed with milliseconds', one([600.001, '1'], [659.999, '2']), 2],
])('%s is taken', async (_, result, values) => {
  expect((await answering(result)).flatMap((series) => series.values)).toHaveLength(values)
})

test.each<[string, unknown, RegExp]>([
  ['a time before', one([540, '1']), /the time 540 was not asked for/],
  ['a time after', one([720, '1'], [780, '1']), /the time 780 was not asked for/],
  ['a time between two', one([600, '1'], [630, '1']), /the time 630 was not asked for/],
  ['a time twice', one([600, '1'], [600, '2']), /the time 600 is not in its order/],
  ['times that go back', one([720, '1'], [660, '2']), /the time 660 is not in its order/],
  ['more times than there are', one(...Array.from({ length: 9 }, () => [600, '1'] as const)), /not in its order/],
  ['a series twice', [...one([600, '1']), ...one([660, '2'])], /a series is there twice/],
  ['an empty value', one([600, '']), /expected a number/],
  ['a value that is no text', one([600, 1]), /expected string/],
  ['a value in hexadecimal', one([600, '0x10']), /expected a number/],
])('%s is refused', async (_, result, details) => {
  await expect(answering(result)).rejects.toMatchObject({
    code: 'bad_response',
    details: expect.stringMatching(details) as string,
  })
})

test.each<[string, unknown]>([
  ['a scalar', { resultType: 'scalar', result: [0, '1781006400.5'] }],
  ['a vector of one element', { resultType: 'vector', result: [{ metric: {}, value: [0, '1781006400.5'] }] }],
])('the time as %s', async (_, data) => {
  expect(await prometheusWith(data).time()).toBe(1_781_006_400.5)
})

test.each<[string, unknown]>([
  ['a vector without an element', { resultType: 'vector', result: [] }],
  ['no number', { resultType: 'scalar', result: [0, 'NaN'] }],
  ['an endless number', { resultType: 'scalar', result: [0, '+Inf'] }],
])('%s is no time', async (_, data) => {
  await expect(prometheusWith(data).time()).rejects.toMatchObject({ code: 'bad_response' })
})
