import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineOperation, type Operation } from '../../src/operations/define.ts'
import { getContainerByID, getIndex, getLastAccepted as indexHead } from '../../src/operations/node/indexes.ts'
import { getBlock, getBlockByHeight } from '../../src/operations/node/platform-blocks.ts'
import { getBlockchainStatus, getCurrentSupply } from '../../src/operations/node/platform-subnets.ts'
import { answer, type Behaviour, createHostileServer, envelope, inTurn, reset } from '../support/hostile-server.ts'
import { createAsking, failure, nodeAt } from './asking.ts'
import { momentAt } from '../support/clock.ts'

const getLastAccepted = defineOperation({
  name: 'index.getLastAccepted',
  source: 'document 2, Index interface',
  service: 'node',
  effect: 'read',
  via: { rpc: '/ext/index/P/block' },
  params: z.object({ encoding: z.literal('hex').default('hex') }),
  answer: z.object({ index: z.string() }).nullable(),
  cost: 1,
})

const alias = defineOperation({
  name: 'admin.alias',
  source: 'document 2, Admin interface',
  service: 'node',
  effect: 'change',
  via: { rpc: '/ext/admin' },
  params: z.object({ endpoint: z.string(), alias: z.string().max(512) }),
  answer: z.object({}),
  cost: 1,
})

const validating = envelope({ result: { status: 'Validating' } })

function askStatus(url: string, blockchainID = '2q9', asking = createAsking()) {
  return asking.client.call(nodeAt(url), getBlockchainStatus, { blockchainID }, asking)
}

describe('the request (document 2, JSON-RPC envelope)', () => {
  test('one object per call, never a batch, each with an id of its own', async () => {
    const server = await createHostileServer(validating)
    const asking = createAsking()
    await Promise.all(['a', 'b'].map((chain) => askStatus(server.url, chain, asking)))
    const bodies = server.received.map(({ body }) => JSON.parse(body) as { id: number })
    expect(bodies).toEqual(
      ['a', 'b'].map((blockchainID) => ({
        jsonrpc: '2.0',
        id: expect.any(Number),
        method: 'platform.getBlockchainStatus',
        params: { blockchainID },
      })),
    )
    expect(bodies[0]!.id).not.toBe(bodies[1]!.id)
    expect(server.received[0]).toMatchObject({
      method: 'POST',
      url: '/ext/bc/P',
      headers: { 'content-type': 'application/json', 'user-agent': 'stakewatch/test' },
    })
  })

  test('is repeated when it reads, and never when it changes something', async () => {
    const server = await createHostileServer(inTurn(reset, reset, validating))
    const asking = createAsking()
    expect((await askStatus(server.url, '2q9', asking)).value).toEqual({ status: 'Validating' })
    expect(server.received).toHaveLength(3)

    const broken = await createHostileServer(reset)
    const change = asking.client.call(nodeAt(broken.url), alias, { endpoint: 'bc/X', alias: 'x' }, asking)
    expect((await failure(change)).code).toBe('network')
    expect(broken.received).toHaveLength(1)
  })
})

