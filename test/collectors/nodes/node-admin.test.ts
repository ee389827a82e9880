import { describe, expect, test } from 'vitest'
import { nodeAdmin } from '../../../src/collectors/nodes/node-admin.ts'
import { BaseError } from '../../../src/errors.ts'
import { createPoller, fixture, type Upstream } from '../../support/poll.ts'

const L1 = '2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof'
const P_CHAIN = '11111111111111111111111111111111LpoYY'
const FUJI_C = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'
const MAINNET_C = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
const MAINNET_X = '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'

/** Of a network `local`, AvalancheGo 1.14.2. */
const LOCAL_C = '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC'
const LOCAL_X = '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed'
const onPrimary = (id: string, name: string) => ({ id, name, subnetID: P_CHAIN, vmID: 'vm' })
const local = {
  blockchains: [
    // Users can give this name to a chain of a subnet.
    { id: L1, name: 'C-Chain', subnetID: '22KZNkRmskZvVa1jbeuhv4wHTCMLXmK5ypLjCiVuHGUZiDz6Y2', vmID: 'vm' },
    onPrimary(LOCAL_C, 'C-Chain'),
    onPrimary(LOCAL_X, 'X-Chain'),
  ],
}

const yaml = (chains = `{ id: ${L1}, name: my-l1 }`, name = 'fuji', more = '') => `
networks:
  - name: ${name}
    nodes:
      - { name: node-a, url: "http://127.0.0.1:1", admin: on }
      - { name: node-b, url: "http://127.0.0.1:2", admin: forbidden }
      - { name: node-c, url: "http://127.0.0.1:3" }
    chains: [${chains}]
${more}`
const labels = (source = 'node-a') => `network="fuji",source="${source}"`
const reachable = (value: number, source?: string) => `stakewatch_node_admin_api_reachable{${labels(source)}} ${value}`
const level = (logger: string, output: string, said: string) =>
  `stakewatch_node_logger_level{${labels()},logger="${logger}",output="${output}",level="${said}"} 1`
const alias = (said: string, chain = 'my-l1') =>
  `stakewatch_chain_alias_info{network="fuji",chain="${chain}",source="node-a",alias="${said}"} 1`

const none = fixture('node/admin.getChainAliases.unknown')
const closed = new BaseError(
  'unsupported',
  'the node does not serve /ext/admin: the API is disabled, the chain is unknown, or the node is still starting',
)
/** What the first node says of its loggers and of its aliases; the other one keeps its interface closed. */
const node =
  (loggers: unknown, aliases: unknown = none): Upstream =>
  (operation, _, source) =>
    source === 'node-b' ? closed : operation === 'admin.getLoggerLevel' ? loggers : aliases

async function polled(answers: Upstream, text = yaml()) {
  const poller = createPoller(text, nodeAdmin, 0)
  await poller.poll(answers)
  return poller
}

