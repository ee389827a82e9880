// Blocks in their wrappings: those that AvalancheGo built for the vectors, those of a real network, and what is left of them
// when bytes are missing, added or changed.

import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { type Block, readBlock, readContainer } from '../../src/turns/block.ts'
import { ofEachChain, ofPChain } from './recorded-blocks.ts'
import { bytesIn, vectors } from './vectors.ts'

const wrapped = [
  ...vectors.blocks.map(({ name, bytes }) => [name, bytesIn(bytes)] as const),
  ...ofEachChain.map(
    ([chain, height, { bytes }]) => [`${chain}-Chain ${height}`, bytesIn(bytes).subarray(0, -4)] as const,
  ),
]
const inner = (name: string) => readBlock(wrapped.find(([one]) => one === name)![1]).inner
/** As the C-Chain had them before there were proposers. */
const bare = inner('C-Chain 1')
const blocks = [...wrapped, ['without a wrapping', bare] as const]

/** The place of the length of the certificate: version, type, parent, time and height come before it. */
const CERTIFICATE = 2 + 4 + 32 + 8 + 8

/** Where the signature begins, which the id of a block does not depend on. */
function signatureOf(bytes: Buffer): number {
  const type = bytes.readUInt32BE(2)
  if (type === 1 || bytes[0] !== 0) return bytes.length
  const inner = CERTIFICATE + 4 + bytes.readUInt32BE(CERTIFICATE)
  return inner + 4 + bytes.readUInt32BE(inner) + (type === 2 ? 3 * 8 : 0) + 4
}

/** What reading gives, or the code of its error; any other exception fails the test. */
function outcome(read: () => Block): Block | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof BaseError) return error.code
    throw error
  }
}

test.each(vectors.blocks.map((block) => [block.name, block] as const))('%s', (_, given) => {
  const { id, parentID: parent, timestamp: time, pChainHeight, epochNumber, proposer } = given
  const inner = bytesIn(given.innerBytes)
  const built = {
    time,
    proposer: proposer === '' ? undefined : proposer,
    pChainHeight: BigInt(pChainHeight),
    epoch: epochNumber === undefined ? undefined : BigInt(epochNumber),
  }
  const block = readBlock(bytesIn(given.bytes))
  expect({ ...block, epoch: block.kind === 'block' ? block.epoch?.number : undefined }).toEqual(
    pChainHeight === '' ? { kind: 'option', id, parent, inner } : { kind: 'block', id, parent, inner, ...built },
  )
})

describe('blocks of a real P-Chain', () => {
  const read = ofPChain.map(({ bytes }) => readContainer(bytes))

  test('have the ids under which the index has them, and each is the child of the one before', () => {
    const ids = read.map((block) => block.kind !== 'bare' && block.id)
    const parents = read.map((block) => block.kind !== 'bare' && block.parent)
    expect(ids).toEqual(ofPChain.map(({ id }) => id))
    expect(parents.slice(1)).toEqual(ids.slice(0, -1))
  })

  test('are signed from the second on, until an option ends the list', () => {
    expect(read.map((block) => (block.kind === 'block' ? block.proposer !== undefined : block.kind))).toEqual([
      false,
      ...Array.from({ length: 22 }, () => true),
      'option',
    ])
  })

  test('state times and heights that never fall, and an epoch after the first one', () => {
    const built = read.flatMap((block) => (block.kind === 'block' ? [block] : []))
    expect(built.map(({ pChainHeight }) => pChainHeight)).toEqual(built.map((_, at) => BigInt(at)))
    const times = built.map(({ time }) => time)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect([times[0], times.at(-1)]).toEqual([1_795_303_927, 1_795_304_304])
    expect(built.map(({ epoch }) => epoch && Number(epoch.number)).slice(0, 3)).toEqual([undefined, 1, 1])
    // Each epoch has the time and the height of one of the blocks.
    const headers = built.map(({ time, pChainHeight }) => ({ time, pChainHeight }))
    for (const { epoch } of built.slice(1)) {
      expect(headers).toContainEqual({ time: epoch!.start, pChainHeight: epoch!.pChainHeight })
    }
  })
})

test('a block of the C-Chain without a wrapping is read as such', () => {
  expect(readBlock(bare)).toEqual({ kind: 'bare', inner: bare })
})

