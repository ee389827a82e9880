// The interface that a chain with an EVM has on a node: where it is served, what it answers, and how it refuses. All words are
// those that were recorded from AvalancheGo 1.14.2, and Ethereum's for calls without a recording.

import { expect, test } from 'vitest'
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

test('what is no call is refused, without its id', async () => {
  const error = { code: -32_600, message: 'invalid request' }
  expect((await post(node + C, { id: 7 })).body).toEqual({ jsonrpc: '2.0', id: null, error })
})

test('what is neither asked nor posted is refused', async () => {
  const body = JSON.stringify(call('eth_syncing'))
  const answer = await ask(node + C, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  expect([answer.status, answer.text]).toEqual([405, 'method not allowed\n'])
})
