// The transport of live nodes (document 2, JSON-RPC envelope), on the wire.

import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { ask, networkOfFile, networkOfTest, post, rpc } from '../network.ts'

const network = await networkOfFile()
const [node, other] = network.nodes.map(({ url }) => url) as [string, string]

const call = (change: object = {}) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'platform.getBlockchainStatus',
    params: { blockchainID: 'X' },
    ...change,
  })
const VALIDATING = { jsonrpc: '2.0', result: { status: 'Validating' }, id: 7 }

/** What every answer says, and nothing else of it. */
async function refusal(answer: ReturnType<typeof ask>) {
  const { status, text, headers } = await answer
  expect(headers.get('node-id')).toBe(network.nodes[0]!.nodeId)
  expect(headers.get('content-type')).toBe(`${status === 200 ? 'application/json' : 'text/plain'}; charset=utf-8`)
  return [status, text]
}

describe('what is refused before the call is read', () => {
  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s is not POST', async (method) => {
    const said = `rpc: POST method required, received ${method}`
    expect(await refusal(ask(`${node}/ext/bc/P`, { method }))).toEqual([405, said])
  })

  test.each([
    ['application/json', 200],
    ['Application/JSON; charset=utf-8', 200],
    ['application/json;', 200],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['', 415],
  ])('content type "%s": %i', async (type, status) => {
    const headers = type === '' ? [] : [['content-type', type] as [string, string]]
    const init = { method: 'POST', headers, body: Buffer.from(call()) }
    const text = status === 200 ? JSON.stringify(VALIDATING) : `rpc: unrecognized Content-Type: ${type}`
    expect(await refusal(ask(`${node}/ext/bc/P`, init))).toEqual([status, text])
  })

  test.each([
    '/',
    '/ext',
    '/ext/bc/P/',
    '/ext/bc/D',
    '/ext/bc/%C3%A9',
    '/ext/bc/2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof',
    '/ext/index/D/block',
    '/ext/index/p/block',
    '/ext/index/P/tx',
    '/ext/index/C/vtx',
    '/ext/index/X',
  ])('%s is not served', async (path) => {
    expect(await refusal(post(node + path, call()))).toEqual([404, '404 page not found\n'])
    expect(await refusal(ask(node + path))).toEqual([404, '404 page not found\n'])
  })

  test('the P-Chain is served by its names and by its id, with a query or without', async () => {
    for (const path of ['P', 'platform', '11111111111111111111111111111111LpoYY', 'P?tag=1']) {
      expect((await post(`${node}/ext/bc/${path}`, call())).body).toEqual(VALIDATING)
    }
  })

  test('admin is served where it is enabled, and nowhere else', async () => {
    const aliases = (url: string) => post(`${url}/ext/admin`, call({ method: 'admin.getLoggerLevel', params: {} }))
    expect((await aliases(node)).status).toBe(200)
    const { status, text, headers } = await aliases(other)
    expect([status, text]).toEqual([404, '404 page not found\n'])
    expect(headers.get('node-id')).toBe(network.nodes[1]!.nodeId)
  })
})

describe('the host that is asked for', () => {
  /** fetch would not send another host than that of the URL. */
  function asking(host: string): Promise<[status: number | undefined, text: string]> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', host }
      const sent = request(`${node}/ext/bc/P`, { method: 'POST', headers }, (answer) => {
        expect(answer.headers['node-id']).toBe(network.nodes[0]!.nodeId)
        text(answer).then((said) => resolve([answer.statusCode, said]), reject)
      })
      sent.on('error', reject)
      sent.end(call())
    })
  }

  test.each(['127.0.0.1', '127.0.0.1:9650', '10.1.2.3:9650', '[::1]:9650', '[fd00::1]', 'localhost', 'localhost:9650'])(
    '%s is answered',
    async (host) => {
      expect(await asking(host)).toEqual([200, JSON.stringify(VALIDATING)])
    },
  )

  test.each(['node-a', 'node-a:9650', 'node-a.monitoring.svc:9650', 'localhost.example', '127.0.0.1.example'])(
    '%s is refused',
    async (host) => {
      expect(await asking(host)).toEqual([403, 'invalid host specified\n'])
    },
  )
})

