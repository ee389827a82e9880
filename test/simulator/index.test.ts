// The index interface of simulated nodes (document 2, Index interface), on the wire.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { networkOfFile, rpc } from './network.ts'

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
})
