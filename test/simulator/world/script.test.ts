// What a world does on actions: the transactions that come of it, and what is refused.

import { describe, expect, test } from 'vitest'
import type { Action } from '../../../src/simulator/world/actions.ts'
import { createWorld } from '../../../src/simulator/world/world.ts'

const EPOCH = 1_780_000_000
const paces = { P: 10, X: 20, C: 2 }
const start = () => createWorld({ seed: 1, epoch: EPOCH, validators: 5, delegations: 5, observers: 2, paces })
type World = ReturnType<typeof start>
const [ONE, TWO] = ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ']

const elm: Action = { kind: 'create-subnet', subnet: 'elm', evmChainId: 50_001 }
const founded: Action = { kind: 'convert', subnet: 'elm', validators: [{ nodeId: ONE, weight: 7, balance: 5_120 }] }
const stake: Action = { kind: 'stake', nodeId: ONE, amount: 3_000, reward: 70, fee: 2, duration: 100 }

/** Each action gets a block of its own. */
function played(...actions: readonly Action[]): World {
  const world = start()
  for (const action of actions) {
    expect(world.take(action)).toBe(true)
    world.advance(world.now() + 10)
  }
  return world
}

describe('an action is refused and changes nothing,', () => {
  const [first] = start().validators.observers as [string, string]
  test.each<[string, Action, Action[]]>([
    ['to an unknown subnet', { kind: 'remove-from-subnet', subnet: 'elm', nodeId: ONE }, []],
    [
      'when an L1 has the node already',
      { kind: 'register', subnet: 'elm', nodeId: ONE, weight: 1, balance: 1 },
      [elm, founded],
    ],
    [
      'to a weight that the L1 does not know',
      { kind: 'set-weight', subnet: 'elm', nodeId: TWO, weight: 1 },
      [elm, founded],
    ],
    ['when the node has a stake already', stake, [stake]],
    ['to a node without an API', { kind: 'restore', nodeId: ONE, behind: 10, pace: 2 }, [stake]],
    [
      'to a node that has another name now',
      { kind: 'restore', nodeId: first, behind: 10, pace: 2 },
      [{ kind: 'restore', nodeId: first, behind: 10, pace: 2, name: TWO }],
    ],
    ['to a validator that is not there', { kind: 'disconnect', nodeId: ONE }, []],
  ])('%s', (_, action, before) => {
    const world = played(...before)
    const sizes = () => world.l1s.all.map(({ validators, legacy }) => validators.length + legacy.length)
    const were = [sizes(), world.validators.all.size]
    const head = world.chains.P.head()
    expect(world.take(action)).toBe(false)
    world.advance(world.now() + 10)
    expect([sizes(), world.validators.all.size]).toEqual(were)
    expect(world.chains.P.head()).toBe(head + 1)
  })
})

test('a stake that is not renewed ends with its reward, and what was staked is free', () => {
  const world = played(stake)
  const { txId, owner } = world.validators.all.get(ONE)!
  expect(world.ledger.find(txId)).toMatchObject({ type: 'AddPermissionlessValidatorTx', time: EPOCH + 10 })
  world.advance(EPOCH + 110)
  expect(world.validators.all.has(ONE)).toBe(false)
  world.advance(EPOCH + 120)
  expect(world.staking.paidFor(ONE)).toMatchObject([
    { type: 'VALIDATOR', owner, amount: 70n, utxo: { time: EPOCH + 120 } },
  ])
  const [staked] = world.ledger.find(txId)!.emitted
  expect(staked).toMatchObject({ amount: 3_000n, stake: { start: EPOCH + 10, end: EPOCH + 110 } })
  expect([...world.ledger.unspentOf(owner)]).toContain(staked)
})

