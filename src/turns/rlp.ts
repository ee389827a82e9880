// RLP, the encoding of EVM blocks: texts of bytes, and lists of them.

import { wrongForm } from './reader.ts'

interface RlpItem {
  isList: boolean
  /** Without the prefix that says how many there are. */
  bytes: Buffer
}

/** The items of the list that all these bytes are. */
export function readRlpList(bytes: Buffer): RlpItem[] {
  const [list, ...others] = readRlpItems(bytes)
  if (!list?.isList || others.length > 0) throw wrongForm('a block is no list in RLP')
  return readRlpItems(list.bytes)
}

/** More than any header has. */
const MOST_ITEMS = 64

/** The items that lie in these bytes, one after the other. */
export function readRlpItems(bytes: Buffer): RlpItem[] {
  const items: RlpItem[] = []
  for (let at = 0; at < bytes.length;) {
    const { isList, start, length } = readPrefix(bytes, at)
    if (length > bytes.length - start) throw wrongForm('a block ends too early')
    at = start + length
    if (items.length === MOST_ITEMS) throw wrongForm('a block has more parts than any')
    items.push({ isList, bytes: bytes.subarray(start, at) })
  }
  return items
}

/** Bytes below this stand for themselves; from here on a byte says how long a text is. */
const TEXT = 0x80
const LIST = 0xc0
/** Up to this length the first byte says it; from there on it says how many bytes the length takes. */
const SHORT = 55
/** A length of more bytes is that of no block. */
const MOST_LENGTH_BYTES = 4

function readPrefix(bytes: Buffer, at: number): { isList: boolean; start: number; length: number } {
  const first = bytes[at]!
  if (first < TEXT) return { isList: false, start: at, length: 1 }
  const isList = first >= LIST
  const short = first - (isList ? LIST : TEXT)
  if (short <= SHORT) return { isList, start: at + 1, length: short }
  const size = short - SHORT
  const start = at + 1 + size
  if (size > MOST_LENGTH_BYTES || start >= bytes.length) throw wrongForm('a block has no valid length in RLP')
  return { isList, start, length: bytes.readUIntBE(at + 1, size) }
}
