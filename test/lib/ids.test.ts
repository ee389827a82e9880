// Ids and addresses: those that live networks know, and what is said about each way to write one wrong.

import { bech32m } from '@scure/base'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readAddress,
  readBlsKey,
  readCb58,
  readEvmAddress,
  readId,
  readNodeId,
  toAddress,
  toCb58,
  toEvmAddress,
} from '../../src/lib/ids.ts'

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')
const P_CHAIN = '11111111111111111111111111111111LpoYY'
const FUJI_C = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'
const MAINNET_C = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'

describe('ids of 32 bytes', () => {
  test.each([
    ['the P-Chain, which is nothing but zeros', P_CHAIN, '00'.repeat(32)],
    ["Fuji's C-Chain, as in warp messages", FUJI_C, '7fc93d85c6d62c5b2ac0b519c87010ea5294012d1e407030d6acd0021cac10d5'],
    ["Mainnet's C-Chain, as in warp", MAINNET_C, '0427d4b22a2a78bcddd456742caf91b56badbff985ee19aef14573e7343fd652'],
  ])('%s', (_, text, bytes) => {
    expect(hex(readId(text).value)).toBe(bytes)
    expect(toCb58(Buffer.from(bytes, 'hex'))).toBe(text)
  })

  test('there and back, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(hex(readId(toCb58(bytes)).value)).toBe(hex(bytes))
      }),
    )
  })

  const CHECKSUM = 'its checksum is wrong, so at least one character is mistyped, missing or added'
  test.each([
    ['nothing', '', 'it is too short for an id'],
    ['three bytes', '111', 'it is too short for an id'],
    ['a changed character', FUJI_C.replace('m', 'n'), CHECKSUM],
    ['two characters in the wrong order', FUJI_C.replace('8D', 'D8'), CHECKSUM],
    ['a missing character', FUJI_C.slice(0, -1), CHECKSUM],
    ['an added character', `${FUJI_C}1`, CHECKSUM],
    ['the bytes of a node id', NODE.slice(7), 'it holds 20 bytes instead of 32, so it is an id of another kind'],
    ['a node id', NODE, 'it is the id of a node'],
    ['a zero, which no id has', FUJI_C.replace('m', '0'), 'it has a character that no id has: a sign, 0, O, I or l'],
    ['a text too long to decode', 'z'.repeat(129), 'it has 129 characters, which is too long for an id'],
  ])('%s is none', (_, text, wrong) => {
    expect(readId(text)).toEqual({ wrong })
  })

  test('detects every change of one character', () => {
    const positions = Array.from(FUJI_C, (_, at) => at)
    const changed = positions.map((at) => FUJI_C.slice(0, at) + (FUJI_C[at] === 'z' ? 'y' : 'z') + FUJI_C.slice(at + 1))
    expect(changed.filter((text) => readId(text).wrong === undefined)).toEqual([])
  })
})

test('bytes of any length have a form in cb58', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(hex(readCb58(toCb58(bytes)).value)).toBe(hex(bytes))
    }),
  )
})

describe('node ids', () => {
  test.each([
    // The five first nodes of a local network.
    NODE,
    'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
    'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
    'NodeID-GWPcbFJZFfZreETSoWjPimr846mXEKCtu',
    'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
    // The empty node id, which an inactive validator of an L1 has.
    'NodeID-111111111111111111116DBWJs',
  ])('%s', (text) => {
    expect(readNodeId(text).value).toHaveLength(20)
  })

  test.each([
    ['without its beginning', NODE.slice(7), 'it does not begin with NodeID-'],
    ['with a wrong beginning', NODE.replace('NodeID', 'nodeid'), 'it does not begin with NodeID-'],
    [
      'with a wrong checksum',
      NODE.replace('7Xhw', '7Xhv'),
      'its checksum is wrong, so at least one character is mistyped, missing or added',
    ],
    [
      'that is the id of a chain',
      `NodeID-${FUJI_C}`,
      'it holds 32 bytes instead of 20, so it is an id of another kind',
    ],
  ])('%s', (_, text, wrong) => {
    expect(readNodeId(text)).toEqual({ wrong })
  })
})

