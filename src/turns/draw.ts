// Who may build a block: of each slot exactly one validator, whom all nodes draw alike. Chains do so since Durango.

import { BaseError, refusal } from '../errors.ts'
import { NODE_ID_PREFIX, type Read, readId, readNodeId, toCb58 } from '../lib/ids.ts'

/** The validators of a subnet at a height of the P-Chain, for any number of draws. */
export interface DrawSet {
  /** A heap: the children of `at` are at 2 · at + 1 and 2 · at + 2, and weigh no more than it. */
  nodeIds: readonly string[]
  weights: readonly bigint[]
  /** Of each one and all below it. */
  sums: readonly bigint[]
}

/** Its weight is that of all inactive validators of an L1, which no slot falls to. */
const INACTIVE = NODE_ID_PREFIX + toCb58(new Uint8Array(20))
const WIDE = 2n ** 64n
const HALF = 2n ** 63n

/** `weights` by node id. */
export function prepareSet(weights: Iterable<readonly [nodeId: string, weight: bigint]>): DrawSet {
  const heap = Array.from(weights)
    .filter(([nodeId]) => nodeId !== INACTIVE)
    .map(([nodeId, weight]) => ({ nodeId, weight, bytes: bytesOf(readNodeId(nodeId)) }))
    .toSorted((a, b) => Number(b.weight > a.weight) - Number(b.weight < a.weight) || a.bytes.compare(b.bytes))
  const sums = heap.map(({ weight }) => weight)
  for (let at = sums.length - 1; at > 0; at -= 1) sums[(at - 1) >> 1]! += sums[at]!
  if ((sums[0] ?? 0n) >= WIDE) throw refusal('total', 'the validators weigh more than 64 bits can hold')
  return { nodeIds: heap.map(({ nodeId }) => nodeId), weights: heap.map(({ weight }) => weight), sums }
}

/** The validator to whom a slot falls for the block of this height; undefined where any node may build it. */
export function proposerOf(
  { nodeIds, weights, sums }: DrawSet,
  chainId: string,
  height: bigint,
  slot: number,
): string | undefined {
  const total = sums[0] ?? 0n
  if (total === 0n) return undefined
  const seed = bytesOf(readId(chainId)).readBigUInt64BE() ^ height ^ reversed(slot)
  let left = uniform(total, randomNumbers(seed))
  let at = 0
  while (left >= weights[at]!) {
    left -= weights[at]!
    at = 2 * at + 1
    if (left < sums[at]!) continue
    left -= sums[at]!
    at += 1
  }
  return nodeIds[at]
}

/** A number below `end`, each as likely: numbers that would favour some are drawn again. */
function uniform(end: bigint, numbers: Iterator<bigint, never>): bigint {
  const next = () => numbers.next().value
  const [bits, limit] = end > HALF ? [WIDE, end] : [HALF, HALF - (HALF % end)]
  let drawn = next() % bits
  while (drawn >= limit) drawn = next() % bits
  return drawn % end
}

/** With its 64 bits in the opposite order. */
function reversed(slot: number): bigint {
  const bits = slot.toString(2).padStart(64, '0')
  return BigInt(`0b${Array.from(bits).toReversed().join('')}`)
}

function bytesOf({ value, wrong }: Read<Uint8Array>): Buffer {
  if (value === undefined) throw new BaseError('bad_response', `an id cannot be read: ${wrong}`)
  return Buffer.from(value)
}

// MT19937-64 (Nishimura and Matsumoto, 2004): the random numbers from which all nodes draw the same proposers.
const SIZE = 312
const MIDDLE = 156
const LOW_BITS = 0x7fff_ffffn
const HIGH_BITS = 0xffff_ffff_8000_0000n

/** Endless numbers of 64 bits, to which assignments to the state cut what is longer. */
export function* randomNumbers(seed: bigint): Generator<bigint, never> {
  const state = new BigUint64Array(SIZE)
  state[0] = seed
  for (let at = 1; at < SIZE; at += 1) {
    const before = state[at - 1]!
    state[at] = (before ^ (before >> 62n)) * 6_364_136_223_846_793_005n + BigInt(at)
  }
  for (let at = 0; ; at = (at + 1) % SIZE) {
    const mixed = (state[at]! & HIGH_BITS) | (state[(at + 1) % SIZE]! & LOW_BITS)
    const odd = (mixed & 1n) === 1n ? 0xb502_6f5a_a966_19e9n : 0n
    state[at] = state[(at + MIDDLE) % SIZE]! ^ (mixed >> 1n) ^ odd
    yield tempered(state[at]!)
  }
}

function tempered(number: bigint): bigint {
  number ^= (number >> 29n) & 0x5555_5555_5555_5555n
  number ^= (number << 17n) & 0x71d6_7fff_eda6_0000n
  number ^= (number << 37n) & 0xfff7_eee0_0000_0000n
  return number ^ (number >> 43n)
}
