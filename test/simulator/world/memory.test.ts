// What the world keeps: as much after four weeks as after two. Heights, totals and balances stay true.

import { expect, test } from 'vitest'
import { createChain } from '../../../src/simulator/world/blocks.ts'
import { createWorld, type World } from '../../../src/simulator/world/world.ts'

const DAY = 86_400
const EPOCH = 1_780_000_000

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

function kept({ ledger, staking, validators }: World) {
  const all = [...validators.all.values()]
  const owners = all.flatMap((one) => [one.owner, ...one.delegations.map(({ owner }) => owner)])
  const unspent = (addresses: readonly string[]) => sum(addresses.map((one) => [...ledger.unspentOf(one)].length))
  return {
    ...ledger.size(),
    ofOwners: unspent([...new Set(owners)]),
    rewards: sum(all.map(({ nodeId }) => staking.paidFor(nodeId).length)),
    outages: sum(all.flatMap(({ views }) => [...views.values()].map(({ over }) => over.length))),
  }
}

test('the world keeps no more after four weeks than after two, and its totals go on', () => {
  const paces = { P: 60, X: 120, C: 120 }
  const world = createWorld({ seed: 1, epoch: EPOCH, validators: 20, delegations: 240, observers: 2, paces })
  const seen: ReturnType<typeof kept>[] = []
  const paid = () => sum([...world.validators.all.keys()].map((id) => world.staking.totals(id).DELEGATOR.count))
  const counted: number[] = []
  for (let day = 1; day <= 28; day += 1) {
    world.advance(EPOCH + day * DAY)
    // Reads in between keep nothing.
    world.indexes.transactions.at(world.indexes.transactions.last())
    if (day % 7 === 0) {
      seen.push(kept(world))
      counted.push(paid())
    }
  }
  const [then, now] = [seen[1]!, seen[3]!]
  expect(Math.min(...Object.values(then))).toBeGreaterThan(50)
  for (const name of Object.keys(now) as (keyof typeof now)[]) {
    expect(`${name}: ${now[name] <= 1.15 * then[name]}`).toBe(`${name}: true`)
  }
  // Some dozens each, as they come and go.
  const coins = world.trade.traders.map(({ address }) => [...world.ledger.unspentOf(address)].length)
  expect(Math.max(...coins)).toBeLessThan(150)
  // The rewards of every week are counted, though those of three weeks ago are in no list.
  for (const [week, total] of counted.entries()) expect(total).toBeGreaterThan(counted[week - 1] ?? 0)
  expect(seen[3]!.rewards).toBeLessThan((counted[3]! * 2) / 3)
})

test('blocks of long ago have the time, the size and the number of transactions that they had', () => {
  const chain = createChain({
    seed: 1,
    name: 'P',
    begin: 1_000,
    pace: [1, 9],
    types: ['Standard', 'Commit'],
    strangers: [1, 3],
    smallest: 200,
  })
  const seen: { height: number; time: number; size: number; count: number; before: number }[] = []
  let before = 0
  for (let height = 0; height < 100_000; height += 1) {
    if (height % 7 === 0) chain.submit(() => `own ${height}`)
    chain.advance(chain.due())
    const { time, size, count } = chain.block(height)!
    if (height % 997 === 0) seen.push({ height, time, size, count, before })
    before += count
  }
  const limit = chain.time(50_000)!
  chain.forget(limit)
  for (const { height, time, size, count, before } of seen) {
    expect(chain.block(height)).toMatchObject({ height, time, size, count })
    expect(chain.heightAt(time)).toBe(height)
    expect(chain.heightAt(time - 1)).toBe(height - 1)
    expect(chain.transactionsBefore(height)).toBe(before)
    // A block without a transaction is where none is found.
    const ends = count > 0 ? [before, before + count - 1] : []
    expect(ends.map((at) => chain.heightOf(at))).toEqual(ends.map(() => height))
    const own = height % 7 === 0 && time >= limit ? [`own ${height}`] : []
    expect(chain.block(height)!.transactions.filter((id) => id.startsWith('own'))).toEqual(own)
  }
  expect(chain.totals().transactions).toBe(before)
  expect([chain.time(-1), chain.time(0.5), chain.time(100_000), chain.heightAt(999)]).toEqual([
    undefined,
    undefined,
    undefined,
    -1,
  ])
})
