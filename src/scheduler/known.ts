// Which of the expectations that the configuration declares are known to be met or not: what nobody can tell has no series
// of its own collector, and must not be silent.

import { isOver, type Moment, NEVER } from '../lib/clock.ts'
import { gauge, type Metric } from '../metrics/define.ts'
import type { Change, ExpectationRow } from '../metrics/publication.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Declaration } from './expected.ts'
import { validatorObservers } from './observers.ts'
import { configuredMetrics } from './configured-metrics.ts'

const details = 'With 0 its series ending in _expectation_met is absent.'

const ofValidator = gauge({
  name: 'stakewatch_validator_expectation_known',
  help: 'Whether stakewatch can judge the configured expectation of the validator: 1 or 0.',
  details,
  of: 'validator',
  labels: ['expectation'],
})
const ofChain = gauge({
  name: 'stakewatch_chain_expectation_known',
  help: 'Whether stakewatch can judge the configured expectation of the chain: 1 or 0.',
  details,
  of: 'chain',
  labels: ['expectation'],
})
const ofAddress = gauge({
  name: 'stakewatch_address_expectation_known',
  help: 'Whether stakewatch can judge the configured expectation of the wallet: 1 or 0.',
  details,
  of: 'address',
  labels: ['expectation'],
})

const known = { validator: ofValidator, chain: ofChain, address: ofAddress }

/** Metrics of what the configuration names. */
export const configurationMetrics: readonly Metric[] = [
  ...configuredMetrics,
  ...Object.values(known),
  validatorObservers,
]

/** What a task published of what it judged. */
export interface Judgement {
  rows: readonly ExpectationRow[]
  expiresAt: Moment
}

const UNIT = 'expectations'

/** Gives what has to be published when what is known has changed since it was last asked. */
export function createKnown(declarations: readonly Declaration[]) {
  let declared = keyed(declarations)
  // Of nothing there is nothing to tell.
  let published: string | undefined = ''
  return {
    /** From now on this is declared. */
    replan(given: readonly Declaration[]): void {
      declared = keyed(given)
      published = undefined
    },
    changes(judgements: Iterable<Judgement>, now: Moment): Change[] {
      const told = new Set<string>()
      for (const { rows, expiresAt } of judgements) {
        if (!isOver(expiresAt, now)) for (const { labels, expectation } of rows) told.add(keyOf(labels, expectation))
      }
      const state = declared.map(({ key }) => (told.has(key) ? '1' : '0')).join('')
      if (state === published) return []
      published = state
      const families = renderFamilies(declared.map(({ key, sample }) => sample(told.has(key))))
      return [{ kind: 'publish', key: UNIT, families, expiresAt: NEVER }]
    },
  }
}

function keyed(declarations: readonly Declaration[]) {
  return declarations.map(({ of, labels, expectation }) => ({
    /** The same text for the declaration and for every row about it. */
    key: keyOf(labels, expectation),
    sample: (isKnown: boolean) => known[of].sample({ ...labels, expectation }, isKnown ? 1 : 0),
  }))
}

/** A wallet is one thing on all of its chains. */
function keyOf({ network, address, validator, subnet, chain }: ExpectationRow['labels'], expectation: string): string {
  const thing = address !== undefined ? ['address', address] : validator !== undefined ? [subnet, validator] : [chain]
  return JSON.stringify([expectation, network, ...thing])
}