describe('the answer', () => {
  test.each<[string, Behaviour, object]>([
    [
      'an error is an answer of the node',
      envelope({ error: { code: -32_000, message: 'problem parsing "x"', data: null } }),
      { code: 'rpc_error', message: 'the node answered with error -32000', details: 'problem parsing "x"' },
    ],
    [
      'an error without an id is about a request that could not be read',
      envelope({ id: null, error: { code: -32_700, message: 'parse error' } }),
      { code: 'rpc_error', details: 'parse error' },
    ],
    [
      'an error whose code is no number is not printed',
      envelope({ error: { code: 'http://user:pass@host' } }),
      { code: 'rpc_error', message: 'the node answered with error', details: 'no message' },
    ],
    ['an error that is text', envelope({ error: 'broken' }), { code: 'rpc_error', details: 'broken' }],
    ['another id', envelope({ id: 4711, result: { status: 'Validating' } }), { code: 'bad_response' }],
    ['the id as text', envelope({ id: '1', result: { status: 'Validating' } }), { code: 'bad_response' }],
    ['no id', envelope({ id: undefined, result: { status: 'Validating' } }), { code: 'bad_response' }],
    [
      'an error for another id is not ours',
      envelope({ id: 4711, error: { code: -32_000, message: 'not found' } }),
      { code: 'bad_response' },
    ],
    ['neither result nor error', envelope({}), { code: 'bad_response' }],
    ['a result of another form', envelope({ result: { state: 'Validating' } }), { code: 'bad_response' }],
    ['null where the document has an object', envelope({ result: null }), { code: 'bad_response' }],
    ['an empty body', answer(200, ''), { code: 'bad_response', message: 'expected JSON, got an empty body' }],
    [
      'a page',
      answer(200, '\n<html></html>'),
      { code: 'bad_response', message: 'expected JSON, got a page (HTML), such as a challenge or a login' },
    ],
    ['text', answer(200, 'ok'), { code: 'bad_response', message: 'expected JSON, got no valid JSON' }],
    ['null', answer(200, 'null'), { code: 'bad_response' }],
    ['a batch', answer(200, []), { code: 'bad_response' }],
  ])('%s', async (_, behave, expected) => {
    const server = await createHostileServer(behave)
    expect(await failure(askStatus(server.url))).toMatchObject(expected)
    expect(server.received).toHaveLength(1)
  })

  test('a result of null is a result, and an error of null is none', async () => {
    const server = await createHostileServer(envelope({ result: null, error: null }))
    const asking = createAsking()
    expect((await asking.client.call(nodeAt(server.url), getLastAccepted, {}, asking)).value).toBe(null)
  })

  test.each([
    ['as the node says itself', { 'node-id': 'NodeID-B' }, { nodeId: 'NodeID-A' }, 'NodeID-B'],
    ['as configured, when the node does not say', {}, { nodeId: 'NodeID-A' }, 'NodeID-A'],
    ['unknown', {}, {}, undefined],
  ])('who answered: %s', async (_, headers, configured, expected) => {
    const server = await createHostileServer(envelope({ result: { status: 'Syncing' } }, headers))
    const asking = createAsking({ now: () => 1_000 })
    const got = await asking.client.call(
      nodeAt(server.url, configured),
      getBlockchainStatus,
      { blockchainID: '2q9' },
      asking,
    )
    const whole = { value: { status: 'Syncing' }, at: momentAt(1_000), took: 0, source: 'node-a', dropped: 0 }
    expect(got).toEqual(expected === undefined ? whole : { ...whole, nodeId: expected })
  })
})

// Texts of AvalancheGo 1.14.2.
describe('what the node says that it does not have', () => {
  const id = '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'
  const index = { chain: 'P', kind: 'block' }
  const unreadable =
    "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"
  const ask = async (operation: Operation, params: Record<string, unknown>, message: string) => {
    const server = await createHostileServer(envelope({ error: { code: -32_000, message, data: null } }))
    const asking = createAsking()
    const error = await failure(asking.client.call(nodeAt(server.url), operation, params, asking))
    expect(asking.reports.map(({ code }) => code)).toEqual([error.code])
    return { code: error.code, details: error.details }
  }

  test.each<[Operation, Record<string, unknown>, string]>([
    [getBlock, { blockID: id }, `couldn't get block with id ${id}: not found`],
    [getBlockByHeight, { height: 99_999_999 }, "couldn't get block at height 99999999: not found"],
    [getCurrentSupply, { subnetID: id }, 'fetching current supply failed: not found'],
    [getContainerByID, { ...index, id }, 'not found'],
    [getIndex, { ...index, id }, 'not found'],
    [indexHead, index, 'no containers have been accepted'],
  ])('$name is no error of the node, and counted apart', async (operation, params, message) => {
    expect(await ask(operation, params, message)).toEqual({ code: 'not_found', details: message })
    expect(await ask(operation, params, unreadable)).toEqual({ code: 'rpc_error', details: unreadable })
  })

  test('is an error where the operation asks for nothing that could be missing', async () => {
    expect(await ask(getBlockchainStatus, { blockchainID: 'C' }, 'not found')).toMatchObject({ code: 'rpc_error' })
  })
})

