// Ids of the simulated network are those of a real one in form.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readId, readNodeId } from '../../../src/lib/ids.ts'
import { addressOf, certificateOf, idOf, nodeIdOf } from '../../../src/simulator/world/ids.ts'
import { numberedId } from '../../../src/simulator/world/random.ts'
import { createWorld } from '../../../src/simulator/world/world.ts'

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

test('an address ends in the checksum of bech32', () => {
  // The well-known address of the key that local networks fund, in its form for the test network.
  expect(addressOf('8jma8ppw3nhx5r4ap8clazz0dps7rv5u')).toBe('fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t')
})

test('every id of a node has a checksum that a node takes', () => {
  const { validators, l1s } = createWorld({ seed: 1, epoch: 4_000, validators: 5, delegations: 5, observers: 2 })
  const members = l1s.all.flatMap(({ validators, legacy }) => [...validators, ...legacy])
  const ids = [...validators.all.keys(), ...members.map(({ nodeId }) => nodeId), nodeIdOf('any')]
  expect(ids.filter((id) => readNodeId(id).wrong !== undefined)).toEqual([])
})
