// The simulated network as a whole: it follows from seed and time alone, and its sums agree.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createWorld, type World, type WorldOptions } from '../../../src/simulator/world/world.ts'

const DAY = 86_400
const EPOCH = 1_780_000_000
const small = (change: Partial<WorldOptions> = {}) =>
  createWorld({ seed: 1, epoch: EPOCH, validators: 20, delegations: 100, observers: 2, ...change })

/** Everything that can be seen of a world, its chains by their newest blocks and their totals. */
function all({ now, supply, chains, validators, l1s, evm }: World) {
  const heads = Object.values(chains).map((chain) => [chain.block(chain.head()), chain.totals()])
  const evmHeads = evm.map((chain) => chain.block(chain.head()))
  const fees = l1s.market.at(now())
  return {
    now: now(),
    supply: supply(now()),
    heads,
    evmHeads,
    fees,
    l1s: l1s.all,
    validators: [...validators.all.values()],
  }
}

describe('time', () => {
  test('many steps lead to the same world as one', () => {
    const end = EPOCH + DAY / 4
    const atOnce = small()
    atOnce.advance(end)
    const expected = all(atOnce)
    const steps = fc.array(fc.double({ min: EPOCH, max: end, noNaN: true }), { maxLength: 50 })
    fc.assert(
      fc.property(steps, (unsorted) => {
        const world = small()
        for (const step of unsorted.toSorted((a, b) => a - b)) world.advance(step)
        world.advance(end)
        expect(all(world)).toEqual(expected)
      }),
      { numRuns: 10 },
    )
  })

  test('another seed is another world', () => {
    const [one, other] = [all(small()), all(small({ seed: 2 }))]
    expect(other.heads).not.toEqual(one.heads)
    expect(other.validators.map(({ nodeId }) => nodeId)).not.toEqual(one.validators.map(({ nodeId }) => nodeId))
  })

  test('never goes back, and is whole seconds', () => {
    const world = small()
    world.advance(EPOCH + 100.9)
    expect(world.now()).toBe(EPOCH + 100)
    const before = all(world)
    world.advance(EPOCH)
    expect(all(world)).toEqual(before)
  })
})

describe('stakes', () => {
  test('the supply grows by each promised reward, falls by each that is not paid, and past supplies can be read', () => {
    const world = small({ paces: { P: 60, X: 120, C: 120 } })
    const stakes = new Map<string, { start: number; end: number; reward: bigint }>()
    // A validation that renews itself keeps its transaction.
    const period = (txId: string, start: number) => `${txId} ${start}`
    const notice = () => {
      for (const validator of world.validators.all.values()) {
        for (const { txId, start, end, reward } of [validator, ...validator.delegations]) {
          stakes.set(period(txId, start), { start, end, reward })
        }
      }
    }
    notice()
    const noted: [at: number, supply: bigint][] = [[EPOCH, world.supply(EPOCH)!]]
    // Nothing lasts less than a day, so half-day steps miss none.
    for (let step = 1; step <= 16; step += 1) {
      world.advance(EPOCH + (step * DAY) / 2)
      notice()
      noted.push([world.now(), world.supply(world.now())!])
    }
    world.advance(world.chains.P.due())
    const payments = [...world.validators.all.keys()].flatMap((nodeId) => world.staking.paidFor(nodeId))
    const paid = new Set(payments.map(({ stake }) => period(stake.txId, stake.start)))
    const [[, before]] = noted as [(typeof noted)[0]]
    const expected = (at: number) => {
      let supply = before
      for (const [key, { start, end, reward }] of stakes) {
        if (start > EPOCH && start <= at) supply += reward
        if (end <= at && !paid.has(key)) supply -= reward
      }
      return supply
    }
    expect(noted).toEqual(noted.map(([at]) => [at, expected(at)]))
    expect(noted.map(([at]) => world.supply(at))).toEqual(noted.map(([, supply]) => supply))
    expect([...stakes.keys()].filter((key) => !paid.has(key)).length).toBeGreaterThan(120)
    expect(paid.size).toBeGreaterThan(120)
  })
})

describe('chains', () => {
  const world = small()
  world.advance(EPOCH + 4 * 3_600)

  test.each([
    ['P', 2, 14],
    ['X', 10, 50],
    ['C', 1, 3],
  ] as const)('%s: blocks hang together, can be found, and add up to the totals', (name, least, most) => {
    const chain = world.chains[name]
    const blocks = Array.from({ length: chain.head() + 1 }, (_, height) => chain.block(height)!)
    expect(chain.block(chain.head() + 1)).toBeUndefined()
    expect(blocks.map(({ height }) => height)).toEqual([...blocks.keys()])
    expect(blocks.slice(1).map(({ parentHash }) => parentHash)).toEqual(blocks.slice(0, -1).map(({ hash }) => hash))
    const gaps = blocks.slice(1).map(({ time }, at) => time - blocks[at]!.time)
    expect(Math.min(...gaps)).toBe(least)
    expect(Math.max(...gaps)).toBe(most)
    expect(blocks.every(({ hash, height }) => chain.find(hash)?.height === height)).toBe(true)
    const transactions = blocks.flatMap((block) => block.transactions)
    expect(new Set(transactions).size).toBe(transactions.length)
    const types: Record<string, number> = {}
    for (const { type } of blocks) types[type] = (types[type] ?? 0) + 1
    expect(chain.totals()).toEqual({ blocks: types, transactions: transactions.length })
  })

  test.each([
    ['of another chain', () => world.chains.X.block(1)!.hash],
    ['of the parent of the first block', () => world.chains.P.block(0)!.parentHash],
    ['of a block still to come', () => world.chains.P.block(1)!.hash.slice(0, -1) + 'z'],
    ['that is none', () => '0OIl'],
    ['that is empty', () => ''],
  ])('no block has a hash %s', (_, hash) => {
    expect(world.chains.P.find(hash())).toBeUndefined()
  })
})

describe('L1s', () => {
  test('what a block says of the fees is never said otherwise later', () => {
    const world = small()
    const { chains, l1s } = world
    const noted = new Map<number, unknown>()
    for (let now = EPOCH; now <= EPOCH + 3_600; now += 1) {
      world.advance(now)
      const time = chains.P.time(chains.P.head())!
      if (!noted.has(time)) noted.set(time, l1s.market.at(time))
    }
    expect(noted.size).toBeGreaterThan(300)
    expect(new Set([...noted.values()].map((state) => (state as { active: number }).active)).size).toBeGreaterThan(3)
    expect([...noted.keys()].map((time) => l1s.market.at(time))).toEqual([...noted.values()])
  })
})
