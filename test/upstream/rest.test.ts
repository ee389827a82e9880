import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { secret, secretUrl } from '../../src/lib/secret.ts'
import { defineOperation } from '../../src/operations/define.ts'
import { avgTps } from '../../src/operations/metrics/chains.ts'
import { getPrimaryNetworkBlock } from '../../src/operations/data/primary-network-blocks.ts'
import { listValidators } from '../../src/operations/data/validators.ts'
import { getNodeID } from '../../src/operations/node/info.ts'
import { getBlockchainStatus } from '../../src/operations/node/platform-subnets.ts'
import { answer, type Behaviour, createHostileServer, envelope } from '../support/hostile-server.ts'
import { createAsking, dataAt, failure, nodeAt } from './asking.ts'
import { BaseError } from '../../src/errors.ts'
import { clockOf } from '../support/clock.ts'
import { unlimited } from '../support/unlimited.ts'

// Document 1, PrimaryNetworkBlock: what cannot be missing.
const block = { blockNumber: '7', blockHash: 'abc', blockTimestamp: 1_000, txCount: 0 }
const params = { network: 'fuji', blockchainId: 'p-chain', blockId: '7' } as const

const listUtxos = defineOperation({
  name: 'list-utxos-v2',
  source: 'document 1, operation 3',
  service: 'data',
  effect: 'read',
  via: { post: '/v1/networks/{network}/utxos', body: ['addresses'] },
  params: z.object({ network: z.string(), addresses: z.string(), pageSize: z.int(), txTypes: z.array(z.string()) }),
  answer: z.object({}),
  cost: 100,
})

function askBlock(url: string, asking = createAsking()) {
  return asking.client.call(dataAt(url), getPrimaryNetworkBlock, params, asking)
}

describe('the request', () => {
  test('of a GET operation', async () => {
    const server = await createHostileServer(answer(200, block))
    const asking = createAsking()
    await asking.client.call(dataAt(server.url, 'the-key'), getPrimaryNetworkBlock, params, asking)
    expect(server.received).toMatchObject([
      {
        method: 'GET',
        url: '/v1/networks/fuji/blockchains/p-chain/blocks/7',
        body: '',
        headers: { 'x-data-api-key': 'the-key', accept: 'application/json', 'user-agent': 'stakewatch/test' },
      },
    ])
  })

  test('of a POST operation: its body, and the rest in the query, a list by repeating', async () => {
    const server = await createHostileServer(answer(201, {}))
    const asking = createAsking()
    const given = { network: 'fuji', addresses: 'P-fuji1a,P-fuji1b', pageSize: 2, txTypes: ['A', 'B&C'] }
    await asking.client.call(dataAt(server.url), listUtxos, given, asking)
    expect(server.received).toMatchObject([
      { method: 'POST', url: '/v1/networks/fuji/utxos?pageSize=2&txTypes=A&txTypes=B%26C' },
    ])
    expect(JSON.parse(server.received[0]!.body)).toEqual({ addresses: 'P-fuji1a,P-fuji1b' })
    expect(server.received[0]!.headers).not.toHaveProperty('x-data-api-key')
  })

  const REST = '/v1/networks/fuji/blockchains/p-chain/blocks/7'
  const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

  test.each([
    ['nothing', '', '', REST, '/ext/bc/P', undefined],
    ['a slash at the end', '', '/', REST, '/ext/bc/P', undefined],
    ['a path', '', '/data/the-key', `/data/the-key${REST}`, '/data/the-key/ext/bc/P', undefined],
    ['a path that ends in slashes', '', '/data//', `/data${REST}`, '/data/ext/bc/P', undefined],
    ['an encoded path', '', '/a%2Fb%20c', `/a%2Fb%20c${REST}`, '/a%2Fb%20c/ext/bc/P', undefined],
    ['a query', '', '?key=the%20key', `${REST}?key=the%20key`, '/ext/bc/P?key=the%20key', undefined],
    ['path and query', '', '/data/?a=1&b=2', `/data${REST}?a=1&b=2`, '/data/ext/bc/P?a=1&b=2', undefined],
    ['a fragment, which is for browsers', '', '/#top', REST, '/ext/bc/P', undefined],
    ['a user', 'me:p%40ss@', '', REST, '/ext/bc/P', basic('me:p@ss')],
    ['a user alone', 'me@', '', REST, '/ext/bc/P', basic('me:')],
    ['a password with a stray percent sign', 'me:50%@', '', REST, '/ext/bc/P', basic('me:50%')],
  ])('to a url with %s', async (_, user, rest, data, node, authorization) => {
    const server = await createHostileServer((...all) =>
      all[1].method === 'POST' ? envelope({ result: { status: 'Created' } })(...all) : answer(200, block)(...all),
    )
    const asking = createAsking()
    const url = server.url.replace('//', `//${user}`) + rest
    await askBlock(url, asking)
    await asking.client.call(nodeAt(url), getBlockchainStatus, { blockchainID: 'a' }, asking)
    expect(server.received.map((one) => one.url)).toEqual([data, node])
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([authorization, authorization])
  })

  test('to a node carries the key of its source, too', async () => {
    const server = await createHostileServer(envelope({ result: { status: 'Created' } }))
    const asking = createAsking()
    const source = nodeAt(server.url, { key: { header: 'x-key', value: secret('abc') } })
    await asking.client.call(source, getBlockchainStatus, { blockchainID: 'a' }, asking)
    expect(server.received[0]!.headers['x-key']).toBe('abc')
  })

  test('is never repeated when it changes something', async () => {
    const server = await createHostileServer(answer(503, ''))
    const asking = createAsking()
    const change = { ...listUtxos, effect: 'change' } as const
    const given = { network: 'fuji', addresses: 'a', pageSize: 2, txTypes: [] }
    await failure(asking.client.call(dataAt(server.url), change, given, asking))
    expect(server.received).toHaveLength(1)
  })

  test('keeps the query of the url when the operation has one of its own', async () => {
    const server = await createHostileServer(answer(200, {}))
    const asking = createAsking()
    const given = { network: 'fuji', addresses: 'a', pageSize: 2, txTypes: [] }
    await asking.client.call(dataAt(`${server.url}?key=abc`), listUtxos, given, asking)
    expect(server.received[0]!.url).toBe('/v1/networks/fuji/utxos?key=abc&pageSize=2')
  })
})