test('while a node is bootstrapping its chains are refused, its index and admin are not', async () => {
  const own = await networkOfTest()
  const [a, b] = own.nodes.map(({ url }) => url) as [string, string]
  const act = (kind: string) => post(`${own.controlUrl}/actions`, { kind, node: 'node-a' })
  const status = async (path: string, init?: RequestInit) => (await ask(a + path, init)).status
  expect((await act('bootstrap')).status).toBe(200)
  for (const answer of [await post(`${a}/ext/bc/P`, call()), await ask(`${a}/ext/bc/platform`)]) {
    expect([answer.status, answer.text]).toEqual([503, 'API call rejected because chain is not done bootstrapping\n'])
    expect(answer.headers.get('node-id')).toBe(own.nodes[0]!.nodeId)
  }
  expect(await status('/ext/bc/D')).toBe(404)
  expect((await rpc(a, 'index.getLastAccepted', {}, '/ext/index/P/block')).result).toMatchObject({ encoding: 'hex' })
  expect((await rpc(a, 'admin.getChainAliases', { chain: 'P' }, '/ext/admin')).result).toBeDefined()
  expect((await post(`${b}/ext/bc/P`, call())).body).toEqual(VALIDATING)
  await act('bootstrapped')
  expect((await post(`${a}/ext/bc/P`, call())).body).toEqual(VALIDATING)
})

test('a node that starts has its P-Chain and the index of that, and nothing of the others yet', async () => {
  const own = await networkOfTest()
  const { url } = own.nodes[0]!
  const status = async (path: string) => (await post(url + path, call({ method: 'index.getLastAccepted' }))).status
  const paths = [
    '/ext/bc/P',
    '/ext/index/P/block',
    '/ext/index/X/block',
    '/ext/index/C/block',
    '/ext/bc/C',
    '/ext/admin',
  ]
  const statuses = async (kind: string) => {
    expect((await post(`${own.controlUrl}/actions`, { kind, node: 'node-a' })).status).toBe(200)
    return Promise.all(paths.map(status))
  }
  expect(await statuses('start')).toEqual([503, 200, 404, 404, 404, 200])
  expect(await statuses('bootstrap')).toEqual([503, 200, 200, 200, 404, 200])
  expect(await statuses('bootstrapped')).toEqual([200, 200, 200, 200, 404, 200])
})

test('an interface that is disabled is not there, and comes back', async () => {
  const own = await networkOfTest()
  const { url } = own.nodes[0]!
  const status = async (path: string) => (await post(url + path, call({ method: 'index.getLastAccepted' }))).status
  for (const [api, path] of [
    ['index', '/ext/index/P/block'],
    ['admin', '/ext/admin'],
  ]) {
    for (const [kind, expected] of [
      ['disable', 404],
      ['enable', 200],
    ] as const) {
      await post(`${own.controlUrl}/actions`, { kind, node: 'node-a', api })
      expect(await status(path!)).toBe(expected)
    }
  }
})

