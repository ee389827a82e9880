// The index interface of simulated nodes (document 2, Index interface), on the wire.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ask, networkOfFile, networkOfTest, post, rpc } from './network.ts'

type Dialect = 'document' | 'live'
interface Container {
  id: string
  bytes: string
  timestamp: string
  encoding: string
  index: string
}

const networks = { document: await networkOfFile(), live: await networkOfFile({ dialect: 'live' }) }

const PATHS = ['P/block', 'C/block', 'X/block', 'X/tx', 'X/vtx'] as const
/** On the first node, or on another. */
function asking(dialect: Dialect, path: string, node = 0) {
  const call = (method: string, params: object = {}) =>
    rpc(networks[dialect].nodes[node]!.url, `index.${method}`, { encoding: 'hex', ...params }, `/ext/index/${path}`)
  return {
    call,
    get: async (method: string, params: object = {}) => (await call(method, params)).result as unknown as Container,
    range: async (startIndex: number, numToFetch: number) => {
      const result: unknown = (await call('getContainerRange', { startIndex, numToFetch })).result
      return (dialect === 'live' ? (result as { containers: Container[] }).containers : result) as Container[]
    },
  }
}
const failing = (message: string) => ({ error: { code: -32_000, message, data: null } })

const ASKED = [
  ...PATHS.map((path) => ['document', path] as const),
  ...PATHS.filter((path) => path.endsWith('block')).map((path) => ['live', path] as const),
]
describe.each(ASKED)('%s %s', (dialect, path) => {
  const { call, get, range } = asking(dialect, path)

  test('by index, by id and in ranges there is the same container', async () => {
    const last = await get('getLastAccepted')
    const end = Number(last.index)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: end }), fc.integer({ min: 1, max: 5 }), async (index, length) => {
        const one = await get('getContainerByIndex', { index })
        expect(one.index).toBe(String(index))
        expect(await get('getContainerByID', { id: one.id })).toEqual(one)
        expect((await call('getIndex', { id: one.id })).result).toEqual({ index: String(index) })
        expect((await call('isAccepted', { id: one.id })).result).toEqual({ isAccepted: true })
        const containers = await range(index, length)
        expect(containers[0]).toEqual(one)
        expect(containers.map((each) => Number(each.index))).toEqual(
          Array.from({ length: Math.min(length, end - index + 1) }, (_, at) => index + at),
        )
      }),
      { numRuns: 10 },
    )
    expect(await get('getContainerByIndex', { index: last.index })).toEqual(last)
  })

  test('what is not there is an error, but for isAccepted', async () => {
    const end = Number((await get('getLastAccepted')).index)
    // Well-formed, and unknown here.
    const id = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
    expect(await call('getContainerByIndex', { index: end + 1 })).toMatchObject(
      failing(`no container at index ${end + 1}`),
    )
    const huge = '18446744073709551615'
    expect(await call('getContainerByIndex', { index: huge })).toMatchObject(failing(`no container at index ${huge}`))
    expect(await call('getContainerByID', { id })).toMatchObject(failing('not found'))
    expect(await call('getIndex', { id })).toMatchObject(failing('not found'))
    expect((await call('isAccepted', { id })).result).toEqual({ isAccepted: false })
  })
})

