import { crc32 } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { continued } from '../../src/server/checksum.ts'

// zlib has read the text as a whole.
test('the checksum of a text goes on with that of what stands behind it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.uint8Array({ maxLength: 70_000 }), (text, piece) => {
      expect(continued(crc32(text), crc32(piece), piece.length)).toBe(crc32(piece, crc32(text)))
    }),
  )
})

test.each([0, 1, 2, 65_535, 65_536, 2 ** 24 + 1])('%d bytes', (length) => {
  const piece = Buffer.alloc(length, 'stakewatch_up 1\n')
  expect(continued(crc32('a 1\n'), crc32(piece), length)).toBe(crc32(piece, crc32('a 1\n')))
})
