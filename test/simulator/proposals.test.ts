// Blocks as live nodes have them, read by the daemon's own code: who built each is whom the draw says, among the validators that a
// node reports for the height that the parent states.

import { describe, expect, test } from 'vitest'
import { PRIMARY_NETWORK_ID } from '../../src/lib/primary-network.ts'
import { chainIds } from '../../src/simulator/world/fixed-ids.ts'
import { type Block, type Header, readContainer } from '../../src/turns/block.ts'
import { prepareSet, proposerOf } from '../../src/turns/draw.ts'
import { readInner } from '../../src/turns/inner.ts'
import { headerOf, slotOf } from '../../src/turns/slots.ts'
import { networkOfFile, rpc } from './network.ts'

const network = await networkOfFile({ dialect: 'live', speed: 0 })
const { world } = network
const DAY = 86_400
// Stakes end and begin, and heights of several epochs are stated.
world.advance(world.now() + DAY)

async function ask<T>(method: string, params: object, path: string): Promise<T> {
  return (await rpc(network.nodes[0]!.url, method, params, path)).result as T
}

interface Container {
  id: string
  bytes: string
}

/** The newest ones. */
async function containersOf(chain: string, count: number): Promise<Container[]> {
  const path = `/ext/index/${chain}/block`
  const { index } = await ask<{ index: string }>('index.getLastAccepted', { encoding: 'hex' }, path)
  const range = { startIndex: Number(index) - count + 1, numToFetch: count, encoding: 'hex' }
  return (await ask<{ containers: Container[] }>('index.getContainerRange', range, path)).containers
}

async function setAt(height: bigint) {
  const weights = await ask<Record<string, { weight: string }>>(
    'platform.getValidatorsAt',
    { height: Number(height), subnetID: PRIMARY_NETWORK_ID },
    '/ext/bc/P',
  )
  return prepareSet(Object.entries(weights).map(([nodeId, { weight }]) => [nodeId, BigInt(weight)]))
}

const COUNT = 150

describe.each(['P', 'X', 'C'] as const)('%s', async (chain) => {
  const containers = await containersOf(chain, COUNT)
  const blocks = containers.map(({ bytes }) => readContainer(bytes))
  const heights = blocks.map(({ inner }) => readInner(chain, inner).height)
  const headers = blocks.reduce<(Header | undefined)[]>((all, block) => [...all, headerOf(block, all.at(-1))], [])

  test('was built by the validator to whom the slot fell', async () => {
    const built = await Promise.all(
      blocks.map(async (block: Block, at) => {
        const parent = headers[at - 1]
        if (block.kind !== 'block' || parent === undefined) return []
        const set = await setAt(parent.pChainHeight)
        const slot = slotOf(block.time, parent.time)
        return [[block.proposer, proposerOf(set, chainIds[chain], heights[at]!, slot)]]
      }),
    )
    const pairs = built.flat()
    expect(pairs.length).toBeGreaterThan(COUNT / 2)
    expect(pairs.map(([proposer]) => proposer)).toEqual(pairs.map(([, drawn]) => drawn))
    expect(new Set(pairs.map(([proposer]) => proposer)).size).toBeGreaterThan(5)
  })

  test('is the child of the one before, of the next height', () => {
    expect(blocks.slice(1).map((block) => block.kind !== 'bare' && block.parent)).toEqual(
      containers.slice(0, -1).map(({ id }) => id),
    )
    const { head } = world.chains[chain]
    expect(heights).toEqual(heights.map((_, at) => BigInt(head() - COUNT + 1 + at)))
  })

  test('is empty where the chain says so', () => {
    const isEmpty = (height: number) =>
      (chain === 'C' ? world.evm[0]!.block(height)!.txCount : world.chains[chain].block(height)!.count) === 0
    expect(blocks.map(({ inner }) => readInner(chain, inner).isEmpty)).toEqual(
      heights.map((height) => isEmpty(Number(height))),
    )
  })
})

test('a validator that the world did not make has no certificate: its blocks are not signed', async () => {
  const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
  const { validators, chains } = world
  const total = [...validators.all.values()].reduce((sum, { weight }) => sum + weight, 0n)
  // The turns are nearly all its own.
  world.take({ kind: 'stake', nodeId, amount: Number(15n * total), reward: 1_000, fee: 10, duration: 30 * DAY })
  world.advance(world.now() + DAY / 12)
  const [last] = await containersOf('X', 1)
  const block = readContainer(last!.bytes)
  expect(block).toMatchObject({ kind: 'block', proposer: undefined })
  expect(world.proposals.X.of(chains.X.block(chains.X.head())!).proposer).toBe(nodeId)
})