describe('node-admin (document 2, Admin interface)', () => {
  test('asks the nodes that must or must not answer, and publishes levels and aliases of the one that does', async () => {
    const asked: unknown[] = []
    const poller = await polled((operation, { path, body }, source) => {
      asked.push([source, operation, path, body])
      return node(fixture('node/admin.getLoggerLevel.document'), { aliases: ['mine', L1, 'a'] })(
        operation,
        { path, body, query: {} },
        source,
      )
    })
    expect(asked).toEqual([
      ['node-a', 'admin.getLoggerLevel', '/ext/admin', {}],
      ['node-a', 'admin.getChainAliases', '/ext/admin', { chain: L1 }],
      ['node-b', 'admin.getLoggerLevel', '/ext/admin', {}],
    ])
    expect(poller.lines(/node_admin|logger|alias/).filter((line) => !line.includes('collector='))).toEqual([
      reachable(1),
      reachable(0, 'node-b'),
      level('C', 'log', 'debug'),
      level('C', 'display', 'info'),
      level('P.http', 'log', 'verbo'),
      level('P.http', 'display', 'off'),
      // Its id is not an alias.
      alias('a'),
      alias('mine'),
    ])
    expect(poller.success()).toEqual([1, 1])
  })

  test('a changed level replaces the previous one', async () => {
    const poller = await polled(node({ loggerLevels: { C: { logLevel: 'INFO', displayLevel: 'INFO' } } }))
    poller.clock.now += 1_000
    await poller.poll(node({ loggerLevels: { C: { logLevel: 'Debug', displayLevel: 'INFO' } } }))
    expect(poller.lines(/logger_level/)).toEqual([level('C', 'log', 'debug'), level('C', 'display', 'info')])
  })

  test('withdraws removed loggers and aliases; having none is no failure', async () => {
    const poller = await polled(node(fixture('node/admin.getLoggerLevel.document'), { aliases: ['a', 'mine'] }))
    poller.clock.now += 1_000
    await poller.poll(node({ loggerLevels: { C: { logLevel: 'INFO' } } }, { aliases: ['a'] }))
    expect(poller.lines(/logger_level|alias/)).toEqual([level('C', 'log', 'info'), alias('a')])
    poller.clock.now += 1_000
    await poller.poll(node({ loggerLevels: {} }, { aliases: [] }))
    expect(poller.lines(/reachable.*node-a|logger_level|alias/)).toEqual([reachable(1)])
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
  ])('%s: counts as not reachable', async (_, answer) => {
    const poller = await polled(node(fixture('node/admin.getLoggerLevel.document')))
    poller.clock.now += 1_000
    await poller.poll(node(answer))
    expect(poller.lines(/reachable|logger_level|alias/)).toEqual([reachable(0), reachable(0, 'node-b')])
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
    const poller = await polled(node(answer, { aliases: ['mine'] }))
    expect(poller.lines(/reachable.*node-a|logger_level|alias/)).toEqual([reachable(1), alias('mine')])
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
    expect(poller.lines(/reachable|logger_level|alias/)).toEqual([reachable(0, 'node-b')])
    expect(poller.success()).toEqual([0, 1])
  })

  test.each<[string, unknown, readonly string[], number]>([
    ['the document', fixture('node/admin.getChainAliases.document'), [alias(MAINNET_C), alias('C'), alias('evm')], 1],
    ['a chain that the node does not know', none, [], 1],
    ['a name twice', { aliases: ['a', 'a'] }, [alias('a')], 1],
    ['a name that every object has', { aliases: ['constructor'] }, [alias('other')], 1],
    ['an answer without aliases', {}, [], 0],
    ['no answer', new BaseError('timeout', 'late'), [], 0],
  ])('aliases: %s', async (_, answer, expected, isGood) => {
    const poller = await polled(node({ loggerLevels: { C: { logLevel: 'INFO' } } }, answer))
    // Byte order: the id of another chain is an alias like any other.
    expect(poller.lines(/logger_level|alias/)).toEqual([level('C', 'log', 'info'), ...expected])
    expect(poller.success()[0]).toBe(isGood)
  })

  test('a failing chain does not affect the others, and the log names it', async () => {
    const poller = await polled(
      (operation, wire, source) =>
        wire.body['chain'] === P_CHAIN
          ? new BaseError('rpc_error', 'the node answered with error -32000', { details: 'invalid input checksum' })
          : node({ loggerLevels: { C: { logLevel: 'INFO' } } }, { aliases: ['mine'] })(operation, wire, source),
      yaml(`{ id: p-chain, name: platform }, { id: ${L1}, name: my-l1 }`),
    )
    expect(poller.lines(/reachable.*node-a|logger_level|alias/)).toEqual([
      reachable(1),
      level('C', 'log', 'info'),
      alias('mine'),
    ])
    expect(poller.success()[0]).toBe(0)
    expect(poller.log).toMatchObject([
      {
        code: 'rpc_error',
        reason: 'aliases of platform: the node answered with error -32000',
        details: 'invalid input checksum',
      },
    ])
  })

  const primary = '{ id: p-chain }, { id: x-chain }, { id: c-chain }'
  const starting = new BaseError('http_status', 'HTTP 503: the node is still starting')
  const lost = { blockchains: [onPrimary(LOCAL_X, 'X-Chain'), { name: 'C-Chain' }] }
  test.each<[string, unknown, string[], string | undefined]>([
    ['lists its chains', local, ['P', 'X', 'C'], undefined],
    ['is still starting', starting, ['P'], 'aliases of x-chain: HTTP 503: the node is still starting'],
    ['does not list them', new BaseError('unsupported', 'no method'), ['P'], undefined],
    ['has no C-Chain', { blockchains: [onPrimary(LOCAL_X, 'X-Chain')] }, ['P', 'X'], undefined],
    [
      'lists a chain that cannot be read',
      lost,
      ['P', 'X'],
      'aliases of c-chain: the blockchain may be among the unreadable records',
    ],
    ['lists nothing', { blockchains: [] }, ['P'], expect.stringMatching(/lists no blockchains/)],
  ])('where only the nodes know the ids of chains: a node that %s', async (_, list, expected, reason) => {
    const letters: Record<string, string> = { [P_CHAIN]: 'P', [LOCAL_X]: 'X', [LOCAL_C]: 'C' }
    const poller = await polled(
      (operation, { body }, source) => {
        if (source === 'node-b') return closed
        if (operation === 'platform.getBlockchains') return list
        const chain = String(body['chain'])
        return operation === 'admin.getLoggerLevel' ? { loggerLevels: {} } : { aliases: [letters[chain], chain] }
      },
      yaml(primary, 'local'),
    )
    expect(poller.series(/alias_info$/).map(({ labels }) => labels['alias'])).toEqual(expected)
    expect(poller.log.filter(({ level: at }) => at === 'warn').map(({ reason: why }) => why)).toEqual(
      reason === undefined ? [] : [reason],
    )
  })

  const dataApi = (network: string) => `    data_api: { url: "http://127.0.0.1:9", network: ${network} }\n`
  test.each([
    ['of fuji', yaml('{ id: p-chain }, { id: c-chain }'), [P_CHAIN, FUJI_C]],
    ['of mainnet', yaml(primary, 'mainnet'), [P_CHAIN, MAINNET_X, MAINNET_C]],
    ['of a network of another name', yaml(primary, 'ours', dataApi('mainnet')), [P_CHAIN, MAINNET_X, MAINNET_C]],
    ['of a network whose ids only its nodes know', yaml(primary, 'local'), [P_CHAIN, LOCAL_X, LOCAL_C]],
    ['by their ids', yaml(`{ id: ${MAINNET_C} }, { id: ${L1} }`, 'mainnet'), [MAINNET_C, L1]],
  ])('asks for chains %s by id, as nodes accept no alias', async (_, text, expected) => {
    const asked: unknown[] = []
    await polled((operation, { body }, source) => {
      if (operation === 'admin.getChainAliases') asked.push(body['chain'])
      if (source === 'node-b') return closed
      if (operation === 'platform.getBlockchains') return local
      return operation === 'admin.getLoggerLevel' ? { loggerLevels: {} } : none
    }, text)
    expect(asked).toEqual(expected)
  })

  test('unknown loggers and aliases add a bounded number of series', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `n${String(at).padStart(4, '0')}`)
    const loggerLevels = Object.fromEntries(
      many.map((name, at) => [name, { logLevel: `L${at}`, displayLevel: 'WARN' }]),
    )
    const poller = await polled(node({ loggerLevels }, { aliases: many }))
    expect(poller.dropped()).toBe(0)
    // 32 loggers and all others together, with one level each.
    expect(poller.lines(/logger_level/)).toHaveLength(66)
    expect(poller.lines(/logger_level.*"other"/).slice(-2)).toEqual([
      level('other', 'log', 'other'),
      level('other', 'display', 'warn'),
    ])
    expect(poller.lines(/alias_info/)).toHaveLength(33)
    // The same ones, whatever their order.
    const first = poller.lines(/alias_info|logger_level/)
    poller.clock.now += 1_000
    await poller.poll(
      node(
        { loggerLevels: Object.fromEntries(Object.entries(loggerLevels).toReversed()) },
        { aliases: many.toReversed() },
      ),
    )
    expect(poller.lines(/alias_info|logger_level/)).toEqual(first)
  })

  test('loggers without levels have none', async () => {
    const poller = await polled(node(fixture('node/admin.getLoggerLevel.minimal')))
    expect(poller.lines(/reachable.*node-a|logger_level/)).toEqual([reachable(1)])
  })

  test('has no subjects without a node to ask', () => {
    expect(createPoller(yaml().replace(/, admin: \w+/g, ''), nodeAdmin, 0).tasks).toEqual([])
  })
})
