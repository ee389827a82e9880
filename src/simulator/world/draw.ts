// Whose turn it is to build a block, as nodes since Durango draw it. The daemon has its own form (src/turns), and each is tested
// against the other: here numbers of 64 bits are two halves, and the heap of validators is one line.

import { readId, readNodeId } from '../../lib/ids.ts'

/** Validators in the order in which a draw goes through them, each with the sum of the weights up to it. */
export type Line = readonly { nodeId: string; end: bigint }[]

export function lineUp(weights: ReadonlyMap<string, bigint>): Line {
  const digits = (nodeId: string) => Buffer.from(readNodeId(nodeId).value!).toString('hex')
  const ranked = [...weights]
    .map(([nodeId, weight]) => ({ nodeId, weight, rank: digits(nodeId) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .toSorted((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1))
  // In a heap the one at place p, from 1 on, has those at 2p and 2p + 1 below it. Each comes before all that are below it.
  const below = (place: number): typeof ranked =>
    place > ranked.length ? [] : [ranked[place - 1]!, ...below(2 * place), ...below(2 * place + 1)]
  let end = 0n
  return below(1).map(({ nodeId, weight }) => ({ nodeId, end: (end += weight) }))
}

/** Undefined where any node may build. */
export function drawProposer(line: Line, chainId: string, height: bigint, slot: number): string | undefined {
  const total = line.at(-1)?.end ?? 0n
  if (total === 0n) return undefined
  const chosen = drawnBelow(total, createNumbers(seedOf(chainId, height, slot)))
  return line.find(({ end }) => end > chosen)!.nodeId
}

/** The bits of the slot count from the other end. Slots of more than 32 bits would be centuries away. */
function seedOf(chainId: string, height: bigint, slot: number): Halves {
  const chain = Buffer.from(readId(chainId).value!)
  const halves: Halves = [Number(height >> 32n), Number(height & 0xffff_ffffn)]
  let mirrored = 0
  for (let bit = 0; bit < 32; bit += 1) mirrored |= ((slot >>> bit) & 1) << (31 - bit)
  return xor(xor([chain.readUInt32BE(0), chain.readUInt32BE(4)], halves), [mirrored, 0])
}

/** Numbers that are too high are drawn again, so that each result is equally likely. */
function drawnBelow(total: bigint, next: () => bigint): bigint {
  const isPowerOfTwo = !total.toString(2).slice(1).includes('1')
  if (isPowerOfTwo) return next() % total
  const isHuge = total > 2n ** 63n
  for (;;) {
    const drawn = isHuge ? next() : BigInt.asUintN(63, next())
    const result = drawn % total
    // Of the last round of results, which 63 bits do not hold as a whole, none counts.
    if (isHuge ? drawn < total : drawn - result + total <= 2n ** 63n) return result
  }
}

const COUNT = 312

/** A number of 64 bits: its high and its low half. */
type Halves = readonly [high: number, low: number]

const xor = ([a, b]: Halves, [c, d]: Halves): Halves => [a ^ c, b ^ d]
const and = ([a, b]: Halves, [c, d]: Halves): Halves => [a & c, b & d]

/** `by` is from 1 to 63, but never 32, by which JavaScript does not shift. */
function right([high, low]: Halves, by: number): Halves {
  return by > 32 ? [0, high >>> (by - 32)] : [high >>> by, (low >>> by) | (high << (32 - by))]
}

function left([high, low]: Halves, by: number): Halves {
  return by > 32 ? [low << (by - 32), 0] : [(high << by) | (low >>> (32 - by)), low << by]
}

/** What is left of a · b + c in 64 bits, from digits of 16 bits as on paper. */
function multiplied(a: Halves, b: Halves, c: number): Halves {
  const digits = ([high, low]: Halves) => [low & 0xffff, low >>> 16, high & 0xffff, high >>> 16]
  const [first, second] = [digits(a), digits(b)]
  let carry = c
  const result = [0, 1, 2, 3].map((place) => {
    for (let at = 0; at <= place; at += 1) carry += first[at]! * second[place - at]!
    const digit = carry % 2 ** 16
    carry = Math.floor(carry / 2 ** 16)
    return digit
  })
  return [(result[3]! << 16) | result[2]!, (result[1]! << 16) | result[0]!]
}

/** The numbers of MT19937-64: 312 of them at once, then the next ones. */
function createNumbers(seed: Halves): () => bigint {
  const states: Halves[] = [seed]
  for (let at = 1; at < COUNT; at += 1) {
    const before = states[at - 1]!
    states.push(multiplied(xor(before, right(before, 62)), [0x5851f42d, 0x4c957f2d], at))
  }
  function renew(): void {
    for (let at = 0; at < COUNT; at += 1) {
      const [high, low] = states[at]!
      const [, below] = states[(at + 1) % COUNT]!
      const joined: Halves = [high, (low & 0x80000000) | (below & 0x7fffffff)]
      const half = xor(states[(at + COUNT / 2) % COUNT]!, right(joined, 1))
      states[at] = below % 2 === 0 ? half : xor(half, [0xb5026f5a, 0xa96619e9])
    }
  }
  let used = COUNT
  return () => {
    if (used === COUNT) {
      renew()
      used = 0
    }
    used += 1
    return tempered(states[used - 1]!)
  }
}

function tempered(state: Halves): bigint {
  const first = xor(state, and(right(state, 29), [0x55555555, 0x55555555]))
  const second = xor(first, and(left(first, 17), [0x71d67fff, 0xeda60000]))
  const third = xor(second, and(left(second, 37), [0xfff7eee0, 0]))
  const [high, low] = xor(third, right(third, 43))
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}
