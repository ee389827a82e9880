// Identifiers as the network writes them: bytes with a checksum, in base58.

import { createHash } from 'node:crypto'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

export function toCb58(bytes: Uint8Array): string {
  const all = Buffer.concat([bytes, sha256(bytes).subarray(-4)])
  let digits = ''
  for (let rest = BigInt(`0x${all.toString('hex')}`); rest > 0n; rest /= 58n) {
    digits = ALPHABET[Number(rest % 58n)]! + digits
  }
  const zeros = all.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros) + digits
}

/** Undefined when the text is none, or its checksum is wrong. */
export function fromCb58(text: string): Uint8Array | undefined {
  const digits = Array.from(text, (digit) => ALPHABET.indexOf(digit))
  if (digits.includes(-1)) return undefined
  const number = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n).toString(16)
  const zeros = digits.findIndex((digit) => digit !== 0)
  const all = Buffer.from(
    '00'.repeat(Math.max(0, zeros)) + number.padStart(number.length + (number.length % 2), '0'),
    'hex',
  )
  const [bytes, checksum] = [all.subarray(0, -4), all.subarray(-4)]
  return sha256(bytes).subarray(-4).equals(checksum) ? bytes : undefined
}

/** The id of a node, of 20 bytes, that a text leads to. */
export function nodeIdOf(text: string): string {
  return `NodeID-${toCb58(sha256(Buffer.from(text)).subarray(0, 20))}`
}

/** An identifier of 32 bytes that a text leads to. */
export function idOf(text: string): string {
  return toCb58(sha256(Buffer.from(text)))
}
