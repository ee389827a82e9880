// Queries for configured expectations and whether they are met.

import type { States } from './panels.ts'
import { CHAIN, type Narrowed, NODE_CHAIN, ofFleet, PLACE, VALIDATOR } from './select.ts'
import { NETWORK_KEY, table } from './table.ts'
import { voted } from './verdicts.ts'

/** 1 or 0 for each expectation of `what`. If instances of stakewatch differ, the worse one counts. */
export function met({ least }: Narrowed, by: string, what: string, ...matchers: readonly string[]): string {
  return least(`${by}, expectation`, `${what}_expectation_met`, ...matchers)
}

const families = ['balance', 'native_balance', 'transactions', 'erc20']

/** The same for wallets: each collector that judges them, with its name for it. */
export function metByWallets(narrowed: Narrowed): (readonly [family: string, expr: string])[] {
  return families.map((family) => [family, met(narrowed, PLACE, `address_${family}`)])
}

/** Of everything. If nodes with a vote disagree about the status of a chain, the majority counts. */
export const expectations = [
  met(ofFleet, VALIDATOR, 'validator'),
  met(ofFleet, CHAIN, 'chain'),
  `avg by (${CHAIN}, expectation) (${voted(met(ofFleet, NODE_CHAIN, 'blockchain_status'))})`,
  ...metByWallets(ofFleet).map(([, expr]) => expr),
]

const unmetOf = (all: readonly string[]) => all.map((one) => `${one} < 0.5`).join(' or ')

/** Number of unmet expectations; empty if none is known. An expectation with two metric families counts once. */
export function notMet(all: readonly string[]): string {
  return `count(${unmetOf(all)}) or count(${all.join(' or ')}) * 0`
}

export const expectationStates: States = { 1: ['met', 'green'], 0: ['NOT MET', 'red'] }

export const UNMET = 'Unmet expectations'

export const unmetExpectations = table({
  text: {
    title: UNMET,
    description:
      'Each expectation of the configuration that is not met now: of a validator, a chain or a wallet. Empty: all are met, or none can be judged.',
  },
  height: 5,
  keys: [
    { label: 'expectation', title: 'Expected', letters: 26 },
    { label: 'about', title: 'Of', letters: 40 },
    NETWORK_KEY,
  ],
  rows: `max by (expectation, about, network) (label_join(${unmetOf(expectations)}, "about", " ", "validator", "subnet", "address", "chain"))`,
  columns: [],
  sortBy: ['Expected'],
})
