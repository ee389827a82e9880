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
  /** When its proposer wrapped it. */
  turn: number
}

/** A block of the P-Chain that only says what becomes of its parent. */
export function isDecision({ type, count }: Pick<Block, 'type' | 'count'>): boolean {
  return type.includes('Commit') && count === 0
}

/** Bytes of a decision. */
const DECISION = 54

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
  /** Bytes of a block without transactions, at least. */
  smallest: number
}

/** Blocks that are worked out together: the times and counts of older ones are worked out again on demand. */
const SEGMENT = 1_024
/** How many segments are kept. */
const AT_HAND = 64
/** How many whole blocks are kept: a few pages of the data service. */
export const RECENT_BLOCKS = 256

interface Segment {
  /** Of each block. */
  times: Float64Array
  /** How many transactions of the chain come before each block. */
  before: Float64Array
}

/** Digits at the end of an id: the number of what it names, so that no two are alike and each can be found. */
export const NUMBER = 8

interface State extends ChainOptions {
  kinds: readonly { type: string; fewest: number }[]
  /** For each segment: what its first block begins with, and how many were submitted for each block, if any were. */
  begins: { time: number; before: number; submitted?: Uint16Array }[]
  kept: Map<number, Segment>
  newest: Segment
  length: number
  blocks: Record<string, number>
  transactions: number
  /** The transactions that were submitted, by the height of their block. */
  submitted: Map<number, { time: number; ids: string[] }>
  waiting: Parameters<GrowingChain['submit']>[0][]
  /** When the next block is due. */
  next: number
  isHalted: boolean
  /** Seconds for which the chain was halted, by the height of the block before. */
  pauses: Map<number, number>
}

export function createChain(options: ChainOptions): GrowingChain {
  const { types, strangers, begin } = options
  const state: State = {
    ...options,
    kinds: types.map((type) => ({ type, fewest: type.includes('Commit') ? 0 : strangers[0] })),
    begins: [],
    kept: new Map(),
    newest: emptySegment(),
    length: 0,
    blocks: Object.fromEntries(types.map((type) => [type, 0])),
    transactions: 0,
    submitted: new Map(),
    waiting: [],
    next: begin,
    isHalted: false,
    pauses: new Map(),
  }
  const recent = createRecent<number, Block>(RECENT_BLOCKS)
  const make = (height: number) => makeBlock(state, height)
  const block = (height: number) => (isThere(state, height) ? recent.get(height, make) : undefined)
  return {
    head: () => state.length - 1,
    time: (height) => timeOf(state, height),
    heightAt: (time) => lastUpTo(state, time, 'time', 'times'),
    block,
    find(hash) {
      const height = fromBase58(hash.slice(-NUMBER))
      return hashOf(state, height) === hash ? block(height) : undefined
    },
    totals: () => ({ blocks: { ...state.blocks }, transactions: state.transactions }),
    transactionsBefore: (height) =>
      height < state.length ? segmentOf(state, height).before[height % SEGMENT]! : state.transactions,
    heightOf: (transaction) => lastUpTo(state, transaction, 'before', 'before'),
    due: () => state.next,
    strangers: (height) => traitsOf(state, height).count,
    strangerId: (number) => idOf(state, 'transaction', number),
    submit: (make) => state.waiting.push(make),
    halt() {
      state.isHalted = true
    },
    resume: (at) => resume(state, at),
    advance(to) {
      while (!state.isHalted && state.next <= to) accept(state)
    },
    forget(before) {
      for (const [height, { time }] of state.submitted) {
        if (time >= before) break
        state.submitted.delete(height)
      }
      recent.clear()
    },
  }
}

function idOf({ seed, name }: State, kind: string, number: number): string {
  return random(seed, name, kind, number).base58(50 - NUMBER) + toBase58(number, NUMBER)
}

function hashOf(state: State, height: number): string {
  return height < 0 ? random(state.seed, state.name, 'genesis').base58(50) : idOf(state, 'hash', height)
}

/** What is counted as blocks come. One `advance` may add millions of blocks, so only this much is worked out then. */
function traitsOf({ seed, name, kinds, strangers, pace }: State, height: number) {
  const next = numbersOf(`${seed}/${name}/${height}`)
  const { type, fewest } = kinds[wholeOf(next, 0, kinds.length - 1)]!
  return { next, type, count: wholeOf(next, fewest, strangers[1]), gap: wholeOf(next, pace[0], pace[1]) }
}

