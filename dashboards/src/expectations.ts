// What the configuration expects, and whether it is so.

import type { States } from './panels.ts'
import { type Narrowed, PLACE } from './select.ts'

/** 1 or 0 for each expectation of `what`. Where instances of stakewatch differ, the worse one counts. */
export function met({ least }: Narrowed, by: string, what: string, ...matchers: readonly string[]): string {
  return least(`${by}, expectation`, `${what}_expectation_met`, ...matchers)
}

const families = ['balance', 'native_balance', 'transactions', 'erc20']

/** The same of wallets: of each collector that can tell something, with its word for it. */
export function metByWallets(narrowed: Narrowed): (readonly [family: string, expr: string])[] {
  return families.map((family) => [family, met(narrowed, PLACE, `address_${family}`)])
}

/** How many of them are not met; empty where nothing is known. What two families say of one thing counts once. */
export function notMet(all: readonly string[]): string {
  return `count(${all.map((one) => `${one} < 0.5`).join(' or ')}) or count(${all.join(' or ')}) * 0`
}

export const expectationStates: States = { 1: ['met', 'green'], 0: ['NOT MET', 'red'] }
