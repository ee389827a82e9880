// What a block of a chain holds inside of its wrapping: the chain's own block, of which only its height and whether it is empty
// are read.

import { BaseError } from '../errors.ts'
import type { PrimaryChain } from '../lib/primary-network.ts'
import { createReader, type Reader, wrongForm } from './reader.ts'
import { readRlpItems, readRlpList } from './rlp.ts'

interface InnerBlock {
  /** Undefined where transactions come before it, which are not read here. */
  height: bigint | undefined
  /** It has no transaction. Undefined if the form of the block does not say so for certain. */
  isEmpty: boolean | undefined
}

export function readInner(chain: PrimaryChain, bytes: Buffer): InnerBlock {
  return chain === 'C' ? readEvmBlock(bytes) : readCodecBlock(chain, bytes)
}

type Read = (reader: Reader) => InnerBlock

/** By chain and type. Older blocks of the P-Chain, from before Banff (2022), have other types. */
const forms: Readonly<Record<'P' | 'X', Readonly<Record<number, Read>>>> = {
  P: {
    29: readProposal,
    30: readOption,
    31: readOption,
    32: readStandard,
  },
  X: { 20: readOfXChain },
}

const CODEC_VERSION = 0

function readCodecBlock(chain: 'P' | 'X', bytes: Buffer): InnerBlock {
  const reader = createReader(bytes)
  const [version, type] = [reader.uint16(), reader.uint32()]
  const read = version === CODEC_VERSION ? forms[chain][type] : undefined
  if (read) return read(reader)
  throw new BaseError(
    'unsupported',
    `blocks of the ${chain}-Chain of version ${version} and type ${type} cannot be read`,
  )
}

/** Its decision about a staker follows, and before its height there may be transactions. */
function readProposal(reader: Reader): InnerBlock {
  reader.time()
  const height = reader.uint32() > 0 ? undefined : heightAfterParent(reader)
  return { height, isEmpty: false }
}

/** It says what becomes of its parent's proposal, and has no transactions of its own. */
function readOption(reader: Reader): InnerBlock {
  reader.time()
  const height = heightAfterParent(reader)
  reader.end()
  return { height, isEmpty: true }
}

function readStandard(reader: Reader): InnerBlock {
  reader.time()
  const height = heightAfterParent(reader)
  return { height, isEmpty: hasNone(reader) }
}

function readOfXChain(reader: Reader): InnerBlock {
  const height = heightAfterParent(reader)
  reader.time()
  // The root of a tree that no block has yet.
  reader.id()
  return { height, isEmpty: hasNone(reader) }
}

function heightAfterParent(reader: Reader): bigint {
  reader.id()
  return reader.uint64()
}

/** The transactions come last. */
function hasNone(reader: Reader): boolean {
  if (reader.uint32() > 0) return false
  reader.end()
  return true
}

/** The place of a block's number in its header, and the most bytes that it has. */
const NUMBER = 8
const NUMBER_BYTES = 8
/** Header, transactions, uncles, version, and what came from other chains. */
const PARTS = 5

function readEvmBlock(bytes: Buffer): InnerBlock {
  const parts = readRlpList(bytes)
  const [header, transactions, , , others] = parts
  if (!header?.isList || !transactions?.isList) throw wrongForm('a block of the C-Chain has no header or transactions')
  const number = readRlpItems(header.bytes)[NUMBER]
  if (!number || number.isList || number.bytes.length > NUMBER_BYTES)
    throw wrongForm('a block of the C-Chain has no number')
  return {
    height: BigInt(`0x0${number.bytes.toString('hex')}`),
    isEmpty: parts.length === PARTS ? transactions.bytes.length === 0 && others?.bytes.length === 0 : undefined,
  }
}