describe('the answer', () => {
  test.each([200, 201, 203])('any success is one: %i', async (status) => {
    const server = await createHostileServer(answer(status, block))
    expect((await askBlock(server.url)).value).toMatchObject({ blockNumber: 7n, blockHash: 'abc' })
  })

  test.each<[string, Behaviour, RegExp]>([
    ['no content', answer(204, ''), /an empty body/],
    ['an empty body', answer(200, ''), /an empty body/],
    ['a page of a proxy', answer(200, '<!doctype html><p>hello'), /HTML/],
    ['half an object', answer(200, '{"blockNumber":"7",'), /no valid JSON/],
    ['null', answer(200, 'null'), /documented form/],
    ['an array', answer(200, [block]), /documented form/],
    ['a number', answer(200, '7'), /documented form/],
    ['an object without what it is about', answer(200, {}), /documented form/],
  ])('%s is none', async (_, behave, message) => {
    const server = await createHostileServer(behave)
    const error = await failure(askBlock(server.url))
    expect([error.code, error.message]).toEqual(['bad_response', expect.stringMatching(message)])
    expect(server.received).toHaveLength(1)
  })

  test('that does not fit reports the place, and not the value', async () => {
    const server = await createHostileServer(answer(200, { ...block, blockNumber: 'a-value', txCount: 1.5 }))
    const error = await failure(askBlock(server.url))
    expect(error.details).toMatch(/^blockNumber: .*; txCount: /)
    expect(error.details).not.toContain('a-value')
  })
})

// Document 1, Errors; `message` is a string or a list on live services.
describe('a refusal', () => {
  const body = (statusCode: number, message: unknown) => ({ message, statusCode, error: 'said the service' })

  test.each([
    [400, body(400, ['pageSize must not be greater than 100', 'b']), 'http_status', /^HTTP 400$/, /^pageSize .*; b$/],
    [400, body(400, 'bad'), 'http_status', /^HTTP 400$/, /^bad$/],
    [401, body(401, 'no'), 'http_status', /key/, /^no$/],
    [404, body(404, 'Block not found'), 'not_found', /not there/, /^Block not found$/],
    [404, body(404, ['Block', 'not found']), 'not_found', /not there/, /^Block; not found$/],
    [404, body(404, 'Cannot GET /wrong/v1/x'), 'http_status', /base address of the data service/, /^Cannot GET/],
    [404, '<h1>Not Found</h1>', 'http_status', /base address of the data service/, /Not Found/],
    [404, '{"error":"route"}', 'http_status', /base address of the data service/, /route/],
    [429, body(429, 'slow down'), 'http_status', /rate limit/, /^slow down$/],
    [500, body(500, 'oops'), 'http_status', /^HTTP 500$/, /^oops$/],
    [502, '<html>Bad Gateway</html>', 'http_status', /^HTTP 502$/, /Bad Gateway/],
    [503, 'null', 'http_status', /^HTTP 503$/, /^null$/],
    [504, '', 'http_status', /^HTTP 504$/, /^$/],
    [302, '', 'http_status', /^HTTP 302 to another path of this server: correct the path$/, /^$/],
  ])('%i %j is %s', async (status, said, code, message, details) => {
    const server = await createHostileServer(answer(status, said, { location: '/elsewhere' }))
    const error = await failure(askBlock(server.url))
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
    expect(error.details).toMatch(details)
  })
})

