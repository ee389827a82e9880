// Identifiers in base58 with a checksum.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromCb58, idOf, toCb58 } from '../../../src/simulator/world/cb58.ts'

test.each([
  ['the P-Chain, which is nothing but zeros', '11111111111111111111111111111111LpoYY', '00'.repeat(32)],
  // As live networks know it.
  [
    'the C-Chain of the test network',
    'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
    '7fc93d85c6d62c5b2ac0b519c87010ea5294012d1e407030d6acd0021cac10d5',
  ],
])('%s', (_, text, bytes) => {
  expect(toCb58(Buffer.from(bytes, 'hex'))).toBe(text)
  expect(Buffer.from(fromCb58(text)!).toString('hex')).toBe(bytes)
})

test('there and back, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
      expect([...fromCb58(toCb58(bytes))!]).toEqual([...bytes])
    }),
  )
  expect(fromCb58(idOf('orchard'))).toHaveLength(32)
})

test.each(['', '1', 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWq', 'yH8D0', 'two words'])(
  '%j is none',
  (text) => {
    expect(fromCb58(text)).toBeUndefined()
  },
)
