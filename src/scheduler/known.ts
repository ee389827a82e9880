// Which of the expectations that the configuration declares are known to be met or not: what nobody can tell has no series
// of its own collector, and must not be silent.

import type { Config } from '../config/schema.ts'
import { gauge, type Metric, type Sample } from '../metrics/define.ts'
import type { ExpectationRow, FromPoller } from '../metrics/snapshot.ts'
import { renderFamilies } from '../metrics/exposition.ts'
import { validatorObservers } from './observers.ts'
import { configuredMetrics } from './configured-metrics.ts'

const HELP =
  'that the configuration declares of it is known to be met or not: 1, or 0 when nothing tells. Then the series of it whose name ends in _expectation_met is absent.'

const ofValidator = gauge({
  name: 'stakewatch_validator_expectation_known',
  help: `Whether an expectation of the validator ${HELP}`,
  of: 'validator',
  labels: ['expectation'],
})
const ofChain = gauge({
  name: 'stakewatch_chain_expectation_known',
  help: `Whether an expectation of the chain ${HELP}`,
  of: 'chain',
  labels: ['expectation'],
})
const ofAddress = gauge({
  name: 'stakewatch_address_expectation_known',
  help: `Whether an expectation of the wallet ${HELP}`,
  of: 'address',
  labels: ['expectation'],
})

const knownMetrics = [ofValidator, ofChain, ofAddress]

/** Metrics of what the configuration names. */
export const configurationMetrics: readonly Metric[] = [...configuredMetrics, ...knownMetrics, validatorObservers]

/** What a task published of what it judged. */
export interface Judgement {
  rows: readonly ExpectationRow[]
  /** Milliseconds since the epoch. */
  expiresAt: number
}

interface Declared {
  /** The same text for the declaration and for every row about it. */
  key: string
  sample(isKnown: boolean): Sample
}

const UNIT = 'expectations'

/** Gives what has to be published when what is known has changed since it was last asked. */
export function createKnown({ networks }: Config) {
  const declared = networks.flatMap(({ name: network, validators, chains, addresses }) => [
    ...validators.flatMap(({ subnet, node_id, name: validator, expect }) =>
      declaredOf(ofValidator, { network, subnet, node_id, validator }, expect),
    ),
    ...chains.flatMap(({ name: chain, expect }) => declaredOf(ofChain, { network, chain }, expect)),
    ...addresses.flatMap(({ name: address, expect, min_balance }) =>
      declaredOf(ofAddress, { network, address }, { min_balance, ...expect }),
    ),
  ])
  let published: string | undefined
  return {
    changes(judgements: Iterable<Judgement>, now: number): FromPoller[] {
      const known = new Set<string>()
      for (const { rows, expiresAt } of judgements) {
        if (expiresAt > now) for (const { labels, expectation } of rows) known.add(keyOf(labels, expectation))
      }
      const state = declared.map(({ key }) => (known.has(key) ? '1' : '0')).join('')
      if (declared.length === 0 || state === published) return []
      published = state
      const families = renderFamilies(declared.map(({ key, sample }) => sample(known.has(key))))
      return [{ kind: 'publish', key: UNIT, families, observedAt: now, expiresAt: Infinity }]
    },
  }
}

function declaredOf(
  metric: (typeof knownMetrics)[number],
  labels: Readonly<Record<string, string>>,
  expect: Readonly<Record<string, unknown>>,
): Declared[] {
  const given = Object.entries(expect).filter(([, value]) => value !== undefined)
  return given.map(([expectation]) => ({
    key: keyOf(labels, expectation),
    sample: (isKnown) => metric.sample({ ...labels, expectation }, isKnown ? 1 : 0),
  }))
}

/** A wallet is one thing on all of its chains. */
function keyOf({ network, address, validator, subnet, chain }: ExpectationRow['labels'], expectation: string): string {
  const thing = address !== undefined ? ['address', address] : validator !== undefined ? [subnet, validator] : [chain]
  return JSON.stringify([expectation, network, ...thing])
}
