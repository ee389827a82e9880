// Stakes that end, what they are paid, and what becomes of them: on a P-Chain of its own, over weeks.

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChain } from '../../../src/simulator/world/blocks.ts'
import { createLedger } from '../../../src/simulator/world/ledger.ts'
import { createQueue } from '../../../src/simulator/world/event-queue.ts'
import { ofDelegation, type Validator } from '../../../src/simulator/world/stakes.ts'
import { createStaking } from '../../../src/simulator/world/staking.ts'
import { isFree, type Utxo } from '../../../src/simulator/world/transactions.ts'
import { createValidators, type Restaking } from '../../../src/simulator/world/validators.ts'

const BEGIN = 1_780_000_000
const DAY = 86_400
const FEE = 10_000n
const sum = (amounts: readonly bigint[]) => amounts.reduce((a, b) => a + b, 0n)
const sumOf = (utxos: Iterable<Utxo>) => sum([...utxos].map(({ amount }) => amount))

/** Seconds from block to block. */
const PACE = 300

/** A network of stakes alone. `until` lets what is due happen, and the blocks come. */
function scripted({ seed = 7, count = 20, delegations = 40, upgrade = BEGIN } = {}) {
  const queue = createQueue()
  const chain = (name: string) =>
    createChain({ seed, name, begin: BEGIN, pace: [PACE, PACE], types: ['a'], strangers: [0, 0], smallest: 200 })
  const chains = { P: chain('P'), X: chain('X'), C: chain('C') }
  const ledger = createLedger(seed, BEGIN, chains)
  const minted: [at: number, amount: bigint][] = []
  const restaked: (Omit<Restaking, 'next'> & { txId: string; weight: bigint })[] = []
  const validators = createValidators({
    seed,
    count,
    delegations,
    observers: 2,
    queue,
    begin: BEGIN,
    upgrade,
    mint: (amount, at) => minted.push([at, amount]),
    restaked(change) {
      const { txId, weight } = change.next
      restaked.push({ ...change, txId, weight })
      staking.restake(change)
    },
    left: (change) => staking.left(change),
  })
  const all = [...validators.all.values()]
  const staking = createStaking({ seed, ledger, validators: validators.all, shrink: validators.shrink })
  function until(time: number): void {
    for (let event = queue.takeDue(time); event; event = queue.takeDue(time)) {
      chains.P.advance(event.at)
      event.happen(event.at)
    }
    chains.P.advance(time)
  }
  /** What was submitted gets into a block. */
  const settle = () => chains.P.advance(chains.P.due())
  /** When its validation ends, each of the two observers will have seen it for so much of the time. */
  const seen = ({ start, end, views }: Validator, shares: readonly number[]) => {
    for (const [at, view] of [...views.values()].entries()) view.lost = (end - start) * (1 - shares[at]!)
  }
  /** Paid since the network began, for stakes with it. */
  const paidFor = ({ nodeId }: Validator) => staking.paidFor(nodeId).filter(({ stake }) => stake.end > BEGIN)
  return { ledger, staking, all, minted, restaked, until, settle, seen, paidFor }
}
/** Of those with a fixed term and without a past, the one whose term is over first. */
const soonest = (all: readonly Validator[]) =>
  all
    .slice(10)
    .filter(({ renewal }) => !renewal)
    .toSorted((a, b) => a.end - b.end)[0]!
/** Any seed, and any time up to two weeks. */
const anywhere = fc.record({ seed: fc.nat(), elapsed: fc.integer({ min: 0, max: 14 * DAY }) })
function networkAt({ seed, elapsed }: { seed: number; elapsed: number }) {
  const network = scripted({ seed, count: 12, delegations: 24 })
  network.until(BEGIN + elapsed)
  network.settle()
  return network
}

describe('a validation ends', () => {
  test.each([
    // Both observers saw it for less than 80 % of the time, or one of them alone; since the upgrade 90 % are required.
    ['seen too seldom', BEGIN, [0.79, 0.79], false],
    ['seen often enough', BEGIN, [0.81, 0.81], true],
    ['seen too seldom by one of two', BEGIN, [0.1, 0.81], true],
    ['seen too seldom for one that began after the upgrade', 0, [0.89, 0.89], false],
    ['seen often enough for that', 0, [0.91, 0.91], true],
  ] as const)('%s', (_, upgrade, shares, isRewarded) => {
    const { all, until, seen, minted, paidFor } = scripted({ upgrade })
    const validator = soonest(all)
    seen(validator, shares)
    const { txId, end, reward, owner, weight } = { ...validator }
    until(end + PACE)
    const paid = paidFor(validator).filter(({ type }) => type === 'VALIDATOR')
    expect(paid.map((one) => [one.owner, one.amount, one.stake.txId])).toEqual(
      isRewarded ? [[owner, reward, txId]] : [],
    )
    // The next one is promised as much; what is not paid goes.
    const changes = minted.filter(([at, amount]) => at === end && [reward, -reward].includes(amount))
    expect(changes).toEqual(
      isRewarded
        ? [[end, reward]]
        : [
            [end, -reward],
            [end, reward],
          ],
    )
    expect(validator).toMatchObject({ start: end, owner, weight: isRewarded ? weight : weight - FEE })
  })
})

