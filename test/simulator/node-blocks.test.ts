// P-Chain blocks and the list of blockchains as a node gives them (document 2, P-Chain interface), on the wire.

import { describe, expect, test } from 'vitest'
import { networkOfFile, networkOfTest, post, rpc } from './network.ts'

type Dialect = 'document' | 'live'
const networks = { document: await networkOfFile(), live: await networkOfFile({ dialect: 'live' }) }

const asked = (dialect: Dialect, method: string, params: object, node = 0) =>
  rpc(networks[dialect].nodes[node]!.url, `platform.${method}`, params)
const P = '11111111111111111111111111111111LpoYY'

interface Content {
  parentID: string
  height: number
  txs?: Transaction[] | null
  tx?: Transaction
  id?: string
  time?: number
}
interface Transaction {
  unsignedTx: Record<string, unknown> & { inputs: unknown }
  credentials: { signatures: string[] }[]
  id?: string
}

describe('content', () => {
  const contentOf = async (dialect: Dialect, height: number) => {
    const { result } = await asked(dialect, 'getBlockByHeight', { height, encoding: 'json' })
    expect(result!['encoding']).toBe('json')
    return result!['block'] as Content
  }
  /** The height of a block of a kind that is not the first one. */
  const heightOf = (isIt: (type: string, transactions: number) => boolean) => {
    const { P } = networks.document.world.chains
    const heights = Array.from({ length: P.head() - 1 }, (_, at) => at + 1)
    return heights.find((height) => isIt(P.block(height)!.type, P.block(height)!.transactions.length))!
  }
  const SIGNATURE = expect.stringMatching(/^0x[0-9a-f]{130}$/) as string
  const coin = { assetID: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK', fxID: expect.any(String) as string }

  test('is what the ledger knows of the transactions, in the form of the document', async () => {
    const height = heightOf((type, count) => type === 'BanffStandardBlock' && count > 0)
    const { ledger, chains } = networks.document.world
    const { parentHash, transactions } = chains.P.block(height)!
    const { consumed, emitted } = ledger.find(transactions[0]!)!
    const content = await contentOf('document', height)
    expect(content).toEqual({ parentID: parentHash, height, txs: expect.any(Array) as unknown })
    expect(content.txs).toHaveLength(transactions.length)
    const [spent, made] = [consumed[0]!, emitted[0]!]
    expect(content.txs![0]).toEqual({
      unsignedTx: {
        inputs: {
          networkID: 5,
          blockchainID: P,
          outputs: [
            {
              ...coin,
              output: { addresses: [`P-${made.owner}`], amount: Number(made.amount), locktime: 0, threshold: 1 },
            },
          ],
          inputs: [
            {
              ...coin,
              txID: spent.txId,
              outputIndex: spent.index,
              input: { amount: Number(spent.amount), signatureIndices: [0] },
            },
          ],
          memo: '0x',
        },
      },
      credentials: [{ signatures: [SIGNATURE] }],
    })
  })

  test('has amounts to the last digit', async () => {
    const height = heightOf((type, count) => type === 'BanffStandardBlock' && count > 0)
    const { ledger, chains } = networks.document.world
    const { amount } = ledger.find(chains.P.block(height)!.transactions[0]!)!.consumed[0]!
    const params = { height, encoding: 'json' }
    const body = { jsonrpc: '2.0', id: 1, method: 'platform.getBlockByHeight', params }
    const { text } = await post(`${networks.document.nodes[0]!.url}/ext/bc/P`, body)
    expect(text).toContain(`"input":{"amount":${amount},`)
    expect(amount).toBeGreaterThan(Number.MAX_SAFE_INTEGER)
  })

  test('lists what leaves the chain, and where to', async () => {
    const own = await networkOfTest()
    const { ledger, chains } = own.world
    const owner = 'fuji1owner'
    const [funds] = ledger.genesis('P', { type: 'test', consumed: [], outputs: [{ owner, amount: 9n }] }).emitted
    const height = chains.P.head() + 1
    ledger.submit('P', () => ({
      type: 'ExportTx',
      consumed: [funds!],
      outputs: [
        { owner, amount: 5n, destination: 'C' },
        { owner, amount: 3n },
      ],
      facts: { memo: 'hi' },
    }))
    own.world.advance(chains.P.due())
    const { result } = await rpc(own.nodes[0]!.url, 'platform.getBlockByHeight', { height, encoding: 'json' })
    const { unsignedTx } = (result!['block'] as Content).txs!.at(-1)!
    const output = { addresses: [`C-${owner}`], amount: 5, locktime: 0, threshold: 1 }
    expect(unsignedTx).toMatchObject({
      inputs: { outputs: [{ output: { addresses: [`P-${owner}`], amount: 3 } }], memo: '0x6869' },
      destinationChain: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
      exportedOutputs: [{ ...coin, output }],
    })
  })
})
