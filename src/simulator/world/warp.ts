// Messages that the validators of a subnet sign, as bytes (ids are 32 bytes each).

import { createHash } from 'node:crypto'
import { readId, toCb58 } from '../../lib/ids.ts'
import { wholeStake } from './stakes.ts'
import type { World } from './world.ts'
import { chainIds } from './fixed-ids.ts'

export interface Signer {
  nodeId: string
  weight: bigint
  /** Whether it can be reached and would sign. */
  signs: boolean
}

const FUJI = 5
/** A version, the network's number, the id of the source chain, and the length of what follows. */
const HEADER = 42

export function unsignedMessage(sourceId: string, payload: Uint8Array): Uint8Array {
  const header = Buffer.alloc(HEADER)
  header.writeUInt32BE(FUJI, 2)
  header.set(readId(sourceId).value!, 6)
  header.writeUInt32BE(payload.length, HEADER - 4)
  return Buffer.concat([header, payload])
}

/** The id of the chain that it comes from; undefined when it is no message of this network. */
export function sourceOf(message: Uint8Array): string | undefined {
  const bytes = Buffer.from(message)
  const isMessage = bytes.length >= HEADER && bytes.readUInt16BE(0) === 0 && bytes.readUInt32BE(2) === FUJI
  if (!isMessage || bytes.readUInt32BE(HEADER - 4) !== bytes.length - HEADER) return undefined
  return toCb58(bytes.subarray(6, HEADER - 4))
}

/** By the id of a chain; undefined when there is no such chain. */
export function subnetOf({ l1s }: World, blockchainId: string): string | undefined {
  if (Object.values(chainIds).includes(blockchainId)) return chainIds.P
  return l1s.all.find((l1) => l1.blockchainId === blockchainId)?.subnetId
}

/** Those who have a weight in a subnet, in the order of their node ids; undefined when there is no such subnet. */
export function signersOf({ validators, l1s, now }: World, subnetId: string): Signer[] | undefined {
  const l1 = l1s.all.find((one) => one.subnetId === subnetId)
  if (!l1 && subnetId !== chainIds.P) return undefined
  const signers = l1
    ? [
        ...l1.validators.map(({ nodeId, weight, inactiveSince }) => ({
          nodeId,
          weight,
          signs: inactiveSince === undefined && !l1.isSilent,
        })),
        // From before the conversion: they count, but are not asked.
        ...l1.legacy.filter(({ end }) => end > now()).map(({ nodeId, weight }) => ({ nodeId, weight, signs: false })),
      ]
    : [...validators.all.values()].map((one) => ({
        nodeId: one.nodeId,
        weight: wholeStake(one),
        // As the first observer sees it.
        signs: one.views.values().next().value?.since === undefined,
      }))
  return signers.toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1))
}

/** With a bit for each of the signers, the first in the lowest, and 96 bytes that cannot be verified. */
export function signedMessage(message: Uint8Array, signed: readonly boolean[]): Uint8Array {
  const bits = signed.reduce((sum, one, at) => (one ? sum | (1n << BigInt(at)) : sum), 0n).toString(16)
  const signers = Buffer.from(bits.padStart(bits.length + (bits.length % 2), '0'), 'hex')
  const block = Buffer.alloc(8)
  block.writeUInt32BE(signers.length, 4)
  const signature = createHash('shake256', { outputLength: 96 }).update(message).update(signers).digest()
  return Buffer.concat([message, block, signers, signature])
}
