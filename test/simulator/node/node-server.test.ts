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
