// The transport of live nodes (document 2, JSON-RPC envelope), on the wire.

import { describe, expect, test } from 'vitest'
import { networkOfFile, post, rpc } from '../network.ts'

const network = await networkOfFile()
const node = network.nodes[0]!.url

const call = (change: object = {}) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'platform.getBlockchainStatus',
    params: { blockchainID: 'X' },
    ...change,
  })

describe('calls', () => {
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

const unread = { jsonrpc: '', method: '', params: null, id: null }
const live = await networkOfFile({ dialect: 'live', speed: 0 })

test.each([
  ['white space', ' \n', 'EOF'],
  ['half a literal', 'tru', 'unexpected EOF'],
  ['a sign', '<html>', "invalid character '<' looking for beginning of value"],
  ['half a call', '{"jsonrpc":', 'unexpected EOF'],
  ['true', 'true', 'json: cannot unmarshal bool into Go value of type json2.serverRequest'],
  ['a text', '"platform.getHeight"', 'json: cannot unmarshal string into Go value of type json2.serverRequest'],
])('a live node reports unread %s with what was read', async (_, body, message) => {
  const error = { code: -32_700, message, data: unread }
  expect((await post(`${live.nodes[0]!.url}/ext/bc/P`, body)).body).toEqual({ jsonrpc: '2.0', error, id: null })
})

test.each([
  ['what was unread', '{', null, -32_700, 'parse error: the body is not JSON'],
  ['a missing argument', call({ params: undefined }), 7, -32_000, "argument 'blockchainID' not given"],
])('by the documents %s is an error without data', async (_, body, id, code, message) => {
  const answer = await post(`${node}/ext/bc/P`, body)
  expect(answer.body).toEqual({ jsonrpc: '2.0', error: { code, message, data: null }, id })
})
