// P-Chain blocks and the list of blockchains as a node gives them (document 2, P-Chain interface), on the wire.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ask, networkOfFile, networkOfTest, post, rpc } from './network.ts'

type Dialect = 'document' | 'live'
const networks = { document: await networkOfFile(), live: await networkOfFile({ dialect: 'live' }) }

const asked = (dialect: Dialect, method: string, params: object, node = 0) =>
  rpc(networks[dialect].nodes[node]!.url, `platform.${method}`, params)
const failing = (message: string) => ({ error: { code: -32_000, message, data: null } })
const P = '11111111111111111111111111111111LpoYY'

describe('bytes', () => {
  test('are as many as the data service says, the same by height and by id, on both nodes and in the index', async () => {
    const { hash, size } = networks.document.world.chains.P.block(42)!
    const { result } = await asked('document', 'getBlockByHeight', { height: 42 })
    const bytes = result!['block'] as string
    expect(result).toEqual({ block: bytes, encoding: 'hex' })
    expect(bytes).toMatch(new RegExp(`^0x([0-9a-f]{2}){${size}}$`))
    const { body } = await ask(`${networks.document.dataUrl}/v1/networks/fuji/blockchains/p-chain/blocks/42`)
    expect(body).toMatchObject({ blockHash: hash, blockSizeBytes: size })
    for (const node of [0, 1]) {
      expect((await asked('document', 'getBlock', { blockID: hash, encoding: 'hex' }, node)).result).toEqual(result)
    }
    const { url } = networks.document.nodes[0]!
    const container = await rpc(url, 'index.getContainerByID', { id: hash }, '/ext/index/P/block')
    expect(container.result).toMatchObject({ bytes })
  })

  test('have a checksum at the end on live nodes', async () => {
    const [document, live] = await Promise.all(
      (['document', 'live'] as const).map(async (dialect) => {
        const { result } = await asked(dialect, 'getBlockByHeight', { height: '42', encoding: 'hex' })
        return result!['block'] as string
      }),
    )
    expect(live!.slice(0, -8)).toBe(document)
    const digest = createHash('sha256')
      .update(Buffer.from(document!.slice(2), 'hex'))
      .digest('hex')
    expect(live!.slice(-8)).toBe(digest.slice(56))
  })

  test('the first block has them too', async () => {
    const { hash } = networks.document.world.chains.P.block(0)!
    const { result } = await asked('document', 'getBlockByHeight', { height: 0 })
    expect((await asked('document', 'getBlock', { blockID: hash })).result).toEqual(result)
  })
})

describe('what is not there', () => {
  const next = () => networks.document.world.chains.P.head() + 1
  test.each(['document', 'live'] as const)('%s', async (dialect) => {
    const id = networks.document.world.chains.X.block(3)!.hash
    expect(await asked(dialect, 'getBlockByHeight', { height: next() })).toMatchObject(
      failing(`couldn't get block at height ${next()}: not found`),
    )
    const most = '18446744073709551615'
    expect(await asked(dialect, 'getBlockByHeight', { height: most })).toMatchObject(
      failing(`couldn't get block at height ${most}: not found`),
    )
    for (const blockID of [id, '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5']) {
      expect(await asked(dialect, 'getBlock', { blockID })).toMatchObject(
        failing(`couldn't get block with id ${blockID}: not found`),
      )
    }
  })
})

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

  test('of a live node has id and time, and its inputs are a list', async () => {
    const height = heightOf((type, count) => type === 'BanffStandardBlock' && count > 0)
    const { hash, parentHash, time, transactions } = networks.live.world.chains.P.block(height)!
    const [content, document] = [await contentOf('live', height), await contentOf('document', height)]
    expect(content).toEqual({ id: hash, time, parentID: parentHash, height, txs: expect.any(Array) as unknown })
    expect(content.txs!.map(({ id }) => id)).toEqual(transactions)
    const [live, documented] = [content.txs![0]!, document.txs![0]!]
    expect(live.unsignedTx).toEqual(documented.unsignedTx.inputs)
    expect(live.credentials).toEqual(documented.credentials)
  })

  test('of a proposal keeps what it is about by itself on live nodes, of a decision has no list', async () => {
    const [one, more] = [1, 2].map((count) =>
      heightOf((type, transactions) => type === 'BanffProposalBlock' && transactions === count),
    ) as [number, number]
    expect(await contentOf('live', one)).toMatchObject({ txs: [], tx: { id: expect.any(String) as string } })
    const { tx, txs } = await contentOf('live', more)
    expect([tx!.id, ...txs!.map(({ id }) => id)]).toEqual(networks.live.world.chains.P.block(more)!.transactions)
    const decision = heightOf((type, count) => type === 'BanffCommitBlock' && count === 0)
    expect(Object.keys(await contentOf('live', decision))).not.toContain('txs')
    expect(await contentOf('document', decision)).toMatchObject({ txs: [] })
  })

  test('of the first block on live nodes is its id, its height and what came before it', async () => {
    const { hash, parentHash } = networks.live.world.chains.P.block(0)!
    expect(await contentOf('live', 0)).toEqual({ parentID: parentHash, height: 0, id: hash })
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

  test('links each block to the one before', async () => {
    for (const height of [1, 2, 3]) {
      const { parentID } = await contentOf('document', height)
      const { result } = await asked('document', 'getBlock', { blockID: parentID, encoding: 'json' })
      expect(result).toMatchObject({ block: { height: height - 1 } })
    }
  })
})

test('platform.getBlockchains lists every chain but the P-Chain, with its subnet', async () => {
  const { result } = await asked('document', 'getBlockchains', {})
  const { l1s } = networks.document.world
  const vmID = expect.any(String) as string
  expect(result).toEqual({
    blockchains: [
      { id: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm', name: 'X-Chain', subnetID: P, vmID },
      { id: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp', name: 'C-Chain', subnetID: P, vmID },
      ...l1s.all.map(({ blockchainId, name, subnetId }) => ({ id: blockchainId, name, subnetID: subnetId, vmID })),
    ],
  })
  expect(l1s.all.length).toBeGreaterThan(0)
  // The data service knows the same virtual machines (document 1, operation 16).
  for (const { id, vmID: vmId } of result!['blockchains'] as { id: string; vmID: string }[]) {
    const { body } = await ask(`${networks.document.dataUrl}/v1/networks/fuji/blockchains/${id}`)
    expect(body).toMatchObject({ vmId })
  }
})