/** Adds the next block. */
function accept(state: State): void {
  const { length: height, next: time, transactions } = state
  const place = height % SEGMENT
  if (place === 0) {
    state.begins.push({ time, before: transactions })
    state.newest = keep(state, height / SEGMENT, emptySegment())
  }
  state.newest.times[place] = time
  state.newest.before[place] = transactions
  state.length += 1
  const { type, count, gap } = traitsOf(state, height)
  state.blocks[type]! += 1
  state.transactions += count + include(state, { height, time })
  state.next += gap
}

/** Puts what waits into a block. Returns how many transactions that are. */
function include(state: State, { height, time }: Inclusion): number {
  if (state.waiting.length === 0) return 0
  // What is submitted meanwhile is for the block after this one.
  const due = state.waiting
  state.waiting = []
  const ids = due.flatMap((make) => make({ height, time }) ?? [])
  if (ids.length === 0) return 0
  state.submitted.set(height, { time, ids })
  const numbers = (state.begins[Math.floor(height / SEGMENT)]!.submitted ??= new Uint16Array(SEGMENT))
  numbers[height % SEGMENT] = ids.length
  return ids.length
}

function resume(state: State, at: number): void {
  const { length, next, pauses } = state
  state.isHalted = false
  if (next >= at) return
  pauses.set(length - 1, (pauses.get(length - 1) ?? 0) + at - next)
  state.next = at
}

const ownCount = ({ begins }: State, height: number) =>
  begins[Math.floor(height / SEGMENT)]!.submitted?.[height % SEGMENT] ?? 0

function keep({ kept, newest }: State, number: number, segment: Segment): Segment {
  kept.set(number, segment)
  for (const [oldest, one] of kept) {
    if (kept.size <= AT_HAND) break
    if (one !== newest) kept.delete(oldest)
  }
  return segment
}

/** Blocks that are still to come have numbers in it, too, which are not to be read. */
function segmentOf(state: State, height: number): Segment {
  const number = Math.floor(height / SEGMENT)
  const known = state.kept.get(number)
  if (known) return known
  const segment = emptySegment()
  let { time, before } = state.begins[number]!
  for (let at = 0; at < SEGMENT; at += 1) {
    segment.times[at] = time
    segment.before[at] = before
    const { count, gap } = traitsOf(state, number * SEGMENT + at)
    time += gap + (state.pauses.get(number * SEGMENT + at) ?? 0)
    before += count + ownCount(state, number * SEGMENT + at)
  }
  return keep(state, number, segment)
}

const emptySegment = (): Segment => ({ times: new Float64Array(SEGMENT), before: new Float64Array(SEGMENT) })

const isThere = ({ length }: State, height: number) => Number.isInteger(height) && height >= 0 && height < length
const timeOf = (state: State, height: number) =>
  isThere(state, height) ? segmentOf(state, height).times[height % SEGMENT]! : undefined

/** The last height whose number is at most this one; -1 when there is none. Numbers never fall. */
function lastUpTo(state: State, limit: number, first: 'time' | 'before', numbers: keyof Segment): number {
  const { begins, length } = state
  const segment = lastWhere(-1, begins.length - 1, (at) => begins[at]![first] <= limit)
  if (segment < 0) return -1
  const found = segmentOf(state, segment * SEGMENT)[numbers]
  const end = Math.min(length, (segment + 1) * SEGMENT) - 1
  return lastWhere(segment * SEGMENT, end, (height) => found[height % SEGMENT]! <= limit)
}

/** The last number from `low` to `high` that `fits`; `low` itself is taken to fit, as all below one that fits do. */
function lastWhere(low: number, high: number, fits: (at: number) => boolean): number {
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** Works out a block that is there: it does not change any more, until its transactions are forgotten. */
function makeBlock(state: State, height: number): Block {
  const time = timeOf(state, height)!
  const { next: luck, type, count: others } = traitsOf(state, height)
  const between = (low: number, high: number) => wholeOf(luck, low, high)
  const count = others + ownCount(state, height)
  const strangers = Array.from({ length: others }, (_, at) => idOf(state, 'transaction', 3 * height + at))
  return {
    height,
    hash: hashOf(state, height),
    parentHash: hashOf(state, height - 1),
    time,
    type,
    transactions: [...strangers, ...(state.submitted.get(height)?.ids ?? [])],
    count,
    size: isDecision({ type, count }) ? DECISION : state.smallest + count * between(300, 900),
    // Not before its parent was there.
    turn: Math.max(timeOf(state, height - 1) ?? time, time - between(0, 5)),
  }
}
