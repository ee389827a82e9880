// Stakes as transactions of the P-Chain: when one ends, the next block pays its rewards, and what was staked is staked
// again.

import { AVAX } from './fixed-ids.ts'
import type { Ledger } from './ledger.ts'
import {
  isDelegation,
  ofDelegation,
  ofValidation,
  type Reward,
  type RewardType,
  type Renewal,
  type Stake,
  type Validator,
} from './stakes.ts'
import { stakeBefore } from './staking-before.ts'
import { renewalDraft, rewardDraft, stakeFacts, validationFacts } from './wallet-drafts.ts'
import { isFree, type Output, type Transaction, type Utxo } from './transactions.ts'
import type { Leaving, Restaking, Validators } from './validators.ts'

/** A reward that was paid, and where it went. */
export interface Paid extends Reward {
  utxo: Utxo
}

type Totals = Record<RewardType, { count: number; amount: bigint }>

export interface Staking {
  restake(change: Restaking): void
  /** A validator joins with the next block. `begin` makes it one, with a stake that its owner is given for that. */
  stake(amount: bigint, owner: string, begin: (at: number) => Validator): void
  /** The same of a delegation. */
  delegate(amount: bigint, owner: string, to: Validator, begin: (at: number) => Stake): void
  /** How it goes on from its next end on, with the next block. Returns false when it does not renew itself. */
  setRenewal(validator: Validator, renewal: Renewal): boolean
  /** What the owner needs for another stake of this amount. */
  provide(owner: string, amount: bigint): void
  /** The stake ends at another time than its transaction said. */
  moved(stake: Stake): void
  /** What it has earned is paid. Its stake is free again. */
  left(change: Leaving): void
  /** The data service takes the rewards of stakes that end from now on for pending, or notices that they have ended. */
  hold(isHeld: boolean): void
  /** Of stakes that have ended. */
  held(): readonly Reward[]
  /** In order of time. */
  paidTo(owner: string): readonly Paid[]
  /** For stakes with a validator, in order of time. */
  paidFor(nodeId: string): readonly Paid[]
  totals(nodeId: string): Readonly<Totals>
  /** Drops the rewards that were paid before that time. The totals still count them. */
  forget(before: number): void
}

interface StakingOptions {
  seed: number
  ledger: Ledger
  validators: ReadonlyMap<string, Validator>
  /** Of the validators, as `staked` may make a stake smaller. */
  shrink: Validators['shrink']
}

/** What it costs to stake, and to move tokens. */
const FEE = 10_000n
/**
 * How many UTXOs an owner leaves alone. A delegator with more of them puts them into the next stake; a validator's owner,
 * who gets a small reward for each delegation, puts them together as soon as there are many.
 */
const CHANGE = { delegator: 2, owner: 16 }

interface State extends Pick<StakingOptions, 'ledger' | 'shrink'> {
  isHolding: boolean
  held: Reward[]
  byOwner: Map<string, Paid[]>
  byNode: Map<string, { paid: Paid[]; totals: Totals }>
}

export function createStaking({ seed, ledger, validators, shrink }: StakingOptions): Staking {
  const byNode = new Map([...validators.keys()].map((id) => [id, { paid: [] as Paid[], totals: noTotals() }]))
  const state: State = { ledger, shrink, isHolding: false, held: [], byOwner: new Map(), byNode }
  stakeBefore({ seed, ledger, validators, paid: (rewards, transaction) => keep(state, rewards, transaction) })
  return {
    restake: (change) => restake(state, change),
    provide: (owner, amount) => provide(ledger, owner, amount),
    moved: (stake) => move(ledger, stake),
    stake(amount, owner, begin) {
      provide(ledger, owner, amount)
      ledger.submit('P', ({ time }) => {
        const validator = begin(time)
        const type = validator.renewal ? 'AddAutoRenewedValidatorTx' : 'AddPermissionlessValidatorTx'
        const facts = { ...stakeFacts(validator, validator), ...validationFacts(validator) }
        return { id: validator.txId, type, ...staked(state, validator, validator, -FEE, time), facts }
      })
    },
    delegate(amount, owner, to, begin) {
      provide(ledger, owner, amount)
      ledger.submit('P', ({ time }) => {
        const delegation = begin(time)
        const [type, facts] = ['AddPermissionlessDelegatorTx', stakeFacts(to, delegation)]
        return { id: delegation.txId, type, ...staked(state, to, delegation, -FEE, time), facts }
      })
    },
    setRenewal(validator, renewal) {
      if (!validator.renewal) return false
      const { nodeId, txId: stakingTxId } = validator
      ledger.submit('P', () => {
        validator.renewal = renewal
        return {
          type: 'SetAutoRenewedValidatorConfigTx',
          consumed: [],
          outputs: [],
          facts: { nodeId, stakingTxId, renewal },
        }
      })
      return true
    },
    left({ ended, of, isRewarded }) {
      if (state.isHolding) state.held.push(ofValidation(of, ended))
      const rewards = isRewarded ? [ofValidation(of, ended)] : []
      if (isRewarded || of.compounded > 0n) pay(state, rewards, of.renewal && of)
    },
    hold(isHeld) {
      state.isHolding = isHeld
      if (!isHeld) state.held = []
    },
    held: () => state.held,
    paidTo: (owner) => state.byOwner.get(owner) ?? [],
    paidFor: (nodeId) => byNode.get(nodeId)?.paid ?? [],
    totals: (nodeId) => byNode.get(nodeId)?.totals ?? noTotals(),
    forget: (before) => forget(state, before),
  }
}