describe('calls', () => {
  const unread = (what: string) => `json: cannot unmarshal ${what} into Go value of type json2.serverRequest`
  const badParams =
    "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls"
  test.each([
    ['no JSON', '{', null, -32_700, 'parse error: the body is not JSON'],
    ['nothing', '', null, -32_700, 'parse error: the body is not JSON'],
    ['a batch', `[${call()}]`, null, -32_700, unread('array')],
    ['an empty batch', '[]', null, -32_700, unread('array')],
    ['text', '"platform.getHeight"', null, -32_700, unread('string')],
    ['another version', call({ jsonrpc: '1.0' }), 7, -32_600, 'jsonrpc must be 2.0'],
    ['no version', call({ jsonrpc: undefined }), 7, -32_600, 'jsonrpc must be 2.0'],
    ['no method', call({ method: undefined }), 7, -32_000, 'rpc: service/method request ill-formed: ""'],
    [
      'a method without a service',
      call({ method: 'getFoo' }),
      7,
      -32_000,
      'rpc: service/method request ill-formed: "getFoo"',
    ],
    ['an unknown method', call({ method: 'platform.getFoo' }), 7, -32_000, `rpc: can't find method "platform.GetFoo"`],
    [
      'a method in capitals',
      call({ method: 'platform.GetBlock' }),
      7,
      -32_000,
      'method must start with a non-uppercase letter',
    ],
    [
      'a method of another endpoint',
      call({ method: 'admin.loadVMs' }),
      7,
      -32_000,
      `rpc: can't find service "admin.LoadVMs"`,
    ],
    [
      'an operation of the data service',
      call({ method: 'list-utxos' }),
      7,
      -32_000,
      'rpc: service/method request ill-formed: "list-utxos"',
    ],
    [
      'no params where there must be some',
      call({ params: undefined }),
      7,
      -32_000,
      "argument 'blockchainID' not given",
    ],
    ['empty params', call({ params: {} }), 7, -32_000, "argument 'blockchainID' not given"],
    ['an empty argument', call({ params: { blockchainID: '' } }), 7, -32_000, "argument 'blockchainID' not given"],
    [
      'a parameter in other letters, which the document does not know',
      call({ params: { blockchainId: 'X' } }),
      7,
      -32_000,
      "argument 'blockchainID' not given",
    ],
    ['params of another type', call({ params: { blockchainID: 1 } }), 7, -32_000, badParams],
    ['params that are text', call({ params: 'X' }), 7, -32_000, badParams],
    ['two arguments', call({ params: [{ blockchainID: 'X' }, {}] }), 7, -32_000, badParams],
  ])('%s is an error with status 200', async (_, body, id, code, message) => {
    const answer = await post(`${node}/ext/bc/P`, body)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('node-id')).toBe(network.nodes[0]!.nodeId)
    expect(answer.body).toEqual({ jsonrpc: '2.0', error: { code, message, data: null }, id })
  })

  test.each([
    ['an object', call()],
    ['a list of one object', call({ params: [{ blockchainID: 'X' }] })],
    ['an argument too many', call({ params: { blockchainID: 'X', colour: 'red' } })],
  ])('%s is understood', async (_, body) => {
    const answer = await post(`${node}/ext/bc/P`, body)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('node-id')).toBe(network.nodes[0]!.nodeId)
    expect(answer.body).toEqual(VALIDATING)
  })

  test.each([{ params: undefined }, { params: null }, { params: {} }, { params: [{}] }])(
    'a method that needs none takes %j',
    async (params) => {
      const { body } = await post(`${node}/ext/bc/P`, call({ method: 'platform.getCurrentSupply', ...params }))
      expect(body).toEqual({ jsonrpc: '2.0', result: { supply: expect.any(String) }, id: 7 })
    },
  )

  test.each(['seven', 0, 1.5, ''])('an id %j is given back', async (id) => {
    expect((await post(`${node}/ext/bc/P`, call({ id }))).body).toEqual({ ...VALIDATING, id })
  })

  test.each([
    ['a call', call({ id: undefined })],
    ['a call whose id is null', call({ id: null })],
    ['an unknown method', call({ id: undefined, method: 'platform.getFoo' })],
    ['another version', call({ id: undefined, jsonrpc: '1.0' })],
  ])('%s without an id gets no answer', async (_, body) => {
    const { status, text, headers } = await post(`${node}/ext/bc/P`, body)
    expect([status, text, headers.get('node-id')]).toEqual([200, '', network.nodes[0]!.nodeId])
  })

  test('what has no id is done all the same', async () => {
    const alias = { method: 'admin.aliasChain', params: { chain: 'C', alias: 'contracts' } }
    expect((await post(`${node}/ext/admin`, call({ id: undefined, ...alias }))).text).toBe('')
    expect((await rpc(node, 'admin.getChainAliases', { chain: 'C' }, '/ext/admin')).result).toEqual({
      aliases: ['C', 'evm', 'contracts'],
    })
  })
})

const live = await networkOfFile({ dialect: 'live', speed: 0 })
describe('calls of a live node', () => {
  const url = `${live.nodes[0]!.url}/ext/bc/P`

  const unread = { jsonrpc: '', method: '', params: null, id: null }
  test.each([
    ['white space', ' \n', 'EOF'],
    ['half a literal', 'tru', 'unexpected EOF'],
    ['a sign', '<html>', "invalid character '<' looking for beginning of value"],
    ['half a call', '{"jsonrpc":', 'unexpected EOF'],
    ['true', 'true', 'json: cannot unmarshal bool into Go value of type json2.serverRequest'],
  ])('unread %s is reported with what was read', async (_, body, message) => {
    expect((await post(url, body)).body).toEqual({
      jsonrpc: '2.0',
      error: { code: -32_700, message, data: unread },
      id: null,
    })
  })

  test.each([
    ['a list of one object', [{ blockchainID: 'X' }], undefined],
    ['more than one, of which it takes the first', [{ blockchainID: 'X' }, { blockchainID: 'P' }], undefined],
    ['other letters', { BLOCKCHAINid: 'X' }, undefined],
    ['an empty list', [], "argument 'blockchainID' not given"],
    ['null', { blockchainID: null }, "argument 'blockchainID' not given"],
    ['a number', { blockchainID: 1 }, expect.stringMatching(/^couldn't unmarshal an argument/)],
    ['a list of texts', ['X'], expect.stringMatching(/^couldn't unmarshal an argument/)],
  ])('takes params that are %s', async (_, params, message) => {
    const { body } = await post(url, call({ params }))
    expect(body).toEqual(
      message === undefined
        ? VALIDATING
        : { ...VALIDATING, result: undefined, error: { code: -32_000, message: message as string, data: null } },
    )
  })

  test('the empty subnet id is the primary network, and no node ids are all', async () => {
    const ask = async (params: object) =>
      ((await post(url, call({ method: 'platform.getCurrentValidators', params }))).body as { result: object }).result
    expect(await ask({ subnetID: null, nodeIDs: null })).toEqual(await ask({}))
    expect(await ask({ nodeIDs: ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'] })).toEqual({ validators: [] })
  })
})
