// Messages between chains: sent once, delivered once, and acknowledged by a message that goes back.

import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { rounds } from '../../../src/simulator/world/evm-agenda.ts'
import { createIcm, type Message, type Sent } from '../../../src/simulator/world/icm.ts'
import { createRelayer } from '../../../src/simulator/world/relayer.ts'
import { growing } from './evm-growing.ts'

const BLOCKS = 6_000
/** Three chains with blocks at the same times, one of them with many more messages. */
function network() {
  const chains = [
    growing({ chainId: 1, round: rounds.busy }),
    growing({ chainId: 2 }),
    growing({ chainId: 3, every: 15 }),
  ]
  const icm = createIcm(
    7,
    chains.map(({ chain }) => chain),
    createRelayer(false),
  )
  const until = (count: number) => {
    for (const one of chains) one.until(count)
  }
  return { icm, until }
}
let { icm, until } = network()
// Time never goes back on a network: each test has its own.
beforeEach(() => {
  ;({ icm, until } = network())
  until(BLOCKS)
})

const idOf = ({ at, number }: Sent) => `${at} ${number}`
const keys = (all: Iterable<Sent>) => Array.from(all, idOf)
const messages = () => Array.from(icm.sent(), icm.message)
const routeOf = ({ source, destination }: Sent) => `${source.chainId} ${destination.chainId}`
const back = ({ source, destination }: Sent) => `${destination.chainId} ${source.chainId}`

describe('messages sent', () => {
  test('are the newest first, each once, whenever the list is read on', () => {
    const all = [...icm.sent()]
    const times = all.map(({ time }) => time)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(new Set(all.map(idOf)).size).toBe(all.length)
    // Blocks come every three seconds on all chains: some messages are of one time.
    expect(new Set(times).size).toBeLessThan(times.length)
    fc.assert(
      fc.property(fc.nat(all.length - 1), fc.integer({ min: BLOCKS, max: 2 * BLOCKS }), (at, count) => {
        until(count)
        expect(keys(icm.sent(all[at]))).toEqual(keys(all).slice(at + 1))
      }),
      { numRuns: 20 },
    )
  })
})

describe('deliveries', () => {
  test('happen once: what was delivered stays as it is, and what was not is delivered after that', () => {
    let before: Message[] = []
    const delivered: Message[] = []
    for (let count = 3_000; count <= 3_600; count += 15) {
      until(count)
      const now = [...icm.sent()].slice(0, 100).map(icm.message)
      const known = new Map(before.map((one) => [idOf(one), one]))
      const both = now.filter((one) => known.has(idOf(one))).map((one) => [one, known.get(idOf(one))!] as const)
      for (const [one, earlier] of both) expect(one.delivery).toEqual(earlier.delivery ?? one.delivery)
      const fresh = both.filter(([one, earlier]) => one.delivery && !earlier.delivery).map(([one]) => one)
      for (const { delivery } of fresh) expect(delivery!.transaction.block).toBeGreaterThanOrEqual(count - 15)
      const acknowledged = both.filter(([, earlier]) => earlier.isReceiptDelivered)
      expect(acknowledged.every(([one]) => one.isReceiptDelivered)).toBe(true)
      expect(now.map(icm.isDelivered)).toEqual(now.map(({ delivery }) => delivery !== undefined))
      delivered.push(...fresh)
      before = now
    }
    expect(delivered.length).toBeGreaterThan(50)
    expect(new Set(delivered.map(idOf)).size).toBe(delivered.length)
  })
})

describe('receipts', () => {
  test('of each delivered message there is one, on the first message that goes back from then on', () => {
    const all = messages().toReversed()
    const ways = Map.groupBy(all, routeOf)
    for (const one of all) {
      const carriers = ways.get(back(one))!.filter(({ receipts }) => receipts.includes(one.nonce))
      const { delivery } = one
      const first =
        delivery && ways.get(back(one))!.find(({ transaction }) => transaction.number > delivery.transaction.number)
      expect(carriers).toEqual(first ? [first] : [])
      expect(one.isReceiptDelivered).toBe(first?.delivery !== undefined)
    }
    expect(all.filter(({ receipts }) => receipts.length > 1).length).toBeGreaterThan(0)
    expect(all.filter(({ isReceiptDelivered }) => isReceiptDelivered).length).toBeGreaterThan(all.length / 2)
  })
})
