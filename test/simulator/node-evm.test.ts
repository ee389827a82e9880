// The interface that a chain with an EVM has on a node: where it is served, what it answers, and how it refuses. All words are
// those that were recorded from AvalancheGo 1.14.2, and Ethereum's for calls without a recording.

import { describe, expect, test } from 'vitest'
import { ask, networkOfFile, post } from './network.ts'

const network = await networkOfFile({ dialect: 'live', speed: 0 })
const node = network.nodes[0]!.url

const C = '/ext/bc/C/rpc'
const call = (method: string, params: unknown = [], id: unknown = 7) => ({ jsonrpc: '2.0', id, method, params })
const resultOf = async (method: string, params: unknown = [], path = C) =>
  ((await post(node + path, call(method, params))).body as { result: unknown }).result
const order = (what: object) => post(`${network.controlUrl}/actions`, what)

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

describe('what is refused', () => {
  const failed = (code: number, message: string, id: unknown = 7) => ({ jsonrpc: '2.0', id, error: { code, message } })

  test.each<[string, unknown, unknown]>([
    [
      'a method of the node',
      call('platform.getHeight'),
      failed(-32_601, 'the method platform.getHeight does not exist/is not available'),
    ],
    ['no call', { id: 7 }, failed(-32_600, 'invalid request', null)],
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
      'a number for a text',
      call('eth_getBlockByNumber', [1, false]),
      failed(-32_602, 'invalid argument 0: cannot unmarshal number'),
    ],
  ])('%s', async (_, body, expected) => {
    const answer = await post(node + C, body)
    expect([answer.status, answer.body]).toEqual([200, expected])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('node-id')).toBe(network.nodes[0]!.nodeId)
  })

  test('what is neither asked nor posted', async () => {
    const body = JSON.stringify(call('eth_syncing'))
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(node + C, { method: 'PUT', headers, body })
    expect([answer.status, answer.text]).toEqual([405, 'method not allowed\n'])
  })
})
