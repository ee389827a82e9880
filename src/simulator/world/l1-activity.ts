// What the operator of the L1s does on the P-Chain: it creates them, and on one of them validators come, change and go.

import { addressOf, LETTERS } from './addresses.ts'
import type { Inclusion } from './blocks.ts'
import { idOf, nodeIdOf } from './cb58.ts'
import { AVAX } from './ids.ts'
import { blsKey, type L1, type L1s, type L1Validator } from './l1s.ts'
import type { Draft, Ledger } from './ledger.ts'
import type { Queue } from './queue.ts'
import { random } from './random.ts'
import { type Facts, isFree, type L1Fact, type Output, type Utxo } from './transactions.ts'

interface L1ActivityOptions {
  seed: number
  begin: number
  l1s: L1s
  ledger: Ledger
  queue: Queue
}

export interface L1Activity {
  /** The address that pays for all of it. */
  operator: string
  /** With the next block of the P-Chain. */
  topUp(validationId: string, amount: number): void
}

const TOKEN = 1_000_000_000n
const FEE = 1_000_000n
const DAY_PRICE = 512 * 86_400

export function createL1Activity({ seed, begin, l1s, ledger, queue }: L1ActivityOptions): L1Activity {
  const operator = addressOf(random(seed, 'l1 operator').bech32(LETTERS))
  const meadow = l1s.all.find(({ name }) => name === 'meadow')!
  let registered = 0

  /** A transaction of the operator that burns `amount` besides the fee; undefined when it has not the funds. */
  function paying(type: string, amount: number, { time }: Inclusion, facts: Facts, outputs: Output[] = []): Draft {
    const consumed: Utxo[] = []
    let missing = BigInt(amount) + FEE
    for (const utxo of ledger.unspentOf(operator)) {
      if (missing <= 0n) break
      if (!isFree(utxo, 'P', time) || utxo.asset !== AVAX) continue
      consumed.push(utxo)
      missing -= utxo.amount
    }
    const change = missing < 0n ? [{ owner: operator, amount: -missing }] : []
    return { type, consumed, outputs: [...outputs, ...change], facts: { ...facts, l1Balance: BigInt(amount) } }
  }

  const factOf = (validator: L1Validator, subnetId: string, { time }: Inclusion, balanceChange: number): L1Fact => ({
    validationId: validator.validationId,
    nodeId: validator.nodeId,
    subnetId,
    weight: validator.weight,
    remainingBalance: l1s.balance(validator, time),
    balanceChange,
  })

  function topUp(validationId: string, amount: number): void {
    ledger.submit('P', (block) => {
      const validator = l1s.find(validationId)
      if (!validator) return undefined
      l1s.topUp(validationId, amount, block.time)
      const l1Validators = [factOf(validator, subnetOf(validationId), block, amount)]
      return paying('IncreaseL1ValidatorBalanceTx', amount, block, { l1Validators })
    })
  }

  const subnetOf = (validationId: string) =>
    l1s.all.find(({ validators }) => validators.some((one) => one.validationId === validationId))?.subnetId ?? ''

  function register(balance: number): void {
    ledger.submit('P', (block) => {
      registered += 1
      const dice = random(seed, 'newcomer', registered)
      const validationId = idOf(dice.base58(50))
      const nodeId = nodeIdOf(dice.base58(33))
      const publicKey = blsKey(seed, 'newcomer', registered)
      const weight = BigInt(dice.between(20, 200))
      const newcomer = { validationId, nodeId, publicKey, owner: operator, weight, balance }
      const validator = l1s.register(meadow, newcomer, block.time)
      const bls = credentialsOf(validator)
      const l1Validators = [{ ...factOf(validator, meadow.subnetId, block, balance), bls }]
      return paying('RegisterL1ValidatorTx', balance, block, { l1Validators, bls, subnetId: meadow.subnetId })
    })
  }

  /** What is left of a balance goes back to its owner. */
  function giveBack(type: string, validationId: string, act: (at: number) => number): void {
    ledger.submit('P', (block) => {
      const validator = l1s.find(validationId)
      if (!validator) return undefined
      const left = act(block.time)
      const l1Validators = [{ ...factOf(validator, meadow.subnetId, block, -left), remainingBalance: 0 }]
      const outputs = left > 0 ? [{ owner: validator.owner, amount: BigInt(left) }] : []
      return paying(type, 0, block, { l1Validators }, outputs)
    })
  }

  function setWeight(validationId: string, weight: bigint): void {
    ledger.submit('P', (block) => {
      const validator = l1s.find(validationId)
      if (!validator) return undefined
      l1s.setWeight(validationId, weight, block.time)
      const l1Validators = [factOf(validator, meadow.subnetId, block, 0)]
      return paying('SetL1ValidatorWeightTx', 0, block, { l1Validators })
    })
  }

  /** One thing after the other, so that there are always a few validators and never many. */
  function happen(at: number): void {
    const dice = random(seed, 'l1 activity', at)
    const { validators } = meadow
    // The first one stays.
    const { validationId } = dice.pick(validators.slice(1))
    const luck = dice.next()
    const leave = () =>
      giveBack('SetL1ValidatorWeightTx', validationId, (time) => l1s.setWeight(validationId, 0n, time))
    if (validators.length > 8) leave()
    else if (validators.length < 4 || luck < 0.25) register(Math.round(DAY_PRICE * (0.1 + 2 * dice.next())))
    else if (luck < 0.5) setWeight(validationId, BigInt(dice.between(20, 200)))
    else if (luck < 0.8) topUp(validationId, Math.round(DAY_PRICE * (0.1 + dice.next())))
    else if (luck < 0.88) giveBack('DisableL1ValidatorTx', validationId, (time) => l1s.disable(validationId, time))
    else leave()
    queue.put({ at: at + dice.between(120, 900), happen })
  }

  /** Somebody keeps the first one alive, with little at a time. */
  function keepUp(at: number): void {
    const dice = random(seed, 'keeps up', at)
    topUp(meadow.validators[0]!.validationId, Math.round(DAY_PRICE * 0.01 * dice.next()))
    queue.put({ at: at + dice.between(180, 480), happen: keepUp })
  }

  /** An L1 comes to be in the first block, with what its first validators have to begin with. */
  function create({ subnetId, blockchainId, validators }: L1): void {
    const subnetOwners = { threshold: 1, addresses: [operator] }
    const l1Manager = { blockchainId, contractAddress: `0x${'ac'.repeat(20)}` }
    ledger.submit('P', (block) => paying('CreateSubnetTx', 0, block, { subnetId, subnetOwners }))
    ledger.submit('P', (block) => paying('CreateChainTx', 0, block, { subnetId, blockchainId }))
    ledger.submit('P', (block) => {
      const balances = validators.map((one) => l1s.balance(one, block.time))
      const l1Validators = validators.map((one, at) => ({
        ...factOf(one, subnetId, block, balances[at]!),
        bls: credentialsOf(one),
      }))
      const paid = balances.reduce((sum, balance) => sum + balance, 0)
      return paying('ConvertSubnetToL1Tx', paid, block, { subnetId, l1Manager, l1Validators })
    })
  }

  ledger.genesis('P', { type: 'ImportTx', consumed: [], outputs: [{ owner: operator, amount: 1_000_000n * TOKEN }] })
  for (const l1 of l1s.all) create(l1)
  queue.put({ at: begin + 180, happen })
  queue.put({ at: begin + 240, happen: keepUp })
  return { operator, topUp }
}

/** A signature has twice the bytes of a key. */
function credentialsOf({ publicKey }: L1Validator) {
  return { publicKey, proofOfPossession: publicKey.padEnd(194, '0') }
}
