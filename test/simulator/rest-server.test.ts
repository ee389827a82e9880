// The data service's transport, its error bodies and its page tokens (document 1), on the wire.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, startNetwork } from './network.ts'

let network: Awaited<ReturnType<typeof startNetwork>>
beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network.stop())

const BLOCKS = '/v1/networks/fuji/blockchains/p-chain/blocks'
const get = (path: string, init?: RequestInit) => ask(network.dataUrl + path, init)

interface Page {
  nextPageToken?: string
  blocks: { blockNumber: string; blockTimestamp: number }[]
}
async function page(query: string, path: string = BLOCKS): Promise<Page> {
  const { status, body } = await get(`${path}?${query}`)
  expect(status).toBe(200)
  return body as Page
}
const heights = ({ blocks }: Page) => blocks.map(({ blockNumber }) => Number(blockNumber))

async function pageByPage(query: string): Promise<Page['blocks']> {
  const found: Page['blocks'] = []
  for (let token: string | undefined = ''; token !== undefined;) {
    const { blocks, nextPageToken } = await page(`${query}${token && `&pageToken=${token}`}`)
    found.push(...blocks)
    token = nextPageToken
  }
  return found
}

describe('errors (document 1, Errors)', () => {
  const BAD = { statusCode: 400, error: 'Bad Request', message: expect.any(String) }
  const NOT_FOUND = { statusCode: 404, error: 'Not Found', message: expect.any(String) }
  test.each([
    ['a page size of 0', `${BLOCKS}?pageSize=0`, BAD],
    ['a page size of 101', `${BLOCKS}?pageSize=101`, BAD],
    ['a page size that is no number', `${BLOCKS}?pageSize=ten`, BAD],
    ['a page size that is not whole', `${BLOCKS}?pageSize=1.5`, BAD],
    ['two page sizes', `${BLOCKS}?pageSize=1&pageSize=2`, BAD],
    ['a negative timestamp', `${BLOCKS}?startTimestamp=-1`, BAD],
    ['an unknown network', '/v1/networks/devnet/blockchains/p-chain/blocks', BAD],
    ['an unknown chain', '/v1/networks/fuji/blockchains/d-chain/blocks', BAD],
    ['a page token that nobody gave', `${BLOCKS}?pageToken=abc`, BAD],
    ['a height still to come', `${BLOCKS}/999999`, NOT_FOUND],
    ['a hash of no block', `${BLOCKS}/2NNkpYTGfTFLSGXJcHtVv6drwVU2cczhmjK2uhvwDyxwsjzZMm`, NOT_FOUND],
    ['another network', '/v1/networks/mainnet/blockchains/p-chain/blocks', NOT_FOUND],
    ['another path', '/v1/networks', NOT_FOUND],
    ['a path too long', `${BLOCKS}/1/2`, NOT_FOUND],
    ['another version', BLOCKS.replace('v1', 'v2'), NOT_FOUND],
  ])('%s', async (_, path, body) => {
    const answer = await get(path)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect([answer.status, answer.body]).toEqual([body.statusCode, body])
  })

  test('a path that cannot be decoded', async () => {
    expect((await get('/v1/networks/%zz/blockchains/p-chain/blocks')).body).toMatchObject(BAD)
  })

  test('another method', async () => {
    expect((await get(BLOCKS, { method: 'POST' })).body).toEqual(NOT_FOUND)
  })
})

describe('list latest primary network blocks', () => {
  test('gives ten at first, newest first, with the chain they are of', async () => {
    const { body } = await get(BLOCKS)
    const head = network.world.chains.P.head()
    expect(heights(body as Page)).toEqual(Array.from({ length: 10 }, (_, at) => head - at))
    expect(body).toMatchObject({
      chainInfo: { chainName: 'p-chain', network: 'fuji' },
      nextPageToken: expect.any(String),
    })
  })

  test('goes by the times given', async () => {
    const chain = network.world.chains.P
    const [from, to] = [chain.block(20)!.time, chain.block(30)!.time]
    const query = `pageSize=100&startTimestamp=${from}&endTimestamp=${to}`
    const found = await page(query)
    expect(heights(found)).toEqual(Array.from({ length: 11 }, (_, at) => 30 - at))
    expect(found).not.toHaveProperty('nextPageToken')
    expect((await page(`startTimestamp=${network.world.now() + 1}`)).blocks).toEqual([])
  })

  test.each(['p-chain', '11111111111111111111111111111111LpoYY'])('answers for %s on testnet as well', async (id) => {
    const found = await page('pageSize=1', `/v1/networks/testnet/blockchains/${id}/blocks`)
    expect(heights(found)).toEqual([network.world.chains.P.head()])
  })
})