test.each(['Cannot GET /v1/networks/fuji/validators', 'no route'])(
  'what a service of the documents may lack is unsupported: %j',
  async (message) => {
    const server = await createHostileServer(answer(404, { message, statusCode: 404 }))
    const asking = createAsking()
    const error = await failure(asking.client.call(dataAt(server.url), listValidators, { network: 'fuji' }, asking))
    expect([error.code, error.details]).toEqual(['unsupported', message])
  },
)

// Document 2 has /v1/avg_tps; the service of today has its series at another path.
describe('an operation that services have moved', () => {
  const V1 = '/v1/avg_tps/43114'
  const V2 = '/v2/chains/43114/metrics/avgTps?timeInterval=day&pageSize=1'
  const series = { results: [{ timestamp: 1_700_006_400, value: 4.25 }] }
  const route = (url = '') => answer(404, { statusCode: 404, message: `Cannot GET ${url}`, error: 'Not Found' })
  const unknown = answer(404, { statusCode: 404, message: 'chain 43114 not found', error: 'Not Found' })

  /** Answers by the version of the path; what is left out has no route. */
  async function serving(paths: { v1?: Behaviour; v2?: Behaviour }) {
    const server = await createHostileServer((...all) => {
      const { url } = all[1]
      const behave = (url.startsWith('/v1/') ? paths.v1 : paths.v2) ?? route(url)
      return behave(...all)
    })
    const asking = createAsking()
    const source = { service: 'metrics', network: 'fuji', name: 'metrics-api', url: secretUrl(server.url) } as const
    return {
      paths,
      ask: () => asking.client.call(source, avgTps, { chainId: '43114' }, asking),
      asked: () => server.received.map(({ url }) => url),
    }
  }

  test('is asked for at the documented path, and there alone while it answers', async () => {
    const { ask, asked } = await serving({ v1: answer(200, series), v2: answer(200, series) })
    await ask()
    await ask()
    expect(asked()).toEqual([V1, V1])
  })

  test('is asked for at the other path after a 404, which is remembered', async () => {
    const { ask, asked } = await serving({ v2: answer(200, series) })
    expect((await ask()).value.results).toEqual(series.results)
    expect((await ask()).value.results).toEqual(series.results)
    expect(asked()).toEqual([V1, V2, V2])
  })

  test('a service that has the documented path again is found there', async () => {
    const { paths, ask, asked } = await serving({ v2: answer(200, series) })
    await ask()
    Object.assign(paths, { v1: answer(200, series), v2: undefined })
    await ask()
    await ask()
    expect(asked()).toEqual([V1, V2, V2, V1, V1])
  })

  test('a chain that is unknown at the path that is known to be right is asked for once', async () => {
    const { paths, ask, asked } = await serving({ v2: answer(200, series) })
    await ask()
    Object.assign(paths, { v2: unknown })
    const error = await failure(ask())
    expect([error.code, error.details]).toEqual(['unsupported', 'chain 43114 not found'])
    expect(asked()).toEqual([V1, V2, V2])
  })

  test('whose second request finds no budget has sent one, which ended with its status', async () => {
    const server = await createHostileServer(route())
    const source = { service: 'metrics', network: 'fuji', name: 'metrics-api', url: secretUrl(server.url) } as const
    const account = unlimited(clockOf(Date.now)).accountOf()
    let left = 1
    const asking = createAsking({
      accountOf: () => ({
        ...account,
        async pay(...all) {
          if (left === 0) throw new BaseError('over_budget', 'not asked')
          left -= 1
          return account.pay(...all)
        },
      }),
    })
    const error = await failure(asking.client.call(source, avgTps, { chainId: '43114' }, asking))
    expect(error.code).toBe('over_budget')
    expect(asking.reports.map(({ code, sent }) => ({ code, sent }))).toEqual([
      { code: 'over_budget', sent: ['http_status'] },
    ])
  })

  test.each<[string, { v1?: Behaviour; v2?: Behaviour }, string, string[]]>([
    ['neither path is there', {}, 'http_status', ['base address of the metrics service', V1, '/v2/chains/43114/']],
    ['the chain is unknown', { v2: unknown }, 'unsupported', ['not there', V1, '/v2/chains/43114/']],
    ['the second path fails', { v2: answer(403, 'no') }, 'http_status', ['HTTP 403', `HTTP 404 at ${V1}`]],
  ])('%s: the error names both paths', async (_, paths, code, said) => {
    const error = await failure((await serving(paths)).ask())
    expect(error.code).toBe(code)
    for (const words of said) expect(error.message).toContain(words)
  })
})

