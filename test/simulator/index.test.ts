// The index interface of simulated nodes (document 2, Index interface), on the wire.

import { describe, expect, test } from 'vitest'
import { networkOfFile, rpc } from './network.ts'

interface Container {
  timestamp: string
}

const network = await networkOfFile()

/** On the first node, or on another. */
async function ask(path: string, method: string, params: object, node = 0): Promise<unknown> {
  const { url } = network.nodes[node]!
  return (await rpc(url, `index.${method}`, { encoding: 'hex', ...params }, `/ext/index/${path}`)).result
}

describe('a container', () => {
  test('of the document has the bytes and the id of the block', async () => {
    const { chains } = network.world
    for (const chain of ['P', 'X', 'C'] as const) {
      const { hash, size, time } = chains[chain].block(18)!
      const container = (await ask(`${chain}/block`, 'getContainerByIndex', { index: 17 })) as Container
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
        const found = await ask('C/block', 'getContainerRange', { startIndex: 100, numToFetch: 200 }, node)
        return (found as Container[]).map(({ timestamp }) => timestamp)
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
