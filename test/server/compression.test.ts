import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createCompression } from '../../src/server/negotiate.ts'

const large = Buffer.from('stakewatch_up 1\n'.repeat(20_000))
const huge = Buffer.concat(Array.from({ length: 5 }, () => large))
const noise = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * at * 31) % 251))

test.each<[string, readonly Uint8Array[]]>([
  ['no piece', []],
  ['an empty piece', [Buffer.alloc(0)]],
  ['one piece', [Buffer.from('a 1\n')]],
  ['pieces of many sizes', [huge, Buffer.from('b 2\n'), ...Array.from({ length: 5 }, () => large), huge]],
  ['pieces that shrink and pieces that do not', [large, noise, Buffer.from('b 2\n'), Buffer.alloc(0), large]],
])('%s is joined, and comes out of a decoder as it was', async (_, pieces) => {
  const { plain, gzip } = createCompression()
  const joined = Buffer.concat(pieces)
  expect(joined.equals(plain(pieces))).toBe(true)
  // The decoder checks length and checksum.
  expect(gunzipSync(await gzip(pieces)).equals(joined)).toBe(true)
})