// Pages as content delivery networks, portals and web servers send them.
describe('a page instead of an answer', () => {
  const PAGE = '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>'
  const html = { 'content-type': 'text/html; charset=UTF-8' }
  const said = / with a page \(HTML\) instead of an answer, such as a challenge or a login/
  const ask = async (status: number, text: string, headers = {}, key?: string) => {
    const server = await createHostileServer(answer(status, text, headers))
    const asking = createAsking()
    return failure(asking.client.call(dataAt(server.url, key), getPrimaryNetworkBlock, params, asking))
  }

  test.each<[number, string, Record<string, string>]>([
    [401, PAGE, html],
    [403, PAGE, html],
    [403, `\n\n  ${PAGE}`, {}],
    [403, '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', {}],
    [403, '', html],
    [429, PAGE, html],
    [503, PAGE, html],
  ])('HTTP %i with %j is none about a key', async (status, text, headers) => {
    for (const key of [undefined, 'the-key']) {
      const error = await ask(status, text, headers, key)
      expect([error.code, error.message]).toEqual(['http_status', expect.stringMatching(said)])
      expect(error.message).not.toMatch(/key|rate limit/)
    }
  })

  test('HTTP 200 with one is no answer', async () => {
    expect(await ask(200, PAGE, html)).toMatchObject({
      code: 'bad_response',
      message: 'expected JSON, got a page (HTML), such as a challenge or a login',
    })
  })

  test.each<[number, string, Record<string, string>, RegExp]>([
    [401, PAGE, { ...html, 'www-authenticate': 'Basic realm="data"' }, /: no key is configured$/],
    [403, '{"message":"no"}', html, /: no key is configured$/],
    [502, PAGE, html, /^HTTP 502$/],
  ])('HTTP %i with %j and %j is none', async (status, text, headers, message) => {
    expect((await ask(status, text, headers)).message).toMatch(message)
  })
})

describe('a redirect says where to, and no more than the server', () => {
  test.each([
    ['https://login.example.org:8443/next?token=secret', 'https://login.example.org:8443: give that address'],
    ['//other.example.org/x', 'http://other.example.org: give that address'],
    ['https://user:secret@example.org/', 'https://example.org: give that address'],
    ['/elsewhere?token=secret', 'another path of this server: correct the path'],
    ['javascript:alert(1)', 'another address'],
    ['http://[', 'another address'],
    [`https://${'secret.'.repeat(50)}org/`, 'another address'],
  ])('%s', async (location, words) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await createHostileServer(answer(status, '', { location }))
      const asking = createAsking()
      const error = await failure(asking.client.call(dataAt(server.url), getPrimaryNetworkBlock, params, asking))
      expect(error.message).toBe(`HTTP ${status} to ${words}`)
      const node = await failure(asking.client.call(nodeAt(server.url), getNodeID, {}, asking))
      expect(node.message).toBe(`HTTP ${status} to ${words}`)
    }
  })
})

test('a redirect to an address that holds a key does not show it', async () => {
  const key = 'the-secret-key'
  const server = await createHostileServer(answer(302, '', { location: `https://${key}.example.org/` }))
  const asking = createAsking()
  const error = await failure(asking.client.call(dataAt(server.url, key), getPrimaryNetworkBlock, params, asking))
  expect(error.message).toBe('HTTP 302 to https://***.example.org: give that address')
})

describe('a quota or a key', () => {
  const keyed = 'the-key'
  test.each([
    [429, undefined, 'HTTP 429: the rate limit is exceeded; no key is configured, so the public quota holds'],
    [429, keyed, 'HTTP 429: the rate limit is exceeded; the key was sent in the header x-data-api-key'],
    [401, undefined, 'HTTP 401: no key is configured'],
    [403, keyed, 'HTTP 403: the key in the header x-data-api-key was not accepted'],
    [403, 'user:word@', 'HTTP 403: the user and password in the url was not accepted'],
    [401, '?token=the-key', 'HTTP 401: what the url has after its ? was not accepted'],
  ])('%i with the key %s', async (status, key, message) => {
    const server = await createHostileServer(answer(status, 'said the service'))
    const asking = createAsking()
    const url = key?.endsWith('@')
      ? server.url.replace('//', `//${key}`)
      : `${server.url}${key?.startsWith('?') ? key : ''}`
    const source = dataAt(url, key === keyed ? key : undefined)
    const error = await failure(asking.client.call(source, getPrimaryNetworkBlock, params, asking))
    expect(error.message).toBe(message)
  })
})
