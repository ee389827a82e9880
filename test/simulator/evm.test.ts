// Operations on EVM chains over HTTP: transfers of tokens, transactions of a block, balances.

import { describe, expect, test } from 'vitest'
import { networkOfFile } from './network.ts'

const network = await networkOfFile({ speed: 0 })

const get = (path: string, from = network) => from.askLater(path)
const chain = (at = 0) => network.world.evm[at]!
const wallets = () => network.world.evmWallets

interface Transactions<T> {
  nextPageToken?: string
  transactions: T[]
}

describe('list transactions for an EVM block (document 1, operation 11)', () => {
  interface Transaction {
    txHash: string
    method: { callType: string }
    gasUsed: string
    gasPrice: string
  }
  const path = (block: number | string, id: number | string = 43_113) => `/v1/chains/${id}/blocks/${block}/transactions`
  /** The newest block with at least that many transactions. */
  const full = (count: number) => {
    let number = chain().head()
    while (chain().block(number)!.txCount < count) number -= 1
    return number
  }
  const read = async (url: string, from = network) => (await get(url, from)).body as Transactions<Transaction>

  test('gives all at first, in the form of the document', async () => {
    const number = full(40)
    const block = chain().block(number)!
    const { transactions, ...rest } = await read(path(number))
    expect(rest).toEqual({})
    expect(transactions).toHaveLength(block.txCount)
    for (const [at, one] of transactions.entries()) {
      expect(one).toEqual({
        blockNumber: String(number),
        blockTimestamp: block.time,
        blockHash: block.hash,
        chainId: '43113',
        blockIndex: at,
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        txStatus: expect.stringMatching(/^[01]$/),
        txType: 2,
        gasLimit: expect.stringMatching(/^\d+$/),
        gasUsed: expect.stringMatching(/^\d+$/),
        gasPrice: expect.stringMatching(/^\d+$/),
        nonce: expect.stringMatching(/^\d+$/),
        from: { address: expect.stringMatching(/^0x[0-9a-f]{40}$/) },
        to: expect.objectContaining({ address: expect.stringMatching(/^0x[0-9a-f]{40}$/) }),
        method: {
          callType: expect.stringMatching(/^(NATIVE_TRANSFER|CONTRACT_CALL|CONTRACT_CREATION)$/),
          methodHash: expect.stringMatching(one.method.callType === 'CONTRACT_CALL' ? /^0x[0-9a-f]{8}$/ : /^$/),
          methodName: expect.any(String),
        },
        value: expect.stringMatching(/^\d+$/),
      })
    }
  })

  test.each([
    ['an unknown chain', () => path(1, 1), 404],
    ['a block still to come', () => path(chain().head() + 1), 404],
    ['a hash of no block', () => path(`0x${'0'.repeat(64)}`), 404],
  ])('%s is refused', async (_, url, status) => {
    expect((await get(url())).body).toMatchObject({ statusCode: status })
  })
})

