// Ids and addresses as the network writes them. Each has a checksum, so a typing error shows without asking an
// upstream.

import { hash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32, bech32m } from '@scure/base'

/** `wrong` says why the text is invalid, and repeats nothing of it: it may be a secret in the wrong place. */
export type Read<T> = { value: T; wrong?: undefined } | { value?: undefined; wrong: string }

const CHECKSUM_BYTES = 4
const ID_BYTES = 32
const SHORT_ID_BYTES = 20
const BLS_KEY_BYTES = 48
/** Decoding base58 takes quadratic time; the longest id has about 50 characters. */
const LONGEST = 128

export const NODE_ID_PREFIX = 'NodeID-'

const BAD_CHECKSUM = 'its checksum is wrong, so at least one character is mistyped, missing or added'

/** Bytes in cb58: base58 of the bytes and of the last four bytes of their SHA-256. */
export function toCb58(bytes: Uint8Array): string {
  return base58.encode(Buffer.concat([bytes, checksumOf(bytes)]))
}

/** The bytes that a text in cb58 encodes. */
export function readCb58(text: string): Read<Uint8Array> {
  if (/[^1-9A-HJ-NP-Za-km-z]/.test(text)) {
    return { wrong: 'it has a character that no id has: a sign, 0, O, I or l' }
  }
  if (text.length > LONGEST) return { wrong: `it has ${text.length} characters, which is too long for an id` }
  const all = base58.decode(text)
  const bytes = all.subarray(0, -CHECKSUM_BYTES)
  if (all.length < CHECKSUM_BYTES) return { wrong: 'it is too short for an id' }
  if (!checksumOf(bytes).equals(all.subarray(-CHECKSUM_BYTES))) return { wrong: BAD_CHECKSUM }
  return { value: bytes }
}

/** The id of a subnet, a chain, a transaction, an asset, a block, or of the validation of an L1. */
export function readId(text: string): Read<Uint8Array> {
  return text.startsWith(NODE_ID_PREFIX) ? { wrong: 'it is the id of a node' } : ofLength(readCb58(text), ID_BYTES)
}

export function readNodeId(text: string): Read<Uint8Array> {
  if (!text.startsWith(NODE_ID_PREFIX)) return { wrong: `it does not begin with ${NODE_ID_PREFIX}` }
  return ofLength(readCb58(text.slice(NODE_ID_PREFIX.length)), SHORT_ID_BYTES)
}

/** The id of the node that has this certificate, in DER. */
export function nodeIdOf(certificate: Uint8Array): string {
  return NODE_ID_PREFIX + toCb58(ripemd160(hash('sha256', certificate, 'buffer')))
}

/** The prefix of a network's addresses, the human-readable part of bech32, by network name. */
export const addressPrefixes = { mainnet: 'avax', fuji: 'fuji', local: 'local', custom: 'custom' } as const

export interface Address {
  /** The alias of the chain before the address, such as P; undefined without one. */
  chain: string | undefined
  /** One of the values of `addressPrefixes`. */
  prefix: string
  bytes: Uint8Array
}

const knownPrefixes: readonly string[] = Object.values(addressPrefixes)

/** An address of the P-, X- or C-Chain in bech32: with the alias of its chain as a node wants it, or without. */
export function readAddress(text: string): Read<Address> {
  if (text.startsWith('0x')) return { wrong: 'it is an address of an EVM chain' }
  if (text.startsWith(NODE_ID_PREFIX)) return { wrong: 'it is the id of a node' }
  const [, chain, plain = ''] = /^(?:(.*)-)?([^-]*)$/s.exec(text)!
  if (chain !== undefined && !['P', 'X', 'C'].includes(chain))
    return { wrong: 'the prefix before its dash is none of P, X and C' }
  if (plain !== plain.toLowerCase()) return { wrong: 'it has capital letters after the alias of the chain' }
  // Nodes accept both checksums.
  const decoded = bech32.decodeUnsafe(plain) ?? bech32m.decodeUnsafe(plain)
  if (decoded === undefined) return { wrong: undecodable(plain) }
  const { prefix, words } = decoded
  const bytes = bech32.fromWordsUnsafe(words)
  if (bytes?.length !== SHORT_ID_BYTES) return { wrong: `it does not hold ${SHORT_ID_BYTES} bytes` }
  if (!knownPrefixes.includes(prefix)) {
    return { wrong: `it begins with none of ${knownPrefixes.map((known) => `${known}1`).join(', ')}` }
  }
  return { value: { chain, prefix, bytes } }
}

export function toAddress({ chain, prefix, bytes }: Address): string {
  const plain = bech32.encode(prefix, bech32.toWords(bytes))
  return chain === undefined ? plain : `${chain}-${plain}`
}

function undecodable(plain: string): string {
  const parts = /^[a-z]+1([^]*)$/.exec(plain)
  if (parts === null) return 'it has no name of a network followed by a 1, as in avax1...'
  if (/[^02-9ac-hj-np-z]/.test(parts[1]!)) {
    return 'it has a character that no address has after its first 1: a sign, 1, b, i or o'
  }
  return BAD_CHECKSUM
}

/** An address of an EVM chain. Its capitals are a checksum (EIP-55); without any, or in capitals alone, it has none. */
export function readEvmAddress(text: string): Read<string> {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return { wrong: 'it is not 0x and 40 hexadecimal digits' }
  const digits = text.slice(2)
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!isPlain && text !== toEvmAddress(text)) {
    return {
      wrong: 'its capital letters do not match its checksum (EIP-55), so at least one character is mistyped',
    }
  }
  return { value: text.toLowerCase() }
}

/** With the capitals that are its checksum. */
export function toEvmAddress(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex')
  const marked = Array.from(digits, (digit, at) => (hash[at]! >= '8' ? digit.toUpperCase() : digit))
  return `0x${marked.join('')}`
}

/** The public key that a validator signs messages with, compressed. It has no checksum. */
export function readBlsKey(text: string): Read<string> {
  if (!/^0x([0-9a-f]{2})*$/i.test(text)) return { wrong: 'it is not 0x and pairs of hexadecimal digits' }
  const bytes = (text.length - 2) / 2
  if (bytes !== BLS_KEY_BYTES) return { wrong: `it holds ${bytes} bytes instead of ${BLS_KEY_BYTES}` }
  return { value: text.toLowerCase() }
}

function checksumOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(-CHECKSUM_BYTES)
}

function ofLength(read: Read<Uint8Array>, length: number): Read<Uint8Array> {
  if (read.wrong !== undefined || read.value.length === length) return read
  return { wrong: `it holds ${read.value.length} bytes instead of ${length}, so it is an id of another kind` }
}
