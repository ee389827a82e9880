// Addresses of the primary network, as the test network writes them: 20 bytes in letters of five bits, and a checksum.

import { addressPrefixes, readAddress, toAddress } from '../../lib/ids.ts'

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** Letters of 20 bytes, and of the checksum behind them. */
export const [LETTERS, CHECKSUM] = [32, 6]

/** The address with these letters, 32 of them. */
export function addressOf(letters: string): string {
  const number = Array.from(letters).reduce((sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)), 0n)
  const bytes = Buffer.from(number.toString(16).padStart(40, '0'), 'hex')
  return toAddress({ chain: undefined, prefix: addressPrefixes.fuji, bytes })
}

export function bytesOfAddress(address: string): Uint8Array {
  return readAddress(address).value!.bytes
}
