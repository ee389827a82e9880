// Queries for configured expectations and whether they are met.

import type { States } from './panels.ts'
import { type Narrowed, PLACE } from './select.ts'

/** 1 or 0 for each expectation of `what`. If instances of stakewatch differ, the worse one counts. */
export function met({ least }: Narrowed, by: string, what: string, ...matchers: readonly string[]): string {
  return least(`${by}, expectation`, `${what}_expectation_met`, ...matchers)
}

const families = ['balance', 'native_balance', 'transactions', 'erc20']

/** The same for wallets: each collector that judges them, with its name for it. */
export function metByWallets(narrowed: Narrowed): (readonly [family: string, expr: string])[] {
  return families.map((family) => [family, met(narrowed, PLACE, `address_${family}`)])
}

/** Number of unmet expectations; empty if none is known. An expectation with two metric families counts once. */
export function notMet(all: readonly string[]): string {
  return `count(${all.map((one) => `${one} < 0.5`).join(' or ')}) or count(${all.join(' or ')}) * 0`
}

export const expectationStates: States = { 1: ['met', 'green'], 0: ['NOT MET', 'red'] }
