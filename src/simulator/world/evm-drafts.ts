// What a transaction of an EVM chain does, as far as it follows from its number alone: they are counted from 0.

import type { Agenda, Step } from './evm-agenda.ts'
import { random } from './random.ts'
import type { Token } from './evm-accounts.ts'

export interface Draft {
  number: number
  /** A step of one of the wallets; without one it is a stranger's own. */
  step: (Step & { number: number }) | undefined
  callType: 'NATIVE_TRANSFER' | 'CONTRACT_CALL' | 'CONTRACT_CREATION'
  /** What failed moves nothing, but its fee is paid. */
  isDone: boolean
  /** Gas that it would use, and that it makes do with in a full block. */
  gas: number
  leastGas: number
  /** What it offers above the base fee, in billionths of a token. */
  tip: number
}

/** A plain transfer, by the rules of the EVM. */
const PLAIN = 21_000

const stepGas: Readonly<Record<Step['kind'], readonly [number, number]>> = {
  relay: [180_000, 300_000],
  message: [120_000, 180_000],
  token: [45_000, 65_000],
  airdrop: [90_000, 150_000],
  payment: [PLAIN, PLAIN],
  'top-up': [PLAIN, PLAIN],
  deposit: [PLAIN, PLAIN],
}

export function orderedDraft(number: number, { token }: Order): Draft {
  const gas = token ? stepGas.token[0] : PLAIN
  const callType = token ? 'CONTRACT_CALL' : 'NATIVE_TRANSFER'
  return { number, step: undefined, callType, isDone: true, gas, leastGas: gas, tip: 1 }
}

export function createDrafts(seed: number, chainId: number, agenda: Agenda): (number: number) => Draft {
  return (number) => {
    const at = agenda.stepOf(number)
    return at === undefined ? strangers(number) : ofStep(number, at)
  }

  function ofStep(number: number, at: number): Draft {
    const step = agenda.step(at)
    const dice = random(seed, 'evm', chainId, 'transaction', number)
    const gas = dice.between(...stepGas[step.kind])
    return {
      number,
      step: { ...step, number: at },
      callType: gas === PLAIN ? 'NATIVE_TRANSFER' : 'CONTRACT_CALL',
      isDone: step.kind !== 'token' || dice.next() < 0.9,
      gas,
      leastGas: gas,
      tip: dice.between(1, 3),
    }
  }

  function strangers(number: number): Draft {
    const dice = random(seed, 'evm', chainId, 'transaction', number)
    const luck = dice.next()
    const common = { number, step: undefined, isDone: dice.next() < 0.95, tip: dice.between(1, 3) }
    if (luck < 0.6) return { ...common, callType: 'NATIVE_TRANSFER', gas: PLAIN, leastGas: PLAIN }
    if (luck < 0.97)
      return { ...common, callType: 'CONTRACT_CALL', gas: dice.between(30_000, 180_000), leastGas: 25_000 }
    return { ...common, callType: 'CONTRACT_CREATION', gas: dice.between(300_000, 900_000), leastGas: 60_000 }
  }
}

// Transactions of an EVM chain that were ordered by hand: each takes the place of a stranger's.

export interface Order {
  from: string
  to: string
  /** In the smallest unit, of the token or of the chain's own. */
  value: bigint
  token: Token | undefined
}

/** By the number of the transaction. */
export type Orders = ReadonlyMap<number, Order>

/** How many of them an address has sent before a transaction. */
export function ordersFrom(orders: Orders, address: string, before: number): number {
  let count = 0
  for (const [number, { from }] of orders) if (from === address && number < before) count += 1
  return count
}

/** The transactions in which it has a part, before that one. */
export function ordersWith(orders: Orders, address: string, before: number): number[] {
  return [...orders].flatMap(([number, { from, to }]) =>
    number < before && (from === address || to === address) ? [number] : [],
  )
}
