import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { secretUrl, secret } from '../../src/lib/secret.ts'
import { getPrimaryNetworkBlock } from '../../src/operations/data/primary-network-blocks.ts'
import { getBlockchainStatus } from '../../src/operations/node/platform-subnets.ts'
import { createRedactor } from '../../src/upstream/redact.ts'
import type { Source } from '../../src/upstream/source.ts'
import {
  answer,
  type Behaviour,
  breakOff,
  closedPort,
  createHostileServer,
  drip,
  envelope,
  raw,
  reset,
  silence,
} from '../support/hostile-server.ts'
import { createAsking, failure } from './asking.ts'

// Every secret has MARK in it, also one that is written with an escape.
const BASIC = Buffer.from('user-MARK:pass/MARK').toString('base64')
const sourceAt = (service: 'node' | 'data', url: string): Source => ({
  service,
  network: 'fuji',
  name: 'one',
  url: secretUrl(`${url.replace('//', '//user-MARK:pass%2FMARK@')}/v1/path%20MARK/?apikey=query-MARK&bare-MARK`),
  key: { header: 'x-data-api-key', value: secret('key/MARK=') },
})

function expectClean(error: BaseError): void {
  const { message, details, stack, cause } = error
  const shown = [
    inspect(error, { depth: 20, showHidden: true }),
    JSON.stringify(error),
    JSON.stringify({ message, details, stack, cause }),
  ].join('\n')
  expect(shown).not.toContain('MARK')
  expect(shown).not.toContain(BASIC)
}

const { redacted } = createRedactor()

/** All that the upstream knows of us, as it arrived and decoded. */
const echoOf: (...all: Parameters<Behaviour>) => string = (_, { url, headers }) =>
  JSON.stringify([url, decodeURIComponent(url), headers, 'user-MARK', 'pass/MARK', 'pass%2FMARK', 'key%2FMARK%3D'])

const echo =
  (status: number, wrap: (said: string) => unknown): Behaviour =>
  (...all) =>
    answer(status, wrap(echoOf(...all)))(...all)

const services = ['node', 'data'] as const

const ask = (url: string, service: (typeof services)[number], asking: ReturnType<typeof createAsking>) =>
  service === 'node'
    ? asking.client.call(sourceAt(service, url), getBlockchainStatus, { blockchainID: 'a' }, asking)
    : asking.client.call(
        sourceAt(service, url),
        getPrimaryNetworkBlock,
        { network: 'fuji', blockchainId: 'p-chain', blockId: '7' },
        asking,
      )

describe('no error gives a secret away', () => {
  const both: [string, Behaviour, string][] = [
    ['no answer', silence, 'timeout'],
    ['a body without end', drip, 'timeout'],
    ['a reset', reset, 'network'],
    ['half a body', breakOff('end'), 'network'],
    ['not HTTP', (...all) => raw(`${echoOf(...all)}\r\n\r\n`)(...all), 'bad_response'],
    ['too large', answer(200, '['.repeat(65)), 'too_large'],
    ['compressed', answer(200, 'x', { 'content-encoding': 'gzip' }), 'bad_response'],
    ['a redirect', (...all) => answer(302, '', { location: all[1].url })(...all), 'http_status'],
    ...[400, 403, 404, 429, 500].map((status): [string, Behaviour, string] => [
      `text with status ${status}`,
      echo(status, String),
      'http_status',
    ]),
    ['the errors of a framework', echo(404, (said) => ({ message: `Cannot GET ${said}` })), 'http_status'],
    ['a page', echo(502, (said) => `<html><h1>Bad Gateway</h1>${said}`), 'http_status'],
    ['an answer of another form', echo(200, (said) => ({ [said]: said })), 'bad_response'],
    ['no JSON', echo(200, (said) => `oops ${said}`), 'bad_response'],
  ]
  const refusing =
    (code: unknown, message: string): Behaviour =>
    (...all) =>
      envelope({ error: { code: code ?? echoOf(...all), message: message + echoOf(...all) } })(...all)
  test.each<[(typeof services)[number], string, Behaviour, string]>([
    ...services.flatMap((service) => both.map((one): [typeof service, ...typeof one] => [service, ...one])),
    ['data', 'an error of the service', echo(404, (said) => ({ message: ['no such block', said] })), 'not_found'],
    ['node', 'an error of the node', refusing(undefined, ''), 'rpc_error'],
    ['node', 'an unknown method', refusing(1, "can't find method "), 'unsupported'],
  ])('%s: %s', async (service, _, behave, code) => {
    const server = await createHostileServer(behave)
    const timeout = code === 'timeout' ? 200 : 10_000
    const error = await failure(ask(server.url, service, createAsking({ timeout })))
    expect(error.code).toBe(code)
    expectClean(error)
  })

  test.each(services)('%s: no server listens', async (service) => {
    const error = await failure(ask(await closedPort(), service, createAsking()))
    expect(error.code).toBe('network')
    expectClean(error)
  })
})

