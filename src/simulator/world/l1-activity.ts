// What the operator of the L1s does on the P-Chain: it creates them, and on one of them validators come, change and go.

import type { Inclusion } from './blocks.ts'
import { idOf, nodeIdOf } from './ids.ts'
import { blsKey, type L1, type L1Validator } from './l1.ts'
import type { L1s } from './l1s.ts'
import type { Draft, Ledger } from './ledger.ts'
import type { Operator } from './operator.ts'
import type { Queue } from './event-queue.ts'
import { random } from './random.ts'
import type { L1Fact } from './transactions.ts'

interface Options {
  seed: number
  begin: number
  /** Validators come, change and go only by the methods. */
  isCalm: boolean
  l1s: L1s
  ledger: Ledger
  /** Pays for all of it. */
  operator: Operator
  queue: Queue
}

/** Each holds from the next block of the P-Chain on. */
export interface L1Activity {
  topUp(validationId: string, amount: number): void
  register(l1: L1, newcomer: Newcomer): void
  /** With a weight of 0 it leaves for good, and its owner gets what is left of its balance. */
  setWeight(validationId: string, weight: bigint): void
  /** The validator leaves, and comes back with another owner or another key, and what is left of its balance. */
  remake(l1: L1, validator: L1Validator, change: { owner?: string; publicKey?: string }): void
  /** The subnet becomes an L1. Those who validated it before stay until their end. */
  convert(l1: L1, founders: readonly Newcomer[]): void
}

interface Newcomer {
  nodeId: string
  weight: bigint
  /** Smallest unit. */
  balance: number
  /** Of the balance; by default the operator. */
  owner?: string
  publicKey?: string
}

interface State extends Options {
  /** How many validations have been registered. */
  registered: number
}

const DAY_PRICE = 512 * 86_400

export function createL1Activity(options: Options): L1Activity {
  const { l1s, ledger } = options
  const state: State = { ...options, registered: 0 }
  const activity: L1Activity = {
    topUp: (validationId, amount) => topUp(state, validationId, amount),
    register: (l1, one) => register(state, l1, () => one),
    setWeight: (validationId, weight) => setWeight(state, validationId, weight),
    remake(l1, { validationId, nodeId, weight, owner, publicKey }, change) {
      let balance = 0
      giveBack(state, 'SetL1ValidatorWeightTx', validationId, (at) => (balance = l1s.setWeight(validationId, 0n, at)))
      register(state, l1, () => ({ owner, publicKey, ...change, nodeId, weight, balance }))
    },
    convert(l1, founders) {
      ledger.submit('P', (block) => {
        for (const one of founders) l1s.register(l1, newcomer(state, one), block.time)
        return conversion(state, l1, block)
      })
    },
  }
  for (const l1 of l1s.all) create(state, l1)
  if (!state.isCalm) scheduleChanges(state, activity)
  return activity
}

function factOf({ l1s }: State, validator: L1Validator, { time }: Inclusion, balanceChange: number): L1Fact {
  const { validationId, nodeId, weight } = validator
  const subnetId = l1s.ofValidation(validationId)?.subnetId ?? ''
  return { validationId, nodeId, subnetId, weight, remainingBalance: l1s.balance(validator, time), balanceChange }
}

function topUp(state: State, validationId: string, amount: number): void {
  const { ledger, l1s, operator } = state
  ledger.submit('P', (block) => {
    const validator = l1s.find(validationId)
    if (!validator) return undefined
    l1s.topUp(validationId, amount, block.time)
    const l1Validators = [factOf(state, validator, block, amount)]
    return operator.paying('IncreaseL1ValidatorBalanceTx', amount, block, { l1Validators })
  })
}

function newcomer(state: State, one: Newcomer) {
  const { seed, operator } = state
  state.registered += 1
  const validationId = idOf(`${seed}/validation/${state.registered}`)
  return { publicKey: blsKey(seed, 'newcomer', state.registered), owner: operator.address, ...one, validationId }
}

function register(state: State, l1: L1, make: () => Newcomer): void {
  state.ledger.submit('P', (block) => {
    const { subnetId } = l1
    const one = make()
    const validator = state.l1s.register(l1, newcomer(state, one), block.time)
    const bls = credentialsOf(validator)
    const l1Validators = [{ ...factOf(state, validator, block, one.balance), bls }]
    return state.operator.paying('RegisterL1ValidatorTx', one.balance, block, { l1Validators, bls, subnetId })
  })
}

/** What is left of a balance goes back to its owner. */
function giveBack(state: State, type: string, validationId: string, act: (at: number) => number): void {
  const { ledger, l1s, operator } = state
  ledger.submit('P', (block) => {
    const validator = l1s.find(validationId)
    if (!validator) return undefined
    const fact = factOf(state, validator, block, 0)
    const left = act(block.time)
    const l1Validators = [{ ...fact, weight: validator.weight, balanceChange: -left, remainingBalance: 0 }]
    const outputs = left > 0 ? [{ owner: validator.owner, amount: BigInt(left) }] : []
    return operator.paying(type, 0, block, { l1Validators }, outputs)
  })
}