describe('page tokens', () => {
  test.each([1, 7, 100])('page by page, %i at a time, is the same as all at once', async (size) => {
    const from = network.world.chains.P.block(network.world.chains.P.head() - 49)!.time
    const [all, paged] = [
      await page(`pageSize=100&startTimestamp=${from}`),
      await pageByPage(`pageSize=${size}&startTimestamp=${from}`),
    ]
    expect(all.blocks).toHaveLength(50)
    expect(paged).toEqual(all.blocks)
  })

  test('say nothing about what they stand for', async () => {
    const { blocks, nextPageToken } = await page('pageSize=1')
    expect(nextPageToken).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32}$/)
    expect(nextPageToken).not.toContain(blocks[0]!.blockNumber)
  })

  test.each([
    ['another chain', BLOCKS.replace('p-chain', 'x-chain'), ''],
    ['another range of time', BLOCKS, '&startTimestamp=1'],
  ])('are refused for %s', async (_, path, query) => {
    const { nextPageToken } = await page('pageSize=1')
    expect((await get(`${path}?pageToken=${nextPageToken}${query}`)).status).toBe(400)
  })

  test('may be used with another page size, and more than once', async () => {
    const { nextPageToken, blocks } = await page('pageSize=5')
    const next = Number(blocks.at(-1)!.blockNumber) - 1
    for (const size of [3, 3, 1]) {
      const following = await page(`pageSize=${size}&pageToken=${nextPageToken}`)
      expect(heights(following)).toEqual(Array.from({ length: size }, (_, at) => next - at))
    }
  })

  test('go on from where they were while blocks arrive, for 24 hours', async () => {
    const own = await startNetwork()
    try {
      const read = (query: string) => ask(`${own.dataUrl}${BLOCKS}?${query}`)
      const first = (await read('pageSize=5')).body as Page
      const again = `pageSize=5&pageToken=${first.nextPageToken}`
      const second = (await read(again)).body as Page
      expect(heights(second)[0]).toBe(heights(first).at(-1)! - 1)
      own.clock.now = 24 * 3_600
      expect((await read(again)).body).toMatchObject({ blocks: second.blocks })
      expect(heights((await read('pageSize=1')).body as Page)[0]).toBeGreaterThan(heights(first)[0]! + 1_000)
      own.clock.now += 1
      expect((await read(again)).body).toMatchObject({ statusCode: 400, error: 'Bad Request' })
    } finally {
      await own.stop()
    }
  })
})

describe('get primary network block', () => {
  test('gives one block by height and by hash, at the top level', async () => {
    const block = network.world.chains.P.block(17)!
    const expected = {
      blockNumber: '17',
      blockHash: block.hash,
      parentHash: network.world.chains.P.block(16)!.hash,
      blockTimestamp: block.time,
      blockType: block.type,
      txCount: block.transactions.length,
      transactions: block.transactions,
      blockSizeBytes: block.size,
      currentSupply: String(network.world.supply(block.time)),
      proposerDetails: { proposerNodeId: block.proposer, proposerPChainHeight: 16, proposerTimestamp: block.turn },
    }
    expect((await get(`${BLOCKS}/17`)).body).toEqual(expected)
    expect((await get(`${BLOCKS}/${block.hash}`)).body).toEqual(expected)
  })

  test('only P-Chain blocks know the supply', async () => {
    const { body } = await get(`${BLOCKS.replace('p-chain', 'c-chain')}/17`)
    expect(body).toMatchObject({ blockNumber: '17', blockHash: network.world.chains.C.block(17)!.hash })
    expect(body).not.toHaveProperty('currentSupply')
  })
})
