import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressAhead, createGzip } from '../../src/server/gzip.ts'

const large = Buffer.from('stakewatch_up 1\n'.repeat(20_000))
const noise = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * at * 31) % 251))

const bodies: [string, readonly Uint8Array[]][] = [
  ['no piece', []],
  ['an empty piece', [Buffer.alloc(0)]],
  ['one piece', [Buffer.from('a 1\n')]],
  ['pieces that shrink and pieces that do not', [large, noise, Buffer.from('b 2\n'), Buffer.alloc(0), large]],
]

const unpacked = async (pieces: readonly Uint8Array[]) => gunzipSync(Buffer.concat(await createGzip().whole(pieces)))

test.each(bodies)('%s comes out of a decoder as it was', async (_, pieces) => {
  // The decoder holds the length and the checksum against the content.
  expect(await unpacked(pieces)).toEqual(Buffer.concat(pieces))
})

test('what has changed is compressed anew, and what has not is there again', async () => {
  await unpacked([large, Buffer.from('a 1\n')])
  const body = await unpacked([Buffer.from('a 2\n'), large])
  expect(body.toString()).toBe(`a 2\n${large.toString()}`)
})

test('a large body is sent in the pieces that were compressed, and not copied', async () => {
  const random = randomBytes(5 * 1_048_576)
  await compressAhead([random])
  const [first, again] = [await createGzip().whole([random]), await createGzip().whole([Buffer.from('a 1\n'), random])]
  expect(again.some((piece) => piece.length > random.length && first.includes(piece))).toBe(true)
  expect(gunzipSync(Buffer.concat(again)).equals(Buffer.concat([Buffer.from('a 1\n'), random]))).toBe(true)
})
