// Publishes for each declared expectation whether it was judged: one that cannot be judged has no series from its collector,
// and alerts must see that.

import { isOver, type Moment, NEVER } from '../lib/clock.ts'
import { ofAddress, ofChain, ofValidator, type Metric } from '../metrics/define.ts'
import type { Change, ExpectationRow } from '../metrics/publication.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import type { Declaration } from '../scheduler/expected.ts'
import { validatorObservers } from './observers.ts'
import { configuredMetrics } from './configured-metrics.ts'
import { maintenanceMetrics } from '../maintenance/metrics.ts'

const judged = (thing: string) => ({
  help: `Whether stakewatch can judge the configured expectation of the ${thing}: 1 or 0.`,
  labels: ['expectation'] as const,
})

const known = {
  validator: ofValidator.gauge('stakewatch_validator_expectation_known', judged('validator')),
  chain: ofChain.gauge('stakewatch_chain_expectation_known', judged('chain')),
  address: ofAddress.gauge('stakewatch_address_expectation_known', judged('wallet')),
}

/** Metrics about things that the configuration names. */
export const configurationMetrics: readonly Metric[] = [
  ...configuredMetrics,
  ...maintenanceMetrics,
  ...Object.values(known),
  validatorObservers,
]

export interface Judgement {
  rows: readonly ExpectationRow[]
  expiresAt: Moment
}

const UNIT = 'expectations'

/** Publishes when the known expectations have changed since the last call. */
export function createKnown(declarations: readonly Declaration[]) {
  let declared = keyed(declarations)
  // Nothing declared, nothing to report.
  let published: string | undefined = ''
  return {
    replan(given: readonly Declaration[]): void {
      declared = keyed(given)
      published = undefined
    },
    changes(judgements: Iterable<Judgement>, now: Moment): Change[] {
      const seen = new Set<string>()
      for (const { rows, expiresAt } of judgements) {
        if (!isOver(expiresAt, now)) for (const { labels, expectation } of rows) seen.add(keyOf(labels, expectation))
      }
      const state = declared.map(({ key }) => (seen.has(key) ? '1' : '0')).join('')
      if (state === published) return []
      published = state
      const samples = declared.map(({ key, sample }) => sample(seen.has(key)))
      return [{ kind: 'publish', key: UNIT, families: renderFamilies(samples), samples, expiresAt: NEVER }]
    },
  }
}

function keyed(declarations: readonly Declaration[]) {
  return declarations.map(({ of, labels, expectation }) => ({
    /** Equal for the declaration and every row about it. */
    key: keyOf(labels, expectation),
    sample: (isKnown: boolean) => known[of].sample({ ...labels, expectation }, isKnown),
  }))
}

/** A wallet is one object on all of its chains. */
function keyOf({ network, address, validator, subnet, chain }: ExpectationRow['labels'], expectation: string): string {
  const thing = address !== undefined ? ['address', address] : validator !== undefined ? [subnet, validator] : [chain]
  return JSON.stringify([expectation, network, ...thing])
}
