// The transport of the data and metrics services, their error bodies, page tokens and allowances, on the wire.

import { describe, expect, test } from 'vitest'
import { ask, EPOCH, networkOfFile, networkOfTest } from '../network.ts'

const network = await networkOfFile({ speed: 0 })

const BLOCKS = '/v1/networks/fuji/blockchains/p-chain/blocks'
/** Each request in a minute of its own, while the network stands still: no test uses up the allowance of another one. */
function askLater(url: string, init?: RequestInit) {
  network.clock.now += 60
  return ask(url, init)
}
const get = (path: string, init?: RequestInit) => askLater(network.dataUrl + path, init)

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

describe('errors (document 1, Errors)', () => {
  const BAD = { statusCode: 400, error: 'Bad Request', message: expect.any(String) }
  const NOT_FOUND = { statusCode: 404, error: 'Not Found', message: expect.any(String) }
  test.each([
    ['two page sizes', `${BLOCKS}?pageSize=1&pageSize=2`, BAD],
    ['a height still to come', `${BLOCKS}/999999`, NOT_FOUND],
    ['a hash of no block', `${BLOCKS}/2NNkpYTGfTFLSGXJcHtVv6drwVU2cczhmjK2uhvwDyxwsjzZMm`, NOT_FOUND],
    ['another path', '/v1/networks', NOT_FOUND],
    [
      'a path that begins with two slashes, as after a base URL with one',
      `/${BLOCKS}`,
      { ...NOT_FOUND, message: `Cannot GET /${BLOCKS}` },
    ],
    ['a path of two slashes', '//', NOT_FOUND],
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

describe('page tokens', () => {
  test('say nothing about what they stand for', async () => {
    const { blocks, nextPageToken } = await page('pageSize=1')
    expect(nextPageToken).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32}$/)
    expect(nextPageToken).not.toContain(blocks[0]!.blockNumber)
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
    const own = await networkOfTest()
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
  })
})

describe('list latest EVM blocks (document 1, operation 12)', () => {
  const EVM = '/v1/chains/43113/blocks'
  interface EvmPage {
    nextPageToken?: string
    blocks: { blockNumber: string; blockHash: string }[]
  }
  const numbers = (body: unknown) => (body as EvmPage).blocks.map(({ blockNumber }) => Number(blockNumber))

  test('gives ten at first, newest first, in the form of the document', async () => {
    const { body } = await get(EVM)
    const [chain] = network.world.evm
    const head = chain!.head()
    expect(numbers(body)).toEqual(Array.from({ length: 10 }, (_, at) => head - at))
    const block = chain!.block(head)!
    expect((body as EvmPage).blocks[0]).toEqual({
      chainId: '43113',
      blockNumber: String(head),
      blockTimestamp: network.world.chains.C.block(head)!.time,
      blockHash: block.hash,
      parentHash: chain!.block(head - 1)!.hash,
      txCount: block.txCount,
      baseFee: String(block.baseFee),
      gasUsed: String(block.gasUsed),
      gasLimit: '32000000',
      gasCost: '0',
      feesSpent: String(block.fees),
      cumulativeTransactions: String(block.cumulative),
    })
  })

  test.each([
    ['an unknown chain', '/v1/chains/1/blocks', 404],
    ['a chain without an EVM', () => `/v1/chains/${network.world.l1s.all[2]!.blockchainId}/blocks`, 404],
  ])('%s is refused', async (_, path, status) => {
    expect((await get(typeof path === 'string' ? path : path())).status).toBe(status)
  })
})

describe('avg_tps (document 2, Metrics service)', () => {
  const DAY = 86_400
  const read = (path: string) => askLater(network.metricsUrl + path)
  interface Series {
    results: { timestamp: number; value: number }[]
    status: number
    lastRun?: number
    nextPageToken?: string
  }

  test('gives a point a day, newest first, page by page for ninety days', async () => {
    const points: Series['results'] = []
    const sizes: number[] = []
    for (let token: string | undefined = ''; token !== undefined;) {
      const { body } = await read(`/v1/avg_tps/43113${token && `?pageToken=${token}`}`)
      const { results, status, lastRun, nextPageToken } = body as Series
      // The network starts at 20:26:40 on a day: the day before is the newest whole one, known ten minutes after its end.
      expect([status, lastRun]).toEqual([200, EPOCH - (EPOCH % DAY) + 600])
      points.push(...results)
      sizes.push(results.length)
      token = nextPageToken
    }
    expect(sizes).toEqual([30, 30, 30])
    const yesterday = EPOCH - (EPOCH % DAY) - DAY
    expect(points.map(({ timestamp }) => timestamp)).toEqual(
      Array.from({ length: 90 }, (_, at) => yesterday - at * DAY),
    )
    expect(points.every(({ value }) => value > 0)).toBe(true)
  })

  test('has a new point ten minutes after midnight', async () => {
    const own = await networkOfTest()
    const midnight = EPOCH - (EPOCH % DAY) + DAY
    const newest = async (time: number) => {
      own.clock.now = time - EPOCH
      const { results, lastRun } = (await ask(`${own.metricsUrl}/v1/avg_tps/43113`)).body as Series
      return [results[0]!.timestamp, lastRun]
    }
    expect(await newest(midnight + 599)).toEqual([midnight - 2 * DAY, midnight - DAY + 600])
    expect(await newest(midnight + 600)).toEqual([midnight - DAY, midnight + 600])
  })

  test('is served at the path of today in the live form, and there alone', async () => {
    const own = await networkOfTest({ dialect: 'live', speed: 0 })
    const of = '/v2/chains/43113/metrics/avgTps'
    const at = async (path: string) => ask(own.metricsUrl + path)
    const one = (await at(`${of}?timeInterval=day&pageSize=1`)).body as Series
    expect(one).toEqual({
      results: [{ timestamp: EPOCH - (EPOCH % DAY) - DAY, value: expect.any(Number) }],
      nextPageToken: expect.any(String),
    })
    // A hundred points a page unless asked otherwise: all ninety.
    expect(((await at(of)).body as Series).results).toHaveLength(90)
    const refused = ['/v1/avg_tps/43113', `${of}?pageSize=0`, `${of}?pageSize=2161`, `${of}?timeInterval=minute`]
    const statuses = await Promise.all(refused.map(async (path) => (await at(path)).status))
    expect(statuses).toEqual([404, 400, 400, 400])
    expect((await read('/v2/chains/43113/metrics/avgTps')).status).toBe(404)
  })

  test('has no point yet when the time begins', async () => {
    const own = await networkOfTest({ epoch: 0 })
    const at = async (now: number) => {
      own.clock.now = now
      return (await ask(`${own.metricsUrl}/v1/avg_tps/43113`)).body
    }
    expect(await at(0)).toEqual({ results: [], status: 200 })
    expect(await at(600)).toEqual({ results: [], status: 200, lastRun: 600 })
    expect(await at(DAY + 600)).toMatchObject({ results: [{ timestamp: 0 }], lastRun: DAY + 600 })
  })

  test.each([
    ['an unknown chain', '/v1/avg_tps/1', 404, 'Not Found'],
    ['a blockchain id', () => `/v1/avg_tps/${network.world.l1s.all[0]!.blockchainId}`, 404, 'Not Found'],
    ['an unknown page token', '/v1/avg_tps/43113?pageToken=abc', 400, 'Bad Request'],
    ['the data service', BLOCKS, 404, 'Not Found'],
  ])('%s is refused, with a list of messages', async (_, path, statusCode, error) => {
    const answer = await read(typeof path === 'string' ? path : path())
    expect(answer.body).toEqual({ statusCode, error, message: [expect.any(String)] })
    expect(answer.status).toBe(statusCode)
  })
})

describe('an allowance', () => {
  // A block by height costs 100 units, a page of blocks 20, a page of EVM blocks 10.
  const HEIGHT = `${BLOCKS}/1`
  const PAGE = `${BLOCKS}?pageSize=1`
  const EVM_PAGE = '/v1/chains/43113/blocks?pageSize=1'

  test('is 6,000 units a minute; then the answer is 429, until the minute is over', async () => {
    const own = await networkOfTest()
    const read = (path: string) => ask(own.dataUrl + path)
    const spend = async (times: number, path: string) => {
      const answers = await Promise.all(Array.from({ length: times }, () => read(path)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    }
    await spend(59, HEIGHT)
    await spend(4, PAGE)
    await spend(2, EVM_PAGE)
    own.clock.now = 45
    const refused = await read(EVM_PAGE)
    expect(refused.body).toEqual({ statusCode: 429, error: 'Too Many Requests', message: expect.any(String) })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15'])
    // Nodes have none, and the other service has its own.
    expect((await ask(`${own.metricsUrl}/v1/avg_tps/43113`)).status).toBe(200)
    own.clock.now = 59.5
    const late = await read(PAGE)
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1'])
    own.clock.now = 60
    await spend(60, HEIGHT)
    expect((await read(EVM_PAGE)).status).toBe(429)
  })

  test.each(['x-data-api-key', 'x-glacier-api-key'])(
    'is 10,000 units with a key in %s, next to that without',
    async (name) => {
      const own = await networkOfTest()
      const statuses = async (times: number, headers: Record<string, string>) => {
        const asked = Array.from({ length: times }, () => fetch(own.dataUrl + HEIGHT, { headers }))
        return (await Promise.all(asked)).map(({ status }) => status)
      }
      expect(await statuses(100, { [name]: 'sesame' })).toEqual(Array.from({ length: 100 }, () => 200))
      expect(await statuses(1, { [name]: 'sesame' })).toEqual([429])
      expect(await statuses(1, {})).toEqual([200])
    },
  )
})