describe('a stake that renews itself', () => {
  const renewing = { ...stake, renewal: { period: 200, shares: 1_000_000 } }
  const setting = (period: number, shares: number): Action => ({
    kind: 'set-renewal',
    nodeId: ONE,
    renewal: { period, shares },
  })
  const owned = (world: World) => world.validators.all.get(ONE)

  test('goes on with its reward after its first term, and with none of it when its owner decides so', () => {
    const world = played(renewing)
    const { txId, owner } = owned(world)!
    expect(world.ledger.find(txId)).toMatchObject({ type: 'AddAutoRenewedValidatorTx', time: EPOCH + 10 })
    world.advance(EPOCH + 110)
    expect(owned(world)).toMatchObject({ txId, start: EPOCH + 110, end: EPOCH + 310, weight: 3_070n })
    expect(world.take(setting(300, 0))).toBe(true)
    // With the next block.
    expect(owned(world)!.renewal).toEqual({ period: 200, shares: 1_000_000 })
    world.advance(EPOCH + 120)
    expect([...world.ledger.transactions('P', 'desc')].map(({ type }) => type)).toContain(
      'SetAutoRenewedValidatorConfigTx',
    )
    const { reward } = owned(world)!
    world.advance(EPOCH + 320)
    expect(owned(world)).toMatchObject({ txId, start: EPOCH + 310, end: EPOCH + 610, weight: 3_070n })
    // Of the first period nothing was paid: all of it was staked again.
    expect(world.staking.paidFor(ONE).map(({ owner: to, amount }) => [to, amount])).toEqual([
      [owner, 0n],
      [owner, reward],
    ])
  })

  test('leaves with its reward when its owner decides so, and without when it was away too long', () => {
    const world = played(renewing, setting(0, 0))
    world.advance(EPOCH + 120)
    expect(owned(world)).toBeUndefined()
    expect(world.staking.paidFor(ONE)).toMatchObject([{ type: 'VALIDATOR', amount: 70n }])

    const lost = played(renewing, { kind: 'disconnect', nodeId: ONE })
    lost.advance(EPOCH + 120)
    expect(owned(lost)).toBeUndefined()
    expect(lost.staking.paidFor(ONE)).toEqual([])
  })

  test('is no other one: a validator with a fixed term cannot renew itself', () => {
    expect(played(stake).take(setting(100, 0))).toBe(false)
    expect(start().take(setting(100, 0))).toBe(false)
  })
})

test('an L1 that was a permissioned subnet has the transactions of both in its past', () => {
  const { ledger, l1s } = start()
  const { subnetId, legacy } = l1s.all.find(({ name }) => name === 'harbour')!
  const past = [...ledger.transactions('P', 'asc')].filter(({ facts }) => facts.subnetId === subnetId)
  expect(past.map(({ type }) => type)).toEqual([
    'CreateSubnetTx',
    'CreateChainTx',
    ...legacy.map(() => 'AddSubnetValidatorTx'),
    'ConvertSubnetToL1Tx',
  ])
  const added = past.filter(({ type }) => type === 'AddSubnetValidatorTx')
  expect(
    added.map(({ id, facts: { nodeId, start, end, weight } }) => ({ txId: id, nodeId, start, end, weight })),
  ).toEqual(legacy.map(({ txId, nodeId, start, end, weight }) => ({ txId, nodeId, start, end, weight })))
})

describe('a node that was restored from a snapshot', () => {
  test('has none of what is beyond its head, by height, by id or in its index', () => {
    const world = start()
    const [nodeId, other] = world.validators.observers as [string, string]
    world.take({ kind: 'restore', nodeId, behind: 100, pace: 1 })
    const { hash } = world.chains.P.block(355)!
    const [seen, whole] = [world.seenBy(nodeId), world.seenBy(other)]
    expect([seen.chains.P.block(355), seen.chains.P.time(355), seen.chains.P.find(hash)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(seen.indexes.blocks.P.find(hash)).toBeUndefined()
    const later = world.chains.X.block(world.chains.X.head())!.transactions[0]!
    expect(seen.indexes.transactions.find(later)).toBeUndefined()
    expect(whole.chains.P.find(hash)).toBeDefined()
    expect(whole.indexes.transactions.find(later)).toBeDefined()
  })
})