describe('addresses in bech32', () => {
  // The first public key of BIP 173, hashed.
  const bytes = Buffer.from('751e76e8199196d454941c45d1b3a323f1433bd6', 'hex')
  const own = 'avax1w508d6qejxtdg4y5r3zarvary0c5xw7k0l6nk9'

  test.each([
    [own, undefined, 'avax'],
    [`P-${own}`, 'P', 'avax'],
    [`X-${own}`, 'X', 'avax'],
    [`C-${own}`, 'C', 'avax'],
  ])('%s', (text, chain, prefix) => {
    expect(readAddress(text).value).toEqual({ chain, prefix, bytes: new Uint8Array(bytes) })
    expect(toAddress({ chain, prefix, bytes })).toBe(text)
  })

  // As a real node of a local network wrote them.
  test.each(['P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u', 'P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2'])(
    '%s',
    (text) => {
      const { value } = readAddress(text)
      expect(value).toMatchObject({ chain: 'P', prefix: 'local' })
      expect(toAddress(value!)).toBe(text)
    },
  )

  test('a checksum of bech32m is as good, as it is to a node', () => {
    const text = bech32m.encode('fuji', bech32m.toWords(bytes))
    expect(hex(readAddress(text).value?.bytes)).toBe(hex(bytes))
  })

  const CHECKSUM = 'its checksum is wrong, so at least one character is mistyped, missing or added'
  test.each([
    ['nothing', '', 'it has no name of a network followed by a 1, as in avax1...'],
    ['a changed character', own.replace('w508', 'w509'), CHECKSUM],
    ['the characters under the prefix of another network', own.replace('avax', 'fuji'), CHECKSUM],
    ['a missing character', own.slice(0, -1), CHECKSUM],
    [
      'a character that is none of bech32',
      own.replace('w508', 'wi08'),
      'it has a character that no address has after its first 1: a sign, 1, b, i or o',
    ],
    ['capitals', own.toUpperCase(), 'it has capital letters after the alias of the chain'],
    ['a node id', NODE, 'it is the id of a node'],
    ['an address of an EVM chain', `0x${'00'.repeat(20)}`, 'it is an address of an EVM chain'],
    ['an unknown chain', `Q-${own}`, 'the prefix before its dash is none of P, X and C'],
    ['two chains', `P-X-${own}`, 'the prefix before its dash is none of P, X and C'],
    [
      // The address of BIP 173's own example, 20 bytes without the version of a witness.
      'an address of another kind of network',
      toAddress({ chain: undefined, prefix: 'bc', bytes }),
      'it begins with none of avax1, fuji1, local1, custom1',
    ],
    ['too few bytes', toAddress({ chain: 'P', prefix: 'avax', bytes: bytes.subarray(1) }), 'it does not hold 20 bytes'],
  ])('%s is none', (_, text, wrong) => {
    expect(readAddress(text)).toEqual({ wrong })
  })
})

describe('addresses of EVM chains', () => {
  // EIP-55's own examples: capitals alone, small letters alone, and mixed.
  test.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('%s', (text) => {
    expect(readEvmAddress(text)).toEqual({ value: text.toLowerCase() })
    expect(toEvmAddress(text.toLowerCase())).toBe(text)
  })

  test.each([
    [
      'one capital letter made small',
      '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      'its capital letters do not match its checksum (EIP-55), so at least one character is mistyped',
    ],
    [
      'one digit changed',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAec',
      'its capital letters do not match its checksum (EIP-55), so at least one character is mistyped',
    ],
    ['one digit missing', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'it is not 0x and 40 hexadecimal digits'],
    ['no 0x', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'it is not 0x and 40 hexadecimal digits'],
  ])('%s is none', (_, text, wrong) => {
    expect(readEvmAddress(text)).toEqual({ wrong })
  })
})

describe('BLS keys', () => {
  // As a real node wrote it.
  const key = '0x8048109c3da13de0700f9f3590c3270bfc42277417f6d0cc84282947e1a1f8b4980fd3e3fe223acf0f56a5838890814a'

  test('48 bytes, in any case', () => {
    expect(readBlsKey(key)).toEqual({ value: key })
    expect(readBlsKey(`0x${key.slice(2).toUpperCase()}`)).toEqual({ value: key })
  })

  test.each([
    ['a byte missing', key.slice(0, -2), 'it holds 47 bytes instead of 48'],
    ['its proof of possession instead', `0x${'b0'.repeat(96)}`, 'it holds 96 bytes instead of 48'],
    ['no 0x', key.slice(2), 'it is not 0x and pairs of hexadecimal digits'],
    ['half a byte', key.slice(0, -1), 'it is not 0x and pairs of hexadecimal digits'],
  ])('%s is none', (_, text, wrong) => {
    expect(readBlsKey(text)).toEqual({ wrong })
  })
})
