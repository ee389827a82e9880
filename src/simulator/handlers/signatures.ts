// What both operations of signature aggregation share: the validators sign one after the other until there is enough.

import { type Dialect, Refusal } from '../handler.ts'
import { signedMessage, type Signer } from '../world/warp.ts'

/** Percentages of the weight: needed, and tried for. */
interface Quorum {
  needed: number
  triedFor: number
}

/** Hexadecimal, in the live form without 0x. Throws a refusal when the weight of those who sign is not enough. */
export function collectSignatures(
  message: Uint8Array,
  signers: readonly Signer[],
  quorum: Quorum,
  dialect: Dialect,
): string {
  const total = weightOf(signers)
  const isEnough = (weight: bigint, percent: number) => weight * 100n >= total * BigInt(percent)
  let weight = 0n
  const signed = signers.map((signer) => {
    if (!signer.signs || isEnough(weight, quorum.triedFor)) return false
    weight += signer.weight
    return true
  })
  if (!isEnough(weight, quorum.needed)) {
    const share = Number((weight * 10_000n) / total) / 100
    throw new Refusal(500, `quorum not reached: ${share} % of the weight signed, ${quorum.needed} % are needed`)
  }
  const digits = Buffer.from(signedMessage(message, signed)).toString('hex')
  return dialect === 'live' ? digits : `0x${digits}`
}

function weightOf(signers: readonly Signer[]): bigint {
  return signers.reduce((sum, { weight }) => sum + weight, 0n)
}
