// Who may build a block: of each slot exactly one validator, whom all nodes draw alike. Chains do so since Durango.

import { BaseError, refusal } from '../errors.ts'
import { NODE_ID_PREFIX, type Read, readId, readNodeId, toCb58 } from '../lib/ids.ts'
import { randomNumbers } from './mersenne-twister.ts'

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