describe('list ERC-20 transfers (document 1, operation 8)', () => {
  interface Transfer {
    blockNumber: string
    txHash: string
    logIndex: number
    from: { address: string }
    to: { address: string }
    erc20Token: { symbol: string; price?: object }
  }
  const path = (address: string, id: number | string = 43_113) =>
    `/v1/chains/${id}/addresses/${address}/transactions:listErc20?`

  test('gives ten at first, newest first, in the form of the document', async () => {
    const { body } = await get(path(wallets().treasury))
    const { transactions, nextPageToken } = body as Transactions<Transfer>
    expect(transactions).toHaveLength(10)
    expect(nextPageToken).toEqual(expect.any(String))
    const numbers = transactions.map(({ blockNumber }) => Number(blockNumber))
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
    const price = { currencyCode: 'usd', value: expect.stringMatching(/^\d+(\.\d+)?$/) }
    // The third has no price.
    const prices: Record<string, object> = { FUSD: { price }, APPLE: { price } }
    for (const one of transactions) {
      const block = chain().block(Number(one.blockNumber))!
      expect(one).toEqual({
        blockNumber: String(block.number),
        blockTimestamp: block.time,
        blockHash: block.hash,
        txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        from: { address: one.from.address },
        to: { address: one.to.address },
        logIndex: expect.any(Number),
        value: expect.stringMatching(/^\d+$/),
        erc20Token: {
          address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
          name: expect.any(String),
          symbol: expect.stringMatching(/^(FUSD|APPLE|CLAIM\{)$/),
          decimals: expect.any(Number),
          logoUri: expect.any(String),
          ercType: 'ERC-20',
          ...prices[one.erc20Token.symbol],
        },
      })
    }
    expect(new Set(transactions.map(({ erc20Token }) => erc20Token.symbol)).size).toBe(3)
  })

  test('from a block on, and before a block', async () => {
    const read = async (query = '') => {
      const { body } = await get(`${path(wallets().payroll)}pageSize=100&${query}`)
      return (body as Transactions<Transfer>).transactions
    }
    const all = await read()
    const [newest, oldest] = [all[3]!, all[10]!].map(({ blockNumber }) => Number(blockNumber))
    const within = (from: number, to: number) =>
      all.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) < to)
    expect(await read(`startBlock=${oldest}`)).toEqual(within(oldest!, Infinity))
    expect(await read(`endBlock=${newest}`)).toEqual(within(0, newest!))
    expect(await read(`startBlock=${oldest}&endBlock=${newest}`)).toEqual(within(oldest!, newest!))
    expect(within(oldest!, newest!).length).toBeGreaterThan(3)
    expect(await read(`startBlock=${newest}&endBlock=${oldest}`)).toEqual([])
    expect(await read('startBlock=99999999')).toEqual([])
    expect(await read('endBlock=99999999')).toEqual(all)
  })
})

describe('get native token balance (document 1, operation 13)', () => {
  interface Balance {
    nativeTokenBalance: {
      balance: string
      price?: { currencyCode: string; value: string | number }
      balanceValue?: { currencyCode: string; value: string | number }
    }
  }
  const path = (address: string, id: number | string = 43_113) =>
    `/v1/chains/${id}/addresses/${address}/balances:getNative`
  const read = async (url: string, from = network) => ((await get(url, from)).body as Balance).nativeTokenBalance

  test('is as of the newest block, in the form of the document', async () => {
    const balance = chain().balance(wallets().treasury, chain().head())
    const found = await read(path(wallets().treasury))
    expect(found).toEqual({
      name: 'Avalanche',
      symbol: 'AVAX',
      decimals: 18,
      logoUri: expect.any(String),
      chainId: '43113',
      balance: String(balance),
      price: { currencyCode: 'usd', value: expect.stringMatching(/^\d+(\.\d+)?$/) },
      balanceValue: { currencyCode: 'usd', value: expect.stringMatching(/^\d+(\.\d+)?$/) },
    })
    const tokens = Number(balance / 10n ** 9n) / 1e9
    expect(Number(found.balanceValue!.value)).toBeCloseTo(tokens * Number(found.price!.value), 1)
  })

  test("a chain's own token without a price has neither price nor value", async () => {
    const found = await read(path(wallets().treasury, 43_214))
    expect(found).toMatchObject({ name: 'orchard', symbol: 'ORCH', chainId: '43214' })
    expect(found).not.toHaveProperty('price')
    expect(found).not.toHaveProperty('balanceValue')
  })

  test.each([
    ['an unknown chain', () => path(wallets().treasury, 1), 404],
    ['a block still to come', () => `${path(wallets().treasury)}?blockNumber=${chain().head() + 1}`, 404],
  ])('%s is refused', async (_, url, status) => {
    expect((await get(url())).body).toMatchObject({ statusCode: status })
  })

  test('of an unused address is 0', async () => {
    expect(await read(path(`0x${'12'.repeat(20)}`))).toMatchObject({ balance: '0', balanceValue: { value: '0' } })
  })

  test('is that of the block that is asked for', async () => {
    const { relayer } = wallets()
    const at = async (block: number) => (await read(`${path(relayer, 43_214)}?blockNumber=${block}`)).balance
    const blocks = [1, chain(1).head() - 100, chain(1).head()]
    const expected = blocks.map((block) => String(chain(1).balance(relayer, block)))
    expect(await Promise.all(blocks.map(at))).toEqual(expected)
    expect(new Set(expected).size).toBe(3)
  })
})