describe('a container', () => {
  test('of the document has the bytes and the id of the block', async () => {
    const { chains } = networks.document.world
    for (const chain of ['P', 'X', 'C'] as const) {
      const { hash, size, time } = chains[chain].block(18)!
      const container = await asking('document', `${chain}/block`).get('getContainerByIndex', { index: 17 })
      expect(container).toEqual({
        id: hash,
        bytes: expect.stringMatching(new RegExp(`^0x([0-9a-f]{2}){${size}}$`)),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
        encoding: 'hex',
        index: '17',
      })
      expect(Math.floor(Date.parse(container.timestamp) / 1_000)).toBe(time)
    }
  })

  test('of a live node has the id of the proposal, which the data service reports in both dialects', async () => {
    for (const chain of ['P', 'X', 'C'] as const) {
      const { id, bytes, timestamp } = await asking('live', `${chain}/block`).get('getContainerByIndex', { index: 17 })
      const parent = await asking('live', `${chain}/block`).get('getContainerByIndex', { index: 16 })
      const block = networks.live.world.chains[chain].block(18)!
      expect(id).not.toBe(block.hash)
      expect(bytes.length).toBeGreaterThan(2 * (block.size + 4))
      expect(timestamp).toMatch(/\+02:00$/)
      expect(Math.floor(Date.parse(timestamp) / 1_000)).toBe(block.time)
      expect(await asking('live', `${chain}/block`).call('getIndex', { id: block.hash })).toMatchObject(
        failing('not found'),
      )
      for (const { dataUrl } of Object.values(networks)) {
        const path = `/v1/networks/fuji/blockchains/${chain.toLowerCase()}-chain/blocks/18`
        const { body } = await ask(dataUrl + path)
        expect(body).toMatchObject({ proposerDetails: { proposerId: id, proposerParentId: parent.id } })
      }
    }
  })

  test('was accepted by each node at its own time, within the second of the block', async () => {
    const times = await Promise.all(
      [0, 1].map(async (node) => {
        const found = await asking('document', 'C/block', node).range(100, 200)
        return found.map(({ timestamp }) => timestamp)
      }),
    )
    const [a, b] = times as [string[], string[]]
    expect(a.map((time) => time.slice(0, 19))).toEqual(b.map((time) => time.slice(0, 19)))
    expect(a.filter((time, at) => time === b[at])).toEqual([])
    expect(new Set(a.map((time) => time.slice(19))).size).toBe(a.length)
    expect(a).toEqual(a.toSorted())
    expect(b).toEqual(b.toSorted())
  })

  test('of a transaction was accepted with its block', async () => {
    const { chains, indexes } = networks.document.world
    const height = 1 + [...Array(99).keys()].findIndex((at) => chains.X.block(at + 1)!.transactions.length > 1)
    const { transactions } = chains.X.block(height)!
    const block = await asking('document', 'X/block').get('getContainerByIndex', { index: height - 1 })
    const found = await asking('document', 'X/tx').range(
      indexes.transactions.find(transactions[0]!)!,
      transactions.length,
    )
    expect(found.map(({ id }) => id)).toEqual(transactions)
    expect(new Set(found.map(({ timestamp }) => timestamp))).toEqual(new Set([block.timestamp]))
  })
})

test('transactions are indexed by the document, and no vertices any more', async () => {
  const lasts = () =>
    Promise.all(PATHS.map(async (path) => Number((await asking('document', path).get('getLastAccepted')).index)))
  const before = await lasts()
  networks.document.clock.now += 600
  const grown = (await lasts()).map((last, at) => last > before[at]!)
  expect(grown).toEqual([true, true, true, true, false])
})

describe('index.getContainerRange', () => {
  const { call, range } = asking('document', 'C/block')
  const fetching = (startIndex: unknown, numToFetch: unknown) => call('getContainerRange', { startIndex, numToFetch })
  const last = () => networks.document.world.chains.C.head() - 1

  test('rules 1 and 4: 1024 at most', async () => {
    expect(await range(0, 1_024)).toHaveLength(1_024)
    const message = 'numToFetch must be in [0,1024] but is'
    expect(await fetching(0, 1_025)).toMatchObject(failing(`${message} 1025`))
    expect(await fetching(0, '2000')).toMatchObject(failing(`${message} 2000`))
  })

  test('rule 2: none are null, wherever they would begin', async () => {
    for (const startIndex of [0, last(), last() + 1]) {
      const answer = await fetching(startIndex, 0)
      expect(answer).toEqual({ jsonrpc: '2.0', result: null, id: 1 })
    }
  })

  test('rule 3: a start beyond the last is an error', async () => {
    const message = `start index (${last() + 1}) > last accepted index (${last()})`
    expect(await fetching(last() + 1, 1)).toMatchObject(failing(message))
    expect(await fetching(last(), 1)).toMatchObject({ result: [expect.objectContaining({ index: String(last()) })] })
  })

  test('rule 5: fewer where there are no more', async () => {
    expect((await range(last() - 2, 10)).map(({ index }) => Number(index))).toEqual([last() - 2, last() - 1, last()])
  })
})

test('an index in which nothing is says so', async () => {
  const own = await networkOfTest({ epoch: 0 })
  const call = (method: string, params: object, path = 'P/block') =>
    rpc(own.nodes[0]!.url, `index.${method}`, params, `/ext/index/${path}`)
  const none = failing('no containers have been accepted')
  expect(await call('getLastAccepted', {})).toMatchObject(none)
  expect(await call('getContainerRange', { startIndex: 0, numToFetch: 1 })).toMatchObject(none)
  expect((await call('getContainerRange', { startIndex: 0, numToFetch: 0 })).result).toBeNull()
  expect(await call('getContainerByIndex', { index: 0 })).toMatchObject(failing('no container at index 0'))
  expect((await call('getLastAccepted', {}, 'X/vtx')).result).toMatchObject({ index: '11' })
  own.clock.now = own.world.chains.P.due()
  expect((await call('getLastAccepted', {})).result).toMatchObject({ index: '0' })
})

test('hex is the encoding that need not be named', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'index.getLastAccepted' }
  const answer = await post(`${networks.document.nodes[0]!.url}/ext/index/P/block`, body)
  expect(answer.body).toMatchObject({ result: { encoding: 'hex' } })
})
