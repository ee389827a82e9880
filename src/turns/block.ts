// Blocks as their proposers wrapped them: what a node's index of blocks holds (document 2, Index container).

import { hash } from 'node:crypto'
import { BaseError } from '../errors.ts'
import { nodeIdOf, toCb58 } from '../lib/ids.ts'
import { createReader, type Reader, wrongForm } from './reader.ts'
import { readRlpList } from './rlp.ts'

/** What the next block's turn depends on. */
export interface Header {
  /** In Unix seconds. */
  time: number
  /** At this height of the P-Chain, the validators have the turns for the next block. */
  pChainHeight: bigint
}

export interface BuiltBlock extends Header {
  kind: 'block'
  id: string
  parent: string
  /** Undefined where any node could build it. */
  proposer: string | undefined
  /** Since Granite. */
  epoch: { pChainHeight: bigint; number: bigint; start: number } | undefined
  /** The block of the chain itself. */
  inner: Buffer
}

/** One of the two ways to go on after a proposal. It has no turn, and its header is that of its parent. */
interface OptionBlock {
  kind: 'option'
  id: string
  parent: string
  inner: Buffer
}

/** A block of the C-Chain from before there were proposers. */
interface BareBlock {
  kind: 'bare'
  inner: Buffer
}

export type Block = BuiltBlock | OptionBlock | BareBlock

const CODEC_VERSION = 0
/** What begins so is a list in RLP. */
const LIST = 0xc000
const BUILT = 0
const OPTION = 1
const BUILT_IN_EPOCH = 2

const CHECKSUM_BYTES = 4
/** Nodes send no larger message. */
const MOST_BYTES = 2 * 1024 * 1024
/** Nodes refuse larger certificates. */
const MOST_CERTIFICATE_BYTES = 2 * 1024

/** Reads `bytes` of a container: hexadecimal digits that end in a checksum. */
export function readContainer(digits: string): Block {
  const bytes = Buffer.from(digits.slice(2), 'hex')
  if (!digits.startsWith('0x') || digits.length !== 2 + 2 * bytes.length) {
    throw wrongForm('a container is not 0x and pairs of hexadecimal digits')
  }
  const content = bytes.subarray(0, -CHECKSUM_BYTES)
  if (!hash('sha256', content, 'buffer').subarray(-CHECKSUM_BYTES).equals(bytes.subarray(-CHECKSUM_BYTES))) {
    throw wrongForm('the checksum of a container is wrong')
  }
  return readBlock(content)
}

export function readBlock(bytes: Buffer): Block {
  if (bytes.length > MOST_BYTES) throw new BaseError('too_large', 'a block is larger than any that nodes send')
  const reader = createReader(bytes)
  const version = reader.uint16()
  if (version >= LIST) return readBare(bytes)
  if (version !== CODEC_VERSION) throw new BaseError('unsupported', `blocks of version ${version} cannot be read`)
  const type = reader.uint32()
  if (type === OPTION) return readOption(reader, bytes)
  if (type === BUILT || type === BUILT_IN_EPOCH) return readBuilt(reader, bytes, type === BUILT_IN_EPOCH)
  throw new BaseError('unsupported', `blocks of type ${type} cannot be read`)
}

function readBare(bytes: Buffer): BareBlock {
  readRlpList(bytes)
  return { kind: 'bare', inner: bytes }
}

function readBuilt(reader: Reader, bytes: Buffer, hasEpoch: boolean): BuiltBlock {
  const parent = reader.id()
  const header = { time: reader.time(), pChainHeight: reader.uint64() }
  const certificate = reader.sized(MOST_CERTIFICATE_BYTES)
  const inner = reader.sized()
  const epoch = hasEpoch ? { pChainHeight: reader.uint64(), number: reader.uint64(), start: reader.time() } : undefined
  // The id is that of the block before it was signed.
  const unsigned = bytes.subarray(0, reader.position())
  const isSigned = reader.sized().length > 0
  reader.end()
  const hasProposer = certificate.length > 0
  if (isSigned !== hasProposer) throw wrongForm('a block has a certificate without a signature, or the other way round')
  return {
    kind: 'block',
    id: idOf(unsigned),
    parent,
    ...header,
    proposer: hasProposer ? nodeIdOf(certificate) : undefined,
    epoch,
    inner,
  }
}

function readOption(reader: Reader, bytes: Buffer): OptionBlock {
  const option = { parent: reader.id(), inner: reader.sized() }
  reader.end()
  return { kind: 'option', id: idOf(bytes), ...option }
}

function idOf(bytes: Buffer): string {
  return toCb58(hash('sha256', bytes, 'buffer'))
}