function restake(state: State, change: Restaking): void {
  const { ledger } = state
  const { ended, of, isRewarded, next, to } = change
  const rewards = isDelegation(ended) ? ofDelegation(of, ended) : [ofValidation(of, ended)]
  if (state.isHolding) state.held.push(...rewards)
  // A validator goes on by itself only if it is rewarded.
  if (next.txId === ended.txId) return renew(state, change, rewards)
  if (isRewarded) pay(state, rewards)
  ledger.submit('P', ({ time }) => ({
    id: next.txId,
    type: isDelegation(next) ? 'AddPermissionlessDelegatorTx' : 'AddPermissionlessValidatorTx',
    ...staked(state, to, next, -FEE, time),
    facts: { ...stakeFacts(to, next), ...(isDelegation(next) ? {} : validationFacts(to)) },
  }))
}

/** Records rewards, which are the first UTXOs of the transaction that pays them. */
function keep({ ledger, byOwner, byNode }: State, rewards: readonly Reward[], { id, emitted }: Transaction): void {
  for (const [at, reward] of rewards.entries()) {
    const one = { ...reward, utxo: emitted[at]! }
    let account = byNode.get(reward.nodeId)
    if (!account) byNode.set(reward.nodeId, (account = { paid: [], totals: noTotals() }))
    account.paid.push(one)
    account.totals[reward.type].count += 1
    account.totals[reward.type].amount += reward.amount
    const theirs = byOwner.get(reward.owner)
    if (theirs) theirs.push(one)
    else byOwner.set(reward.owner, [one])
    ledger.find(reward.stake.txId)!.facts.rewardTxId = id
  }
  for (const owner of new Set(rewards.map((one) => one.owner))) putTogether(ledger, owner)
}

function freeOf(ledger: Ledger, owner: string, at: number): Utxo[] {
  return [...ledger.unspentOf(owner)].filter((utxo) => utxo.asset === AVAX && isFree(utxo, 'P', at))
}

/** An owner whose stakes last long would have more and more small rewards. */
function putTogether(ledger: Ledger, owner: string): void {
  if ([...ledger.unspentOf(owner)].length <= CHANGE.owner) return
  ledger.submit('P', ({ time }) => {
    const consumed = freeOf(ledger, owner, time)
    if (consumed.length <= CHANGE.owner) return undefined
    return { type: 'BaseTx', consumed, outputs: [{ owner, amount: sumOf(consumed) - FEE }] }
  })
}

/**
 * What goes into a stake: what was staked first, then what came last. `added` comes to what the owner has, or goes from it.
 * Where it is not enough, the stake is smaller.
 */
function staked(
  { ledger, shrink }: State,
  to: Validator,
  next: Stake,
  added: bigint,
  at: number,
): { consumed: Utxo[]; outputs: Output[] } {
  const { owner, start, end } = next
  const free = freeOf(ledger, owner, at)
  const inOrder = [...free.filter(({ stake }) => stake), ...free.filter(({ stake }) => !stake).toReversed()]
  const spare = isDelegation(next) ? CHANGE.delegator : Infinity
  let [count, left] = [0, added]
  while (count < inOrder.length && (left < next.weight || inOrder.length - count > spare)) {
    left += inOrder[count]!.amount
    count += 1
  }
  if (left < next.weight) shrink(to, next, left, at)
  const outputs: Output[] = [{ owner, amount: next.weight, stake: { start, end } }]
  if (left > next.weight) outputs.push({ owner, amount: left - next.weight })
  return { consumed: inOrder.slice(0, count), outputs }
}

/**
 * The next period of a validator that goes on by itself, with the same output: a part of its reward adds to its weight, the
 * rest is paid.
 */
function renew(state: State, { ended, of }: Restaking, promised: readonly Reward[]): void {
  const { ledger } = state
  const { txId, start, end, weight, reward } = of
  const rewards = promised.map((one) => ({ ...one, amount: one.amount - (weight - ended.weight) }))
  Object.assign(ledger.find(txId)!.facts, { start, estimatedReward: reward })
  move(ledger, { txId, end })
  pay(state, rewards, { ...of, ...ended, compounded: 0n })
}

function move(ledger: Ledger, { txId, end }: Pick<Stake, 'txId' | 'end'>): void {
  const transaction = ledger.find(txId)
  if (!transaction) return
  transaction.facts.end = end
  for (const utxo of transaction.emitted) if (utxo.stake) utxo.stake.end = end
}

/** `renewing` is the validator that goes on by itself, as the period ends, with what it gets back of its rewards. */
function pay(state: State, rewards: readonly Reward[], renewing?: Validator): void {
  const draft = () => (renewing ? renewalDraft(renewing, rewards) : rewardDraft(rewards))
  state.ledger.submit('P', draft, (transaction) => keep(state, rewards, transaction))
}

function provide(ledger: Ledger, owner: string, amount: bigint): void {
  ledger.genesis('P', { type: 'ImportTx', consumed: [], outputs: [{ owner, amount: amount + FEE }] })
}

function forget({ byNode, byOwner }: State, before: number): void {
  const isKept = ({ utxo }: Paid) => utxo.time >= before
  for (const account of byNode.values()) account.paid = account.paid.filter(isKept)
  for (const [owner, paid] of byOwner) {
    const kept = paid.filter(isKept)
    if (kept.length > 0) byOwner.set(owner, kept)
    else byOwner.delete(owner)
  }
}

const sumOf = (utxos: readonly Utxo[]) => utxos.reduce((sum, { amount }) => sum + amount, 0n)

function noTotals(): Totals {
  const none = () => ({ count: 0, amount: 0n })
  return { VALIDATOR: none(), VALIDATOR_FEE: none(), DELEGATOR: none() }
}
