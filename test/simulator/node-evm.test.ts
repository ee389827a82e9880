// The interface that a chain with an EVM has on a node: where it is served, what it answers, and how it refuses. All words are
// those that were recorded from AvalancheGo 1.14.2, and Ethereum's for calls without a recording.

import { describe, expect, test } from 'vitest'
import { ask, EPOCH, networkOfFile, post } from './network.ts'

const network = await networkOfFile({ dialect: 'live', speed: 0 })
const node = network.nodes[0]!.url

const C = '/ext/bc/C/rpc'
const call = (method: string, params: unknown = [], id: unknown = 7) => ({ jsonrpc: '2.0', id, method, params })
const resultOf = async (method: string, params: unknown = [], path = C) =>
  ((await post(node + path, call(method, params))).body as { result: unknown }).result
const order = (what: object) => post(`${network.controlUrl}/actions`, what)

test('the head, its fee and the next one, and the number of the chain', async () => {
  const evm = network.world.evm[0]!
  const head = evm.block(evm.head())!
  const hex = (value: number | bigint) => `0x${value.toString(16)}`
  expect(await resultOf('eth_blockNumber')).toBe(hex(head.number))
  expect(await resultOf('eth_getBlockByNumber', ['latest', false])).toMatchObject({
    number: hex(head.number),
    hash: head.hash,
    parentHash: head.parentHash,
    timestamp: hex(head.time),
    timestampMilliseconds: hex(head.time * 1_000),
    gasLimit: hex(head.gasLimit),
    gasUsed: hex(head.gasUsed),
    baseFeePerGas: hex(head.baseFee),
  })
  expect(head.time).toBeLessThanOrEqual(EPOCH)
  expect(await resultOf('eth_getBlockByNumber', ['earliest', false])).toMatchObject({ number: '0x0' })
  expect(await resultOf('eth_getBlockByNumber', ['0x1', false])).toMatchObject({ number: '0x1' })
  expect(await resultOf('eth_chainId')).toBe('0xa869')
  expect(await resultOf('eth_syncing')).toBe(false)
  expect(await resultOf('eth_baseFee')).toMatch(/^0x[1-9a-f][\da-f]*$/)
})

test('a chain of an L1 is served by the nodes that run it, from the moment they run it', async () => {
  const { blockchainId, name, evmChainId } = network.world.l1s.all.find(
    ({ followers, blockchainId: id }) =>
      !followers.has(network.nodes[0]!.nodeId) && network.world.evm.some((one) => one.blockchainId === id),
  )!
  const path = `/ext/bc/${blockchainId}/rpc`
  const answer = () => post(node + path, call('eth_chainId'))
  expect(await answer()).toMatchObject({ status: 404, text: '404 page not found\n' })
  expect((await order({ kind: 'follow', subnet: name, nodeId: network.nodes[0]!.nodeId })).status).toBe(200)
  expect((await answer()).body).toMatchObject({ result: `0x${evmChainId.toString(16)}` })
  const block = await resultOf('eth_getBlockByNumber', ['latest', false], path)
  expect(Object.keys(block as object)).not.toContain('extDataHash')
})

test.each([
  ['/ext/bc/nonsense/rpc', 404],
  ['/ext/bc/X/rpc', 404],
  ['/ext/bc/P/rpc', 404],
  ['/ext/bc/C', 404],
  ['/ext/bc/C/rpc/', 404],
  [C, 200],
])('%s: %i', async (path, status) => {
  expect((await post(node + path, call('eth_chainId'))).status).toBe(status)
})

test('a node that starts does not have the chain, then has it and rejects calls', async () => {
  const other = network.nodes[1]!
  const answer = () => post(other.url + C, call('eth_chainId'))
  await order({ kind: 'start', node: other.name })
  expect(await answer()).toMatchObject({ status: 404, text: '404 page not found\n' })
  await order({ kind: 'bootstrap', node: other.name })
  expect(await answer()).toMatchObject({
    status: 503,
    text: 'API call rejected because chain is not done bootstrapping\n',
  })
  await order({ kind: 'bootstrapped', node: other.name })
  expect((await answer()).status).toBe(200)
})

test('a chain whose process has died says so until the node restarts', async () => {
  const other = network.nodes[1]!
  const answer = async (path: string) => (await post(other.url + path, call('eth_chainId'))).status
  const { blockchainId } = network.world.evm[0]!
  await order({ kind: 'kill-chain', node: other.name, blockchainId })
  expect(await post(other.url + C, call('eth_chainId'))).toMatchObject({
    status: 500,
    text: 'rpc error: code = Canceled desc = grpc: the client connection is closing\n',
  })
  expect(await answer('/ext/info')).toBe(200)
  await order({ kind: 'revive-chain', node: other.name, blockchainId })
  expect(await answer(C)).toBe(200)
})

describe('what is refused', () => {
  const failed = (code: number, message: string, id: unknown = 7) => ({ jsonrpc: '2.0', id, error: { code, message } })

  test.each<[string, unknown, unknown]>([
    [
      'an unknown method',
      call('eth_nonsense'),
      failed(-32_601, 'the method eth_nonsense does not exist/is not available'),
    ],
    [
      'a method of the node',
      call('platform.getHeight'),
      failed(-32_601, 'the method platform.getHeight does not exist/is not available'),
    ],
    ['no JSON', '{"x', failed(-32_700, 'parse error', null)],
    ['no call', { id: 7 }, failed(-32_600, 'invalid request', null)],
    ['parameters by name', call('eth_blockNumber', {}), failed(-32_602, 'non-array args')],
    [
      'a parameter too many',
      call('eth_blockNumber', ['latest']),
      failed(-32_602, 'too many arguments, want at most 0'),
    ],
    [
      'a parameter too few',
      call('eth_getBlockByNumber', ['latest']),
      failed(-32_602, 'missing value for required argument 1'),
    ],
    [
      'no height',
      call('eth_getBlockByNumber', ['x', false]),
      failed(-32_602, 'invalid argument 0: hex string without 0x prefix'),
    ],
    [
      'a number for a text',
      call('eth_getBlockByNumber', [1, false]),
      failed(-32_602, 'invalid argument 0: cannot unmarshal number'),
    ],
    [
      'a block that is to come',
      call('eth_getBlockByNumber', ['0xffffff', false]),
      failed(-32_000, 'cannot query unfinalized data'),
    ],
  ])('%s', async (_, body, expected) => {
    const answer = await post(node + C, body)
    expect([answer.status, answer.body]).toEqual([200, expected])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('node-id')).toBe(network.nodes[0]!.nodeId)
  })

  test('several calls at once are answered one by one, and parameters of null are none', async () => {
    const { body } = await post(node + C, [call('eth_syncing', null, 1), call('eth_nonsense', [], 'b')])
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: false },
      failed(-32_601, 'the method eth_nonsense does not exist/is not available', 'b'),
    ])
  })

  test.each([
    ['GET', 'application/json', 200, ''],
    ['PUT', 'application/json', 405, 'method not allowed\n'],
    ['POST', 'text/plain', 415, 'invalid content type, only application/json is supported\n'],
  ])('%s with %s: %i', async (method, type, status, text) => {
    const body = method === 'GET' ? null : JSON.stringify(call('eth_syncing'))
    expect(await ask(node + C, { method, headers: { 'content-type': type }, body })).toMatchObject({ status, text })
  })
})