describe('what a delegation earns', () => {
  const [{ owner }] = scripted({ count: 1, delegations: 1 }).all as [Validator]
  test.each([
    [2, 101n, 2n, 99n],
    [10, 1_000_000_000n, 100_000_000n, 900_000_000n],
    [5, 19n, 0n, 19n],
  ])('of %i percent and %s: %s and %s', (fee, reward, keeps, gets) => {
    const { all } = scripted({ count: 1, delegations: 1 })
    const validator = { ...all[0]!, fee }
    const delegation = { ...validator.delegations[0]!, reward }
    expect(ofDelegation(validator, delegation)).toMatchObject([
      { type: 'DELEGATOR', owner: delegation.owner, amount: gets },
      { type: 'VALIDATOR_FEE', owner, amount: keeps },
    ])
  })

  test('is paid by one transaction, to both', () => {
    const { until, settle, ledger, restaked } = scripted()
    until(BEGIN + 3 * DAY)
    settle()
    const rewarded = restaked.filter(({ ended, isRewarded }) => isRewarded && 'delegator' in ended)
    expect(rewarded.length).toBeGreaterThan(10)
    for (const { ended, of } of rewarded) {
      const { emitted, time } = ledger.find(ledger.find(ended.txId)!.facts.rewardTxId!)!
      expect(emitted.map((one) => [one.rewardType, one.owner])).toEqual([
        ['DELEGATOR', ended.owner],
        ['VALIDATOR_FEE', of.owner],
      ])
      expect(sumOf(emitted)).toBe(ended.reward)
      expect(time).toBeGreaterThanOrEqual(ended.end)
      expect(time).toBeLessThanOrEqual(ended.end + PACE)
    }
  })
})

test('what is over is staked again by the same owner, who spends only what is free, and pays the fee', () => {
  fc.assert(
    fc.property(anywhere, (at) => {
      const { ledger, restaked } = networkAt(at)
      for (const { ended, of, to, txId, weight } of restaked.filter((one) => one.txId !== one.ended.txId)) {
        const { type, consumed, emitted, time, facts } = ledger.find(txId)!
        const isDelegation = 'delegator' in ended
        expect(type).toBe(isDelegation ? 'AddPermissionlessDelegatorTx' : 'AddPermissionlessValidatorTx')
        expect(facts).toMatchObject({ nodeId: to.nodeId, start: ended.end, rewardAddresses: [ended.owner] })
        const [before] = ledger.find(ended.txId)!.emitted.filter(({ stake }) => stake?.end === ended.end)
        expect(consumed).toContain(before)
        expect(consumed.every((utxo) => isFree(utxo, 'P', time))).toBe(true)
        expect(new Set([...consumed, ...emitted].map(({ owner }) => owner))).toEqual(new Set([ended.owner]))
        expect(sumOf(consumed) - sumOf(emitted)).toBe(FEE)
        const [stake, ...others] = emitted
        expect(stake).toMatchObject({ stake: { start: facts.start, end: facts.end } })
        // The whole stake, or all that there is.
        expect([weight, sumOf(consumed) - FEE]).toContain(stake!.amount)
        expect(others.every((one) => one.stake === undefined)).toBe(true)
        expect(isDelegation || of === to).toBe(true)
      }
    }),
    { numRuns: 8 },
  )
})

test('every reward is a UTXO of the one whom it is for, and every such UTXO a reward', () => {
  fc.assert(
    fc.property(anywhere, (at) => {
      const { ledger, staking, all } = networkAt(at)
      const rewards = all.flatMap(({ nodeId }) => staking.paidFor(nodeId))
      const owners = new Set(rewards.map(({ owner }) => owner))
      for (const owner of owners) {
        const paid = staking.paidTo(owner)
        const utxos = ledger.utxosOf(owner).filter(({ rewardType }) => rewardType !== undefined)
        expect(sum(paid.map(({ amount }) => amount))).toBe(sumOf(utxos))
        expect(new Set(paid.map(({ utxo }) => utxo))).toEqual(new Set(utxos))
        for (const { utxo, amount, type } of paid) expect([utxo.amount, utxo.rewardType]).toEqual([amount, type])
      }
      expect([...owners].flatMap((owner) => staking.paidTo(owner))).toHaveLength(rewards.length)
      for (const { nodeId } of all) {
        const totals = { VALIDATOR: none(), VALIDATOR_FEE: none(), DELEGATOR: none() }
        for (const { type, amount } of staking.paidFor(nodeId)) {
          totals[type].count += 1
          totals[type].amount += amount
        }
        expect(staking.totals(nodeId)).toEqual(totals)
      }
    }),
    { numRuns: 8 },
  )
})
const none = () => ({ count: 0, amount: 0n })
