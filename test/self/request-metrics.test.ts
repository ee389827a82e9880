import { expect, test } from 'vitest'
import { type ErrorCode, errorCodes } from '../../src/errors.ts'
import { countRequests, noRequests, upstreamSamples } from '../../src/self/request-metrics.ts'

const labels = { network: 'fuji', source: 'node-a' }
const request = { operation: 'platform.getBlockByHeight', limited: 0, seconds: 0.1, dropped: 0, fieldsDropped: 0 }

test.each<'ok' | ErrorCode>([
  'ok',
  'rpc_error',
  'not_found',
  'unsupported',
  'stale_response',
  'implausible_response',
  'timeout',
  'network',
  'http_status',
  'bad_response',
])('a request that ended with %s counts under it alone', (code) => {
  const codes = ['ok', ...Object.keys(errorCodes)]
  const state = noRequests([{ operation: request.operation, codes }])
  countRequests(state, { ...request, code, sent: [code] })
  const samples = upstreamSamples(labels, state, 0)
  const counts = samples.filter(({ metric }) => metric.name === 'stakewatch_upstream_requests_total')
  expect(counts.map((sample) => [sample.labels['code'], sample.value])).toEqual(
    codes.map((one) => [one, one === code ? 1 : 0]),
  )
})

test('requests that were answered with HTTP 429 are counted for the upstream as a whole', () => {
  const state = noRequests([{ operation: request.operation, codes: ['ok', 'http_status'] }])
  const limited = () =>
    upstreamSamples(labels, state, 0).find(({ metric }) => metric.name === 'stakewatch_upstream_rate_limited_total')
  expect(limited()).toMatchObject({ labels, value: 0 })
  countRequests(state, { ...request, code: 'http_status', sent: ['http_status', 'http_status'], limited: 2 })
  countRequests(state, { ...request, code: 'ok', sent: ['http_status', 'ok'], limited: 1 })
  expect(limited()).toMatchObject({ labels, value: 3 })
})
