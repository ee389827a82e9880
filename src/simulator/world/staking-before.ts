// The stakes that the world begins with, and some that were over before, with their rewards: all of them are older than
// the first block.

import type { Ledger } from './ledger.ts'
import { random } from './random.ts'
import {
  isDelegation,
  ofDelegation,
  ofValidation,
  type Reward,
  type Delegation,
  feeOf,
  type Stake,
  type Validator,
} from './stakes.ts'
import { rewardDraft, stakeFacts, validationFacts } from './wallet-drafts.ts'
import type { Transaction, Utxo } from './transactions.ts'

interface Before {
  seed: number
  ledger: Ledger
  validators: ReadonlyMap<string, Validator>
  paid: (rewards: readonly Reward[], transaction: Transaction) => void
}

const DAY = 86_400
const WEEK = 7 * DAY
const TOKEN = 1_000_000_000n
/** How many of the validators, and of the delegators, have a past. */
const OLD = 10
/** A delegator has enough for any delegation. */
const WEALTH = 2_001n * TOKEN

export function stakeBefore({ seed, ledger, validators, paid }: Before): void {
  /** One after the other, each with what the one before it had staked; `spare` is what else the owner has. */
  function inTurn(validator: Validator, stakes: readonly Stake[], spare: bigint): void {
    let before: Utxo | undefined
    for (const [at, stake] of stakes.entries()) {
      const { owner, weight, start, end } = stake
      const extra = before || spare === 0n ? [] : [{ owner, amount: spare }]
      const outputs = [{ owner, amount: weight, stake: { start, end } }, ...extra]
      const consumed = before ? [before] : []
      const draft = { ...typed(validator, stake), consumed, outputs }
      if (at < stakes.length - 1) {
        const { id, emitted } = ledger.genesis('P', draft)
        before = emitted[0]!
        const over = { ...stake, txId: id }
        const rewards = isDelegation(stake) ? ofDelegation(validator, over) : [ofValidation(validator, over)]
        if (isDelegation(stake)) validator.accrued += feeOf(validator, over)
        paid(rewards, ledger.genesis('P', rewardDraft(rewards)))
      } else ledger.genesis('P', { ...draft, id: stake.txId })
    }
  }

  for (const [at, validator] of [...validators.values()].entries()) {
    const past = at < OLD ? validationsBefore(seed, validator) : []
    inTurn(validator, [...past, validator], 0n)
    for (const delegation of validator.delegations) {
      const past = delegation.delegator < OLD ? delegationsBefore(seed, delegation, validator.start) : []
      inTurn(validator, [...past, delegation], WEALTH - delegation.weight)
    }
  }
}

function typed(validator: Validator, stake: Stake) {
  const facts = stakeFacts(validator, stake)
  if (isDelegation(stake)) return { type: 'AddDelegatorTx', facts }
  if (validator.renewal) {
    return { type: 'AddAutoRenewedValidatorTx', facts: { ...facts, ...validationFacts(validator) } }
  }
  return { type: 'AddValidatorTx', facts: { ...facts, delegationFee: validator.fee } }
}

/** The one that the running one took up from. */
function validationsBefore(seed: number, { nodeId, txId, start, weight, reward, owner }: Validator): Stake[] {
  const earlier = start - random(seed, 'validation before', nodeId).between(14, 200) * DAY
  return earlier < 0 ? [] : [{ txId, start: earlier, end: start, weight, reward, owner }]
}

/** Up to three, the oldest first, for as long as the validation lasted. */
function delegationsBefore(seed: number, delegation: Delegation, since: number): Delegation[] {
  const dice = random(seed, 'delegations before', delegation.delegator)
  const found: Delegation[] = []
  for (let end = delegation.start; found.length < 3;) {
    const start = end - dice.between(DAY, WEEK)
    if (start < since) break
    found.unshift({ ...delegation, start, end, reward: BigInt(dice.between(1, 100)) * (TOKEN / 10n) })
    end = start
  }
  return found
}