// JSON-RPC 2.0 has the codes; the texts are those of nodes, of EVM chains and of services in front of them.
describe('a method that the server does not know', () => {
  const rpc = (error: unknown) => ({ jsonrpc: '2.0', id: null, error })
  const METHOD = 'platform.getBlockchainStatus'

  test.each<[string, unknown, string]>([
    ['the code of JSON-RPC', { code: -32_601, message: 'Method not found' }, 'unsupported'],
    ['the code without a message', { code: -32_601 }, 'unsupported'],
    ['the code with a message about something else', { code: -32_601, message: 'not found' }, 'unsupported'],
    ['the code as text', { code: '-32601', message: 'nope' }, 'unsupported'],
    [
      'words with a capital',
      { code: -32_000, message: 'The method eth_x does not exist/is not available' },
      'unsupported',
    ],
    ['words of a service', { code: -32_600, message: 'Unsupported method: eth_x. See the docs' }, 'unsupported'],
    ['words with the name last', { code: -32_004, message: 'Method not supported: eth_x' }, 'unsupported'],
    ['words with the name between', { code: -32_000, message: 'method eth_x is not available' }, 'unsupported'],
    ['words with a quoted name', { code: 1, message: 'Method "eth_x" not found' }, 'unsupported'],
    ['words of another server', { code: -32_099, message: 'unknown method eth_x' }, 'unsupported'],
    ['words without a code', { message: 'no such method' }, 'unsupported'],
    ['words alone', 'method not implemented', 'unsupported'],
    ['a request that cannot be read', { code: -32_700, message: 'parse error: unknown method' }, 'rpc_error'],
    ['a request of the wrong form', { code: -32_600, message: 'jsonrpc must be 2.0' }, 'rpc_error'],
    ['parameters', { code: -32_602, message: 'unsupported method parameter' }, 'rpc_error'],
    ['a fault of the server', { code: -32_603, message: 'method not available right now' }, 'rpc_error'],
    ['an error of the server', { code: -32_000, message: 'invalid method parameter(s)' }, 'rpc_error'],
    ['an object that is not there', { code: -32_001, message: 'block not found' }, 'rpc_error'],
    ['a limit', { code: -32_005, message: 'limit exceeded' }, 'rpc_error'],
  ])('%s', async (_, error, code) => {
    const server = await createHostileServer(envelope({ error }))
    expect(await failure(askStatus(server.url))).toMatchObject({ code })
  })

  test.each([
    [-32_700, 'the node answered with error -32700: it cannot read the request'],
    [-32_600, 'the node answered with error -32600: it does not accept the form of the request'],
    ['-32602', 'the node answered with error -32602: it does not accept the parameters'],
    [-32_603, 'the node answered with error -32603: it failed'],
    [-32_000, 'the node answered with error -32000'],
    [-32_099, 'the node answered with error -32099'],
    [3, 'the node answered with error 3'],
    [null, 'the node answered with error'],
  ])('the code %s says what else is wrong', async (code, message) => {
    const server = await createHostileServer(envelope({ error: { code, message: 'x' } }))
    expect(await failure(askStatus(server.url))).toMatchObject({ code: 'rpc_error', message })
  })

  test.each<[number, unknown, string]>([
    [404, rpc({ code: -32_601, message: 'Method not found' }), 'unsupported'],
    [405, rpc({ code: '-32601' }), 'unsupported'],
    [501, rpc({ code: -32_000, message: `Unsupported method: ${METHOD}` }), 'unsupported'],
    [400, rpc({ code: -32_601, message: 'Method not found' }), 'unsupported'],
    [500, rpc({ code: -32_601, message: 'Method not found' }), 'unsupported'],
    [501, `Unsupported method: ${METHOD}`, 'unsupported'],
    [404, `the method ${METHOD} does not exist/is not available`, 'unsupported'],
    [500, rpc({ code: -32_603, message: 'Internal error' }), 'http_status'],
    [400, rpc({ code: -32_602, message: 'Invalid params' }), 'http_status'],
    // A plan without the method, a limit: the status says what is wrong.
    [403, rpc({ code: -32_601, message: 'Method not found' }), 'http_status'],
    [429, rpc({ code: -32_601, message: 'Method not found' }), 'http_status'],
    // The method of HTTP.
    [501, "Unsupported method ('POST')", 'http_status'],
    [405, 'rpc: POST method required, received GET', 'http_status'],
    [405, '{"error":"Method Not Allowed"}', 'http_status'],
    [404, [rpc({ code: -32_601, message: 'Method not found' })], 'http_status'],
  ])('HTTP %i with %j', async (status, body, code) => {
    const server = await createHostileServer(answer(status, body))
    expect(await failure(askStatus(server.url))).toMatchObject({ code })
  })

  test('is asked for again an hour later, and is no outage of the node', async () => {
    const server = await createHostileServer(answer(501, rpc({ code: -32_601, message: 'Method not found' })))
    let time = 0
    const asking = createAsking({ now: () => time })
    const codes: string[] = []
    // Three failures over ten seconds would open the circuit.
    for (const chain of ['a', 'b', 'c', 'd', 'a']) {
      codes.push((await failure(askStatus(server.url, chain, asking))).code)
      time += 5_001
      if (chain === 'c') time = 10_003
    }
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'unsupported'))
    expect(server.received).toHaveLength(4)
  })
})

