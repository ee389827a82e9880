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

/** What is left of a · b + c in 64 bits: the low halves by digits of 16 bits as on paper, so that nothing is lost. */
function multiplied([high, low]: Halves, [otherHigh, otherLow]: Halves, c: number): Halves {
  const [a, b, x, y] = [low >>> 16, low & 0xffff, otherLow >>> 16, otherLow & 0xffff]
  const first = b * y + c
  const second = a * y + Math.floor(first / 2 ** 16)
  const third = b * x + (second % 2 ** 16)
  const above = a * x + Math.floor(second / 2 ** 16) + Math.floor(third / 2 ** 16)
  const across = Math.imul(high, otherLow) + Math.imul(low, otherHigh)
  return [(above + across) | 0, ((third & 0xffff) << 16) | (first & 0xffff)]
}

/** The numbers of MT19937-64. A draw needs one or two of 312, so that each state is made when it is read. */
function createNumbers(seed: Halves): () => bigint {
  const states: Halves[] = [seed]
  function stateAt(place: number): Halves {
    for (let at = states.length; at <= place; at += 1) {
      const before = states[at - 1]!
      states.push(multiplied(xor(before, right(before, 62)), [0x5851f42d, 0x4c957f2d], at))
    }
    return states[place]!
  }
  function renew(at: number): Halves {
    const [high, low] = stateAt(at)
    const [, below] = stateAt((at + 1) % COUNT)
    const joined: Halves = [high, (low & 0x80000000) | (below & 0x7fffffff)]
    const half = xor(stateAt((at + COUNT / 2) % COUNT), right(joined, 1))
    return below % 2 === 0 ? half : xor(half, [0xb5026f5a, 0xa96619e9])
  }
  let used = 0
  return () => {
    const at = used % COUNT
    used += 1
    return tempered((states[at] = renew(at)))
  }
}

function tempered(state: Halves): bigint {
  const first = xor(state, and(right(state, 29), [0x55555555, 0x55555555]))
  const second = xor(first, and(left(first, 17), [0x71d67fff, 0xeda60000]))
  const third = xor(second, and(left(second, 37), [0xfff7eee0, 0]))
  const [high, low] = xor(third, right(third, 43))
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}
