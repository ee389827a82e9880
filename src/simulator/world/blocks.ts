// The chains of the primary network: all blocks follow from seed and height. What is kept for good is a few numbers for
// every thousand blocks, so that a chain of millions costs next to nothing.

import { fromBase58, numbersOf, random, toBase58, wholeOf } from './random.ts'
import { createRecent } from './recent.ts'

export interface Block {
  height: number
  hash: string
  parentHash: string
  time: number
  type: string
  /** Their ids. In a block of long ago those of strangers alone, though `count` counts them all. */
  transactions: string[]
  count: number
  size: number
  proposer: string
  /** When the proposer's turn began. */
  turn: number
}

export interface Chain {
  /** Height of the newest block; the first block has height 0. */
  head(): number
  /** When the block was accepted. */
  time(height: number): number | undefined
  /** The height of the last block up to a time; -1 when there is none yet. */
  heightAt(time: number): number
  block(height: number): Block | undefined
  find(hash: string): Block | undefined
  /** When the next block will be accepted. */
  due(): number
  /** How many transactions of strangers are in a block; their numbers begin at three times its height. */
  strangers(height: number): number
  strangerId(number: number): string
  totals(): { blocks: Record<string, number>; transactions: number }
  /** How many transactions all blocks below this height have. */
  transactionsBefore(height: number): number
  /** The height of the block with this transaction, counted from 0 over all blocks of the chain. */
  heightOf(transaction: number): number
}

/** Of the block that a transaction gets into. */
export type Inclusion = Pick<Block, 'height' | 'time'>

export interface GrowingChain extends Chain {
  /** For the next block: `make` gives the transaction's id, or nothing where it has become impossible meanwhile. */
  submit(make: (block: Inclusion) => string | undefined): void
  /** Accepts every block that is due by then. */
  advance(to: number): void
  /** From now on there is no new block, until it goes on: then the next one comes at once, if it was due. */
  halt(): void
  resume(at: number): void
  /** Drops the ids of what was submitted before that time. */
  forget(before: number): void
}

export interface ChainOptions {
  seed: number
  name: string
  /** When the first block is accepted. */
  begin: number
  /** Seconds from block to block, at least and at most. */
  pace: readonly [number, number]
  types: readonly string[]
  /** Transactions of strangers in a block, at least and at most three. */
  strangers: readonly [number, number]
  proposers: readonly string[]
}

/** Blocks that are worked out together: the times and counts of older ones are worked out again when somebody asks. */
const SEGMENT = 1_024
/** So many of them are at hand. */
const AT_HAND = 64
/** Blocks that are at hand whole: a few pages of the data service. */
export const RECENT_BLOCKS = 256

interface Segment {
  /** Of each block. */
  times: Float64Array
  /** How many transactions of the chain come before each block. */
  before: Float64Array
}

/** Digits at the end of an id: the number of what it names, so that no two are alike and each can be found. */
export const NUMBER = 8