describe.each(blocks)('%s', (_, bytes) => {
  test('cut off anywhere it is refused', () => {
    const read = Array.from({ length: bytes.length }, (_, length) =>
      outcome(() => readBlock(bytes.subarray(0, length))),
    )
    expect(read).toEqual(read.map(() => 'bad_response'))
  })

  test('with more bytes it is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 9 }), (more) => {
        expect(outcome(() => readBlock(Buffer.concat([bytes, more])))).toBe('bad_response')
      }),
    )
  })

  test('with another byte it is refused or another block, unless only the signature is another one', () => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(change, ([at, by]) => {
        const changed = Buffer.from(bytes)
        changed[at]! ^= by
        const read = outcome(() => readBlock(changed))
        const isSame = isDeepStrictEqual(read, readBlock(bytes))
        const isRefused = read === 'bad_response' || read === 'unsupported'
        expect({ isSame }).toEqual({ isSame: !isRefused && at >= signatureOf(bytes) })
      }),
      { numRuns: 300 },
    )
  })

  test('with its checksum it is a container, and without it or with another one none', () => {
    const sum = createHash('sha256').update(bytes).digest().subarray(-4)
    const container = `0x${bytes.toString('hex')}${sum.toString('hex')}`
    expect(readContainer(container)).toEqual(readBlock(bytes))
    const wrong = [
      `1${container.slice(1)}`,
      container.slice(0, -8),
      container.slice(0, -1),
      `${container}00`,
      container.slice(2),
      `${container}zz`,
    ]
    expect(wrong.map((one) => outcome(() => readContainer(one)))).toEqual(wrong.map(() => 'bad_response'))
  })
})

test.each(['', '0x', '0x00', '0x55aded', '0xe3b0c442'])('%j is no container', (digits) => {
  expect(outcome(() => readContainer(digits))).toBe('bad_response')
})

test('whatever the bytes, there is a block or an error', () => {
  const beginnings = ['', '000000000000', '000000000001', '000000000002', 'f8', 'f9', 'c0', 'c1']
  const bytes = fc.tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 200 }))
  fc.assert(
    fc.property(bytes, ([beginning, rest]) => {
      expect(outcome(() => readBlock(Buffer.concat([Buffer.from(beginning, 'hex'), rest])))).toBeDefined()
    }),
    { numRuns: 1_000 },
  )
})

describe('what no block has', () => {
  const signed = wrapped[0]![1]
  const certificate = signed.readUInt32BE(CERTIFICATE)
  const sized = (bytes: Uint8Array) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const head = signed.subarray(0, CERTIFICATE)
  const behind = signed.subarray(CERTIFICATE + 4 + certificate)
  const unsigned = behind.subarray(0, 4 + behind.readUInt32BE(0))
  const none = Buffer.alloc(4)
  const withTime = (time: bigint) => {
    const changed = Buffer.from(signed)
    changed.writeBigUInt64BE(time, 2 + 4 + 32)
    return changed
  }

  test.each<[string, Buffer, string]>([
    ['a certificate of more than 2 KiB', Buffer.concat([head, sized(Buffer.alloc(2_049, 1)), behind]), 'bad_response'],
    ['a certificate without a signature', Buffer.concat([head, sized(Buffer.of(1)), unsigned, none]), 'bad_response'],
    ['a signature without a certificate', Buffer.concat([head, none, unsigned, sized(Buffer.of(1))]), 'bad_response'],
    ['a time after all dates', withTime(8_640_000_000_001n), 'bad_response'],
    ['more bytes than a message', Buffer.alloc(2 * 1024 * 1024 + 1), 'too_large'],
    ['a type that comes later', Buffer.from('000000000003', 'hex'), 'unsupported'],
    ['a version that comes later', Buffer.from('000100000000', 'hex'), 'unsupported'],
  ])('%s', (_, bytes, code) => {
    expect(outcome(() => readBlock(bytes))).toBe(code)
  })

  test.each<[string, Buffer]>([
    ['a certificate of 2 KiB', Buffer.concat([head, sized(Buffer.alloc(2_048, 1)), behind])],
    ['the latest time', withTime(8_640_000_000_000n)],
    [
      'as many bytes as a message',
      Buffer.concat([head, none, sized(Buffer.alloc(2 * 1024 * 1024 - head.length - 12)), none]),
    ],
  ])('but %s', (_, bytes) => {
    expect(readBlock(bytes).kind).toBe('block')
  })
})
