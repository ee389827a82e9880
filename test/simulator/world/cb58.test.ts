// Ids of the simulated network are those of a real one in form.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readId, readNodeId } from '../../../src/lib/ids.ts'
import { certificateOf, idOf, nodeIdOf } from '../../../src/simulator/world/ids.ts'
import { numberedId } from '../../../src/simulator/world/random.ts'

// SHA-256 of 'orchard', by sha256sum.
const ORCHARD = '68566dc699f6bb9ea6330371b5dd1c402ae6f717dd30ef15a88d1a7a6afaf8c7'

test('an id holds the digest of its text', () => {
  expect(Buffer.from(readId(idOf('orchard')).value!).toString('hex')).toBe(ORCHARD)
})

test('the id of a node is the digest of the digest of its certificate', () => {
  const certificate = certificateOf('orchard')
  expect(certificate.readUInt16BE(2)).toBe(certificate.length - 4)
  const digest = createHash('sha256').update(certificate).digest()
  const expected = createHash('ripemd160').update(digest).digest('hex')
  expect(Buffer.from(readNodeId(nodeIdOf('orchard')).value!).toString('hex')).toBe(expected)
  expect(nodeIdOf('meadow')).not.toBe(nodeIdOf('orchard'))
})

test('numbered ids are ids, and no two are alike', () => {
  const ids = Array.from({ length: 100 }, (_, at) => numberedId(at, 1, 'ledger', 'P'))
  expect(ids.filter((id) => readId(id).wrong !== undefined)).toEqual([])
  expect(new Set(ids).size).toBe(100)
})