// Texts of a live node.
describe('a refusal', () => {
  const NOT_FOUND = '404 page not found\n'

  const questions = {
    status: [getBlockchainStatus, { blockchainID: 'a' }],
    index: [getLastAccepted, {}],
    alias: [alias, { endpoint: 'a', alias: 'b' }],
  } as const satisfies Record<string, readonly [Operation, object]>
  const STARTING = /the API is disabled, the chain is unknown, or the node is still starting$/
  const BOOTSTRAPPING = 'API call rejected because chain is not done bootstrapping\n'

  test.each<[string, keyof typeof questions, number, string, string, RegExp]>([
    ['a disabled index', 'index', 404, NOT_FOUND, 'unsupported', /does not serve \/ext\/index\/P\/block/],
    ['a disabled admin API', 'alias', 404, NOT_FOUND, 'unsupported', /\/ext\/admin/],
    ['an index whose chain has not started yet', 'index', 404, NOT_FOUND, 'unsupported', STARTING],
    ['no P-Chain: not a node', 'status', 404, NOT_FOUND, 'http_status', /base address/],
    ['a host name', 'status', 403, 'invalid host specified', 'http_status', /IP address/],
    ['a proxy', 'status', 403, '<h1>Forbidden</h1>', 'http_status', /^HTTP 403 with a page/],
    ['bootstrapping', 'status', 503, BOOTSTRAPPING, 'not_ready', /^the chain has not finished bootstrapping$/],
    ['any other', 'status', 415, 'rpc: unrecognized Content-Type', 'http_status', /415/],
  ])('%s', async (_, question, status, text, code, message) => {
    const server = await createHostileServer(answer(status, text))
    const asking = createAsking()
    const [operation, params]: readonly [Operation, object] = questions[question]
    const error = await failure(asking.client.call(nodeAt(server.url), operation, { ...params }, asking))
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), details: text.trim() })
  })
})

describe('P-Chain calls of one node', () => {
  test('go one at a time, with and without a slash at the end of its url', async () => {
    const server = await createHostileServer((response, request, number) =>
      setTimeout(() => validating(response, request, number), 5),
    )
    const asking = createAsking()
    await Promise.all([askStatus(server.url, 'a', asking), askStatus(`${server.url}/`, 'b', asking)])
    expect(server.mostInFlight()).toBe(1)
  })

  test('hold back neither other paths nor other nodes', async () => {
    // The first node answers its P-Chain call last: after its index and after the other node.
    let release = () => {}
    const others = new Promise<void>((resolve) => (release = resolve))
    const first = await createHostileServer(async (response, request, number) => {
      if (request.url !== '/ext/bc/P') return envelope({ result: { index: '7' } })(response, request, number)
      await others
      return validating(response, request, number)
    })
    const second = await createHostileServer(validating)
    const asking = createAsking()
    const held = askStatus(first.url, 'a', asking)
    await asking.client.call(nodeAt(first.url), getLastAccepted, {}, asking)
    await asking.client.call(nodeAt(second.url, { name: 'node-b' }), getBlockchainStatus, { blockchainID: 'a' }, asking)
    release()
    expect((await held).value.status).toBe('Validating')
  })

  test('are the only ones that wait for each other', async () => {
    let release = () => {}
    const two = new Promise<void>((resolve) => (release = resolve))
    const server = await createHostileServer(async (response, request, number) => {
      if (number === 2) release()
      await two
      envelope({ result: { index: '7' } })(response, request, number)
    })
    const asking = createAsking()
    const ask = (name: string) => asking.client.call(nodeAt(server.url, { name }), getLastAccepted, {}, asking)
    await Promise.all([ask('node-a'), ask('node-b')])
    expect(server.mostInFlight()).toBe(2)
  })

  test('have their time when it is their turn: a slow node is not failed for the line before it', async () => {
    const server = await createHostileServer((response, request, number) =>
      setTimeout(() => validating(response, request, number), 120),
    )
    const asking = createAsking({ timeout: 400 })
    const chains = ['a', 'b', 'c', 'd', 'e', 'f']
    const answers = await Promise.all(chains.map((chain) => askStatus(server.url, chain, asking)))
    expect(answers).toHaveLength(6)
  })
})
