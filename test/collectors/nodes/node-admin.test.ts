import { describe, expect, test } from 'vitest'
import { nodeAdmin } from '../../../src/collectors/nodes/node-admin.ts'
import { BaseError } from '../../../src/errors.ts'
import { wordsBehind } from '../../../src/upstream/status-words.ts'
import { createPoller, fixture, type Upstream } from '../../support/poll.ts'

const yaml = `
networks:
  - name: fuji
    nodes:
      - { name: node-a, url: "http://127.0.0.1:1", admin: on }
      - { name: node-b, url: "http://127.0.0.1:2", admin: forbidden }
      - { name: node-c, url: "http://127.0.0.1:3" }
`
const labels = (source = 'node-a') => `network="fuji",source="${source}"`
const reachable = (value: number, source?: string) => `stakewatch_node_admin_api_reachable{${labels(source)}} ${value}`
const level = (logger: string, output: string, said: string) =>
  `stakewatch_node_logger_level{${labels()},logger="${logger}",output="${output}",level="${said}"} 1`

const closed = new BaseError(
  'unsupported',
  'the node does not serve /ext/admin: the API is disabled, the chain is unknown, or the node is still starting',
)
/** What the first node says of its loggers; the other one keeps its interface closed. */
const node =
  (loggers: unknown): Upstream =>
  (_, __, source) =>
    source === 'node-b' ? closed : loggers

async function polled(answers: Upstream) {
  const poller = createPoller(yaml, nodeAdmin, 0)
  await poller.poll(answers)
  return poller
}

describe('node-admin (document 2, Admin interface)', () => {
  test('asks the nodes that must or must not answer, and publishes the levels of the one that does', async () => {
    const poller = await polled(node(fixture('node/admin.getLoggerLevel.document')))
    expect(poller.asked.map(({ source, operation, path, body }) => [source, operation, path, body])).toEqual([
      ['node-a', 'admin.getLoggerLevel', '/ext/admin', {}],
      ['node-b', 'admin.getLoggerLevel', '/ext/admin', {}],
    ])
    expect(poller.lines(/node_admin|logger/).filter((line) => !line.includes('collector='))).toEqual([
      reachable(1),
      reachable(0, 'node-b'),
      level('C', 'log', 'debug'),
      level('C', 'display', 'info'),
      level('P.http', 'log', 'verbo'),
      level('P.http', 'display', 'off'),
    ])
    expect(poller.success()).toEqual([1, 1])
  })

  test.each<[string, BaseError]>([
    ['not served', closed],
    [
      'another service at its place',
      new BaseError('unsupported', 'no method', { details: 'rpc: can\'t find service "admin"' }),
    ],
    ['refused', new BaseError('http_status', 'HTTP 403', { details: 'Forbidden' })],
    ['asked for a password', new BaseError('http_status', 'HTTP 401')],
    [
      'refused with a page, as a proxy in front of the node does',
      new BaseError(
        'http_status',
        `HTTP 403${wordsBehind({ status: 403, headers: {}, text: '<html>403 Forbidden</html>' }, 'http://127.0.0.1:1')}`,
      ),
    ],
  ])('%s: counts as not reachable', async (_, answer) => {
    const poller = await polled(node(fixture('node/admin.getLoggerLevel.document')))
    poller.clock.now += 1_000
    await poller.poll(node(answer))
    expect(poller.lines(/reachable|logger_level/)).toEqual([reachable(0), reachable(0, 'node-b')])
    expect(poller.success()).toEqual([1, 1])
  })

  test.each<[string, BaseError, number]>([
    ['it does not tell levels', new BaseError('rpc_error', 'error -32000', { details: 'logger failed' }), 0],
    [
      'an old one has no such method',
      new BaseError('unsupported', 'no method', { details: 'rpc: can\'t find method "admin.getLoggerLevel"' }),
      1,
    ],
  ])('an API that answers with an error is reachable: %s', async (_, answer, isGood) => {
    const poller = await polled(node(answer))
    expect(poller.lines(/reachable.*node-a|logger_level/)).toEqual([reachable(1)])
    expect(poller.success()[0]).toBe(isGood)
  })

  test.each<[string, unknown]>([
    ['refuses the connection', new BaseError('network', 'connection refused')],
    ['is late', new BaseError('timeout', 'late')],
    [
      'refuses the host name, whatever is asked',
      new BaseError('http_status', 'HTTP 403: the node refuses this host name'),
    ],
    ['fails', new BaseError('http_status', 'HTTP 503')],
    ['answers in another form', { loggerLevels: ['C'] }],
  ])('a node that %s: unknown, and a failure', async (_, answer) => {
    const poller = await polled(node(answer))
    expect(poller.lines(/reachable|logger_level/)).toEqual([reachable(0, 'node-b')])
    expect(poller.success()).toEqual([0, 1])
  })

  test('unknown loggers add a bounded number of series', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `n${String(at).padStart(4, '0')}`)
    const loggerLevels = Object.fromEntries(
      many.map((name, at) => [name, { logLevel: `L${at}`, displayLevel: 'WARN' }]),
    )
    const poller = await polled(node({ loggerLevels }))
    expect(poller.dropped()).toBe(0)
    // 32 loggers and all others together, with one level each.
    expect(poller.lines(/logger_level/)).toHaveLength(66)
    expect(poller.lines(/logger_level.*"other"/).slice(-2)).toEqual([
      level('other', 'log', 'other'),
      level('other', 'display', 'warn'),
    ])
    // The same ones, whatever their order.
    const first = poller.lines(/logger_level/)
    poller.clock.now += 1_000
    await poller.poll(node({ loggerLevels: Object.fromEntries(Object.entries(loggerLevels).toReversed()) }))
    expect(poller.lines(/logger_level/)).toEqual(first)
  })

  test('loggers without levels have none', async () => {
    const poller = await polled(node(fixture('node/admin.getLoggerLevel.minimal')))
    expect(poller.lines(/reachable.*node-a|logger_level/)).toEqual([reachable(1)])
  })
})