test.each<[string, readonly string[], Partial<Source>]>([
  ['of the source', [], { proxy: secretUrl('http://proxy-MARK:secret%2FMARK@proxy:3128') }],
  ['of the environment', ['http://proxy-MARK:secret%2FMARK@proxy:3128'], {}],
])('credentials of a proxy that are repeated are masked: %s', (_, own, more) => {
  const basic = Buffer.from('proxy-MARK:secret/MARK').toString('base64')
  const details = `proxy-authorization: Basic ${basic}, proxy-MARK, secret/MARK, secret%2FMARK`
  const redactor = createRedactor(own.map(secretUrl))
  redactor.know([])
  const source = { ...sourceAt('node', 'http://127.0.0.1:1'), ...more }
  const shown = redactor.redacted(new BaseError('http_status', 'HTTP 502', { details }), source).details
  expect(shown).toBe('proxy-authorization: ***, ***, ***, ***')
})

describe('what is left of an error', () => {
  const source = sourceAt('data', 'http://127.0.0.1:1')
  const shown = (details: string) => redacted(new BaseError('http_status', 'HTTP 400', { details }), source).details

  test.each([
    [
      'no more than the secrets go',
      'GET /v1/path%20MARK/blocks?apikey=query-MARK&pageSize=2',
      'GET /v1/***/blocks?***=***&pageSize=2',
    ],
    ['decoded, too', 'no route for /v1/path MARK', 'no route for /v1/***'],
    ['a key as header and as parameter', 'key/MARK= key%2FMARK%3D', '*** ***'],
    ['a header of a user, with and without its scheme', `Basic ${BASIC} ${BASIC}`, '*** ***'],
    ['a text without any', 'Block not found', 'Block not found'],
    ['line breaks would split a line of the log', '404 page not found\n', '404 page not found'],
    ['those between words are spaces', '\n<html>\r\n\t<h1>Bad\n Gateway</h1>', '<html> <h1>Bad Gateway</h1>'],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('a secret across the end of a long text is not cut in half', () => {
    const text = `${'x'.repeat(495)}query-MARK${'y'.repeat(100)}`
    expect(shown(text)).toBe(`${'x'.repeat(495)}***yy`)
  })

  test('a secret that holds another goes as a whole', () => {
    const nested = { ...source, url: secretUrl('http://127.0.0.1:1/abcd?key=abcd-and-more') }
    const error = new BaseError('http_status', 'HTTP 400', { details: 'abcd abcd-and-more' })
    expect(redacted(error, nested).details).toBe('*** ***')
  })

  test('a parameter with a plus sign goes in both its readings', () => {
    const spaced = { ...source, url: secretUrl('http://127.0.0.1:1/?key=half+MARK==') }
    const error = new BaseError('http_status', 'HTTP 400', { details: 'half+MARK== half MARK==' })
    expect(redacted(error, spaced).details).toBe('*** ***')
  })

  test('our own words stay whole', () => {
    const plain = { ...source, url: secretUrl('http://127.0.0.1:1/data') }
    const error = new BaseError('http_status', 'HTTP 404: is the url that of the data service?')
    expect(redacted(error, plain).message).toBe(error.message)
  })

  test('its code stays, its cause goes, and a defect is shown without secrets', () => {
    const error = new BaseError('bug', 'Invalid URL http://h/?k=query-MARK', { cause: new Error('query-MARK') })
    const left = redacted(error, source)
    expect(left).toMatchObject({ code: 'bug', message: 'Invalid URL http://h/?k=***' })
    expect(left.cause).toBe(undefined)
    expectClean(left)
  })
})

describe('no upstream reveals the key of another one', () => {
  const KEY = 'other+key/MARK='
  const plain = (name: string): Source => ({
    service: 'node',
    network: 'fuji',
    name,
    url: secretUrl('http://127.0.0.1:1'),
  })
  const keyed: Source = { ...plain('other'), service: 'data', key: { header: 'x-data-api-key', value: secret(KEY) } }
  const hidden = (redactor: ReturnType<typeof createRedactor>, details: string) =>
    redactor.redacted(new BaseError('http_status', 'HTTP 400', { details }), plain('one')).details

  const forms = [
    ['plain', KEY],
    ['percent-encoded', encodeURIComponent(KEY)],
  ] as const

  test.each(forms)('%s', (_, text) => {
    const redactor = createRedactor()
    redactor.know([plain('one'), keyed])
    expect(hidden(redactor, `no such key: ${text}.`)).toBe('no such key: ***.')
  })

  test.each(forms)('%s, of a key that came with a reload, and of one that went with it', (_, text) => {
    const redactor = createRedactor()
    redactor.know([plain('one')])
    expect(hidden(redactor, text)).toBe(text)
    redactor.know([plain('one'), keyed])
    expect(hidden(redactor, text)).toBe('***')
    redactor.know([plain('one')])
    expect(hidden(redactor, text)).toBe('***')
  })

  test('of earlier configurations the last two thousand secrets are kept', () => {
    const redactor = createRedactor()
    const numbered = (at: number): Source => ({ ...keyed, key: { header: 'k', value: secret(`key-number-${at}.`) } })
    for (let at = 0; at <= 2_001; at += 1) redactor.know([numbered(at)])
    expect(hidden(redactor, 'key-number-0. key-number-1. key-number-2001.')).toBe('key-number-0. *** ***')
  })
})
