import { describe, expect, test } from 'vitest'
import { signatureProbe } from '../../../src/collectors/messages/signature-probe.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture } from '../../support/poll.ts'

const TX = '2KC1wVCbdrJRtHKKdXv9ttopP1Zg5ZyLG3KYsdypto71yYpRP1'
const SUBNET = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const yaml = (probes: string, more = 'collectors: { signature-probe: { enabled: true } }') => `
networks:
  - name: fuji
    data_api: { url: "http://127.0.0.1:1" }
    signature_probes: [${probes}]
${more}
`
const message = '{ name: l1, message: "0x00ab" }'
const started = (probes = message) => createPoller(yaml(probes), signatureProbe, 0)
const published = ({ lines }: ReturnType<typeof started>) => lines(/^stakewatch_signature/)
const success = (poller: ReturnType<typeof started>) => poller.value('stakewatch_collector_success')
const l1 = 'network="fuji",probe="l1"'
const signed = fixture('data/aggregate-signatures.document')

describe('signature-probe (document 1, operations 1 and 2)', () => {
  test('publishes that enough validators signed, and how long it took', async () => {
    const poller = started(`${message}, { name: tx, tx: ${TX} }`)
    await poller.poll((operation) => {
      const isMessage = operation === 'aggregate-signatures'
      poller.clock.now += isMessage ? 41_500 : 3_000
      return isMessage ? signed : fixture('data/get-aggregated-signatures.document')
    })
    expect(published(poller)).toEqual([
      `stakewatch_signature_aggregation_success{${l1}} 1`,
      'stakewatch_signature_aggregation_success{network="fuji",probe="tx"} 1',
      `stakewatch_signature_aggregation_duration_seconds{${l1}} 41.5`,
      'stakewatch_signature_aggregation_duration_seconds{network="fuji",probe="tx"} 3',
    ])
  })

  const path = '/v1/signatureAggregator/fuji/aggregateSignatures'
  const defaults = { quorumPercentage: 67, quorumPercentageBuffer: 0, pChainHeight: 0 }
  test.each([
    ['a message', message, path, { message: '0x00ab', ...defaults }],
    [
      'a message of a subnet, with a reason and another quorum',
      `{ name: l1, message: "00ab", justification: "0xCD", signing_subnet: ${SUBNET}, quorum: 80 }`,
      path,
      { message: '00ab', justification: '0xCD', signingSubnetId: SUBNET, ...defaults, quorumPercentage: 80 },
    ],
    ['a reason alone', '{ name: l1, justification: "cd" }', path, { justification: 'cd', ...defaults }],
    ['a transaction', `{ name: l1, tx: ${TX} }`, `${path}/${TX}`, {}],
  ])('asks for %s', async (_, probe, expectedPath, expectedBody) => {
    const asked: unknown[] = []
    await started(probe).poll((_, { path, query, body }) => {
      asked.push([path, query, body])
      return signed
    })
    expect(asked).toEqual([[expectedPath, {}, expectedBody]])
  })

  const refused = (status: number, details: string) => new BaseError('http_status', `HTTP ${status}`, { details })
  test.each([
    ['in plain words', refused(500, 'quorum not reached: 51.2 % of the weight signed, 67 % are needed')],
    ['too few signed, as the aggregator says', refused(500, 'failed to collect a threshold of signatures')],
    ['too few could be reached', refused(500, 'Error: failed to connect to a threshold of stake')],
    ['the signatures do not weigh enough', refused(400, 'signature weight is insufficient: 67*200 > 100*100')],
  ])('a missed quorum is an answer: %s', async (_, answer) => {
    const poller = started()
    await poller.poll(() => signed)
    await poller.poll(() => answer)
    // No time: there is nothing that it took to gather the signatures.
    expect([published(poller), success(poller)]).toEqual([[`stakewatch_signature_aggregation_success{${l1}} 0`], 1])
  })

  test.each([
    ['a wrong parameter', refused(400, 'quorumPercentage must not be greater than 100')],
    ['an uncaught failure', refused(500, 'Internal Server Error')],
    ['a gateway', refused(502, '<html>the upstream did not reach us in time</html>')],
    ['a node of a chain', refused(503, 'node unavailable')],
    ['the rate limit', refused(429, 'threshold of requests exceeded')],
    ['no words', new BaseError('http_status', 'HTTP 500')],
    ['time', new BaseError('timeout', 'no complete answer before the deadline')],
    ['the connection', new BaseError('network', 'the connection failed (ECONNRESET)')],
    ['words of ours', new BaseError('network', 'failed', { details: 'quorum not reached' })],
    ['an answer of another form', { message: 'signed' }],
    ['an answer that is empty', { signedMessage: '' }],
    ['an answer that is no message', { signedMessage: 'queued' }],
  ])('a failed call says nothing about the validators: %s', async (_, answer) => {
    const poller = started()
    await poller.poll(() => answer)
    expect([published(poller), success(poller)]).toEqual([[], 0])
  })

  test.each([
    ['off unless it is turned on', '', []],
    ['every hour', 'collectors: { signature-probe: { enabled: true } }', [3_600_000]],
    ['no more often', 'collectors: { signature-probe: { enabled: true, every: 5m } }', [3_600_000]],
    ['but less often', 'collectors: { signature-probe: { enabled: true, every: 1d } }', [86_400_000]],
  ])('is %s', (_, more, expected) => {
    const { tasks } = createPoller(yaml(message, more), signatureProbe, 0)
    expect(tasks.map(({ settings }) => settings.every)).toEqual(expected)
  })
})
