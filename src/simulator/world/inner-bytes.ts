// Blocks of the primary network in the bytes of their chains. Headers are as on the network; transactions are bytes without a
// form, as no code here reads them.

import { createHash } from 'node:crypto'
import type { PrimaryChain } from '../../lib/primary-network.ts'
import { type Block, isDecision } from './blocks.ts'
import { bytesOf } from './ids.ts'

/** Everything here is hexadecimal digits. */
export function integer(value: number, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, '0')
}

/** With its length before it. */
export function sized(digits: string): string {
  return integer(digits.length / 2, 4) + digits
}

const CODEC = integer(0, 2)
const PROPOSAL = integer(29, 4)
const COMMIT = integer(31, 4)
const STANDARD = integer(32, 4)
const OF_X_CHAIN = integer(20, 4)
const NO_TRANSACTIONS = integer(0, 4)

/** The block has `size` bytes. On the C-Chain it is empty if the EVM has no transactions in it. */
export function innerBytes(chain: PrimaryChain, block: Block, isEmpty: boolean): string {
  return chain === 'C' ? evmBlock(block, isEmpty) : filled(chain === 'P' ? headOfP(block) : headOfX(block), block)
}

function headOfP(block: Block): string {
  const { type, time, height, count, parentHash } = block
  const place = digest(parentHash) + integer(height, 8)
  if (isDecision(block)) return CODEC + COMMIT + integer(time, 8) + place
  if (type.includes('Proposal')) return CODEC + PROPOSAL + integer(time, 8) + NO_TRANSACTIONS + place
  return CODEC + STANDARD + integer(time, 8) + place + integer(count, 4)
}

function headOfX({ time, height, count, parentHash }: Block): string {
  return (
    CODEC + OF_X_CHAIN + digest(parentHash) + integer(height, 8) + integer(time, 8) + digest('') + integer(count, 4)
  )
}

function filled(head: string, { hash, size }: Block): string {
  return head + bytesOf(hash, size - head.length / 2)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Bytes of a length in front: the block has one, its list of transactions, and their content. */
const PREFIX = 3
const EMPTY_LIST = 'c0'
const EMPTY_TEXT = '80'

/** An empty one is shorter than `size`. */
function evmBlock({ hash, parentHash, height, time, size }: Block, isEmpty: boolean): string {
  const id = (what: string) => text(digest(`${what} of ${hash}`))
  const header = list(
    text(digest(parentHash)) + id('uncles') + text(bytesOf('coinbase', 20)) + id('state') + id('transactions'),
    id('receipts') + text('00'.repeat(256)) + natural(1) + natural(height) + natural(32_000_000) + natural(21_000),
    natural(time) + EMPTY_TEXT + text('00'.repeat(32)) + text('00'.repeat(8)) + id('what came from other chains'),
  )
  const rest = EMPTY_LIST + EMPTY_TEXT + EMPTY_TEXT
  const room = size - 3 * PREFIX - (header + rest).length / 2
  return list(header, isEmpty ? EMPTY_LIST : list(text(bytesOf(hash, room))), rest)
}

/** Up to 55 bytes one byte says how many there are, else three do. */
function text(digits: string): string {
  const length = digits.length / 2
  return (length > 55 ? `b9${integer(length, 2)}` : integer(0x80 + length, 1)) + digits
}

function list(...items: readonly string[]): string {
  const all = items.join('')
  return `f9${integer(all.length / 2, 2)}${all}`
}

/** Without zeros before it. */
function natural(value: number): string {
  const digits = value === 0 ? '' : value.toString(16)
  const bytes = digits.length % 2 === 0 ? digits : `0${digits}`
  return bytes.length === 2 && value < 0x80 ? bytes : text(bytes)
}