function setWeight(state: State, validationId: string, weight: bigint): void {
  const { ledger, l1s, operator } = state
  if (weight === 0n) {
    return giveBack(state, 'SetL1ValidatorWeightTx', validationId, (at) => l1s.setWeight(validationId, 0n, at))
  }
  ledger.submit('P', (block) => {
    const validator = l1s.find(validationId)
    if (!validator) return undefined
    l1s.setWeight(validationId, weight, block.time)
    const l1Validators = [factOf(state, validator, block, 0)]
    return operator.paying('SetL1ValidatorWeightTx', 0, block, { l1Validators })
  })
}

/** On the meadow one thing happens after the other, so that there are always a few validators and never many. */
function scheduleChanges(state: State, activity: L1Activity): void {
  const { seed, begin, l1s, queue } = state
  const meadow = l1s.all.find(({ name }) => name === 'meadow')!
  const happen = (at: number) => {
    const dice = random(seed, 'l1 activity', at)
    const { validators } = meadow
    // The first one stays.
    const { validationId } = dice.pick(validators.slice(1))
    const luck = dice.next()
    const leave = () => activity.setWeight(validationId, 0n)
    const disable = (time: number) => l1s.disable(validationId, time)
    if (validators.length > 8) leave()
    else if (validators.length < 4 || luck < 0.25) {
      const balance = Math.round(DAY_PRICE * (0.1 + 2 * dice.next()))
      const nodeId = nodeIdOf(`${seed}/newcomer/${at}`)
      activity.register(meadow, { nodeId, weight: BigInt(dice.between(20, 200)), balance })
    } else if (luck < 0.5) activity.setWeight(validationId, BigInt(dice.between(20, 200)))
    else if (luck < 0.8) activity.topUp(validationId, Math.round(DAY_PRICE * (0.1 + dice.next())))
    else if (luck < 0.88) giveBack(state, 'DisableL1ValidatorTx', validationId, disable)
    else leave()
    queue.put({ at: at + dice.between(120, 900), happen })
  }
  // The first validator is kept alive, with little at a time.
  const keepUp = (at: number) => {
    const dice = random(seed, 'keeps up', at)
    activity.topUp(meadow.validators[0]!.validationId, Math.round(DAY_PRICE * 0.01 * dice.next()))
    queue.put({ at: at + dice.between(180, 480), happen: keepUp })
  }
  queue.put({ at: begin + 180, happen })
  queue.put({ at: begin + 240, happen: keepUp })
}

/** Its validators are there already where it is one of those that begin with the world. */
function conversion(state: State, l1: L1, block: Inclusion): Draft {
  const { subnetId, blockchainId, validators } = l1
  const balances = validators.map((one) => state.l1s.balance(one, block.time))
  const l1Validators = validators.map((one, at) => ({
    ...factOf(state, one, block, balances[at]!),
    bls: credentialsOf(one),
  }))
  const paid = balances.reduce((sum, balance) => sum + balance, 0)
  const contractAddress = `0x${'ac'.repeat(20)}`
  const l1Manager = { blockchainId, contractAddress }
  l1.conversion = { id: idOf(`${subnetId}/conversion`), managerChain: blockchainId, managerAddress: contractAddress }
  return state.operator.paying('ConvertSubnetToL1Tx', paid, block, { subnetId, l1Manager, l1Validators })
}

/** Creates an L1 in the first block, with what its first validators have to begin with. */
function create(state: State, l1: L1): void {
  const { ledger } = state
  const { address, paying } = state.operator
  const { subnetId, blockchainId, legacy } = l1
  const subnetOwners = { threshold: 1, addresses: [address] }
  ledger.submit('P', (block) => {
    l1.owner = address
    return { ...paying('CreateSubnetTx', 0, block, { subnetId, subnetOwners }), id: subnetId }
  })
  const facts = { subnetId, blockchainId }
  ledger.submit('P', (block) => ({ ...paying('CreateChainTx', 0, block, facts), id: blockchainId }))
  for (const { txId: id, nodeId, start, end, weight } of legacy) {
    const facts = { nodeId, subnetId, start, end, weight }
    ledger.submit('P', (block) => ({ ...paying('AddSubnetValidatorTx', 0, block, facts), id }))
  }
  ledger.submit('P', (block) => conversion(state, l1, block))
}

/** A signature has twice the bytes of a key. */
function credentialsOf({ publicKey }: L1Validator) {
  return { publicKey, proofOfPossession: publicKey.padEnd(194, '0') }
}
