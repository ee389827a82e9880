import { expect, test } from 'vitest'
import { addressOf, nodeIdOf } from '../../../src/simulator/world/ids.ts'
import { readNodeId } from '../../../src/lib/ids.ts'
import { createWorld } from '../../../src/simulator/world/world.ts'

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
