// The wallet that pays on the P-Chain for whatever happens to subnets and L1s.

import { addressOf, LETTERS } from './ids.ts'
import type { Inclusion } from './blocks.ts'
import { AVAX } from './fixed-ids.ts'
import type { Draft, Ledger } from './ledger.ts'
import { random } from './random.ts'
import { type Facts, isFree, type Output, type Utxo } from './transactions.ts'

export interface Operator {
  address: string
  /** A transaction that burns `amount` and the fee. */
  paying(type: string, amount: number, block: Inclusion, facts: Facts, outputs?: readonly Output[]): Draft
}

const TOKEN = 1_000_000_000n
const FEE = 1_000_000n

export function createOperator(seed: number, ledger: Ledger): Operator {
  const address = addressOf(random(seed, 'l1 operator').bech32(LETTERS))
  ledger.genesis('P', { type: 'ImportTx', consumed: [], outputs: [{ owner: address, amount: 1_000_000n * TOKEN }] })
  return {
    address,
    paying(type, amount, { time }, facts, outputs = []) {
      const consumed: Utxo[] = []
      let missing = BigInt(amount) + FEE
      for (const utxo of ledger.unspentOf(address)) {
        if (missing <= 0n) break
        if (!isFree(utxo, 'P', time) || utxo.asset !== AVAX) continue
        consumed.push(utxo)
        missing -= utxo.amount
      }
      const change = missing < 0n ? [{ owner: address, amount: -missing }] : []
      return { type, consumed, outputs: [...outputs, ...change], facts: { ...facts, l1Balance: BigInt(amount) } }
    },
  }
}