export function createChain({ seed, name, begin, pace, types, strangers, proposers }: ChainOptions): GrowingChain {
  /** For each segment: what its first block begins with, and how many were submitted for each block, if any were. */
  const begins: { time: number; before: number; submitted?: Uint16Array }[] = []
  const atHand = new Map<number, Segment>()
  let newest = emptySegment()
  let length = 0
  const blocks: Record<string, number> = Object.fromEntries(types.map((type) => [type, 0]))
  /** The transactions that were submitted, by the height of their block. */
  const submitted = new Map<number, { time: number; ids: string[] }>()
  let waiting: Parameters<GrowingChain['submit']>[0][] = []
  let transactions = 0
  let next = begin
  let isHalted = false
  /** Seconds for which the chain stood still, by the height of the block before. */
  const pauses = new Map<number, number>()
  const recent = createRecent<number, Block>(RECENT_BLOCKS)

  const id = (kind: string, number: number) =>
    random(seed, name, kind, number).base58(50 - NUMBER) + toBase58(number, NUMBER)
  const hashOf = (height: number) => (height < 0 ? random(seed, name, 'genesis').base58(50) : id('hash', height))

  const kinds = types.map((type) => ({ type, fewest: type.includes('Commit') ? 0 : strangers[0] }))

  /** What is counted as blocks come; millions of them do in one `advance`, so this is all that is worked out then. */
  function traits(height: number) {
    const next = numbersOf(`${seed}/${name}/${height}`)
    const { type, fewest } = kinds[wholeOf(next, 0, kinds.length - 1)]!
    return { next, type, count: wholeOf(next, fewest, strangers[1]), gap: wholeOf(next, pace[0], pace[1]) }
  }

  const strangerId = (number: number) => id('transaction', number)

  function include(block: Inclusion): number {
    if (waiting.length === 0) return 0
    // What is submitted meanwhile is for the block after this one.
    const due = waiting
    waiting = []
    const made = due.flatMap((make) => make(block) ?? [])
    if (made.length === 0) return 0
    submitted.set(block.height, { time: block.time, ids: made })
    const numbers = (begins[Math.floor(block.height / SEGMENT)]!.submitted ??= new Uint16Array(SEGMENT))
    numbers[block.height % SEGMENT] = made.length
    return made.length
  }

  const ownCount = (height: number) => begins[Math.floor(height / SEGMENT)]!.submitted?.[height % SEGMENT] ?? 0

  function keep(number: number, segment: Segment): Segment {
    atHand.set(number, segment)
    for (const [oldest, one] of atHand) {
      if (atHand.size <= AT_HAND) break
      if (one !== newest) atHand.delete(oldest)
    }
    return segment
  }

  /** Blocks that are still to come have numbers in it, too, which are not to be read. */
  function segmentOf(height: number): Segment {
    const number = Math.floor(height / SEGMENT)
    const known = atHand.get(number)
    if (known) return known
    const segment = emptySegment()
    let { time, before } = begins[number]!
    for (let at = 0; at < SEGMENT; at += 1) {
      segment.times[at] = time
      segment.before[at] = before
      const { count, gap } = traits(number * SEGMENT + at)
      time += gap + (pauses.get(number * SEGMENT + at) ?? 0)
      before += count + ownCount(number * SEGMENT + at)
    }
    return keep(number, segment)
  }

  const isThere = (height: number) => Number.isInteger(height) && height >= 0 && height < length
  const timeOf = (height: number) => (isThere(height) ? segmentOf(height).times[height % SEGMENT]! : undefined)

  /** The last height whose number is at most this one; -1 when there is none. Numbers never fall. */
  function lastUpTo(limit: number, first: 'time' | 'before', numbers: keyof Segment): number {
    let [low, high] = [-1, begins.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (begins[middle]![first] <= limit) low = middle
      else high = middle - 1
    }
    if (low < 0) return -1
    const found = segmentOf(low * SEGMENT)[numbers]
    let [from, to] = [low * SEGMENT, Math.min(length, (low + 1) * SEGMENT) - 1]
    while (from < to) {
      const middle = Math.ceil((from + to) / 2)
      if (found[middle % SEGMENT]! <= limit) from = middle
      else to = middle - 1
    }
    return from
  }

  function block(height: number): Block | undefined {
    return isThere(height) ? recent.get(height, made) : undefined
  }

  /** Of a block that is there: nothing of it changes any more, until its transactions are forgotten. */
  function made(height: number): Block {
    const time = timeOf(height)!
    const { next: luck, type, count: others } = traits(height)
    const between = (low: number, high: number) => wholeOf(luck, low, high)
    const pick = (items: readonly string[]) => items[between(0, items.length - 1)]!
    const count = others + ownCount(height)
    const own = submitted.get(height)?.ids ?? []
    return {
      height,
      hash: hashOf(height),
      parentHash: hashOf(height - 1),
      time,
      type,
      transactions: [...Array.from({ length: others }, (_, at) => strangerId(3 * height + at)), ...own],
      count,
      size: 200 + count * between(300, 900),
      // The first few propose half of the blocks: whoever watches them has something to see.
      proposer: pick(luck() < 0.5 ? proposers.slice(0, 10) : proposers),
      turn: time - between(0, 5),
    }
  }

  return {
    head: () => length - 1,
    time: timeOf,
    heightAt: (time) => lastUpTo(time, 'time', 'times'),
    block,
    find(hash) {
      const height = fromBase58(hash.slice(-NUMBER))
      return hashOf(height) === hash ? block(height) : undefined
    },
    totals: () => ({ blocks: { ...blocks }, transactions }),
    transactionsBefore: (height) => (height < length ? segmentOf(height).before[height % SEGMENT]! : transactions),
    heightOf: (transaction) => lastUpTo(transaction, 'before', 'before'),
    due: () => next,
    strangers: (height) => traits(height).count,
    strangerId,
    submit: (make) => waiting.push(make),
    halt() {
      isHalted = true
    },
    resume(at) {
      isHalted = false
      if (next >= at) return
      pauses.set(length - 1, (pauses.get(length - 1) ?? 0) + at - next)
      next = at
    },
    advance(to) {
      if (isHalted) return
      while (next <= to) {
        const height = length
        const time = next
        if (height % SEGMENT === 0) {
          begins.push({ time, before: transactions })
          newest = keep(height / SEGMENT, emptySegment())
        }
        const place = height % SEGMENT
        newest.times[place] = time
        newest.before[place] = transactions
        length += 1
        const { type, count, gap } = traits(height)
        blocks[type]! += 1
        transactions += count + include({ height, time })
        next += gap
      }
    },
    forget(before) {
      for (const [height, { time }] of submitted) {
        if (time >= before) break
        submitted.delete(height)
      }
      recent.clear()
    },
  }
}

const emptySegment = (): Segment => ({ times: new Float64Array(SEGMENT), before: new Float64Array(SEGMENT) })
