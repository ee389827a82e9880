// Ids and addresses that a text leads to, with the checksums that the network writes.

import { hash, createHash } from 'node:crypto'
import { nodeIdOf as idOfCertificate, toCb58, addressPrefixes, readAddress, toAddress } from '../../lib/ids.ts'

/** Bytes that follow the beginning of a certificate. */
const CERTIFICATE = 272

/** What a node shows as its certificate: as in DER, a sequence with a length of two bytes. */
export function certificateOf(text: string): Buffer {
  return Buffer.from(
    `3082${CERTIFICATE.toString(16).padStart(4, '0')}${bytesOf(`certificate ${text}`, CERTIFICATE)}`,
    'hex',
  )
}

/** The id of the node with that certificate. */
export function nodeIdOf(text: string): string {
  return idOfCertificate(certificateOf(text))
}

/** An id of 32 bytes. */
export function idOf(text: string): string {
  return toCb58(hash('sha256', text, 'buffer'))
}

// Bytes that depend on a name alone: the content of blocks, keys and signatures, which no code here parses.

/** Bytes as hex digits; the same name gives the same ones. */
export function bytesOf(name: string, length: number): string {
  return createHash('shake256', { outputLength: length }).update(name).digest('hex')
}

// Addresses of the primary network, as the test network writes them: 20 bytes in letters of five bits, and a checksum.

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
