// What the configuration declares of things, and which tasks can tell whether it is so.

import type { Config } from '../config/schema.ts'
import type { Metric } from '../metrics/define.ts'
import type { ExpectationRow } from '../metrics/snapshot.ts'
import type { Task } from './plan.ts'

/** The identity of a thing, and the configuration's own word for what must be true of it. */
export type Declared = Pick<ExpectationRow, 'labels' | 'expectation'>

export function expectedIn({ networks }: Config): Declared[] {
  return networks.flatMap(({ name: network, validators, chains, addresses }) => [
    ...validators.flatMap(({ subnet, name, expect }) => each({ network, subnet, validator: name }, expect)),
    ...chains.flatMap(({ name, expect }) => each({ network, chain: name }, expect)),
    ...addresses.flatMap(({ name, expect, min_balance }) =>
      each({ network, address: name }, { min_balance, ...expect }),
    ),
  ])
}

function each(labels: Declared['labels'], expect: Readonly<Record<string, unknown>>): Declared[] {
  const given = Object.entries(expect).filter(([, value]) => value !== undefined)
  return given.map(([expectation]) => ({ labels, expectation }))
}

/** A task that judges things of this kind, unless it looks at another one. */
export function canTell({ collector, labels: own }: Task, { labels }: Declared): boolean {
  const names = Object.keys(labels)
  return (
    collector.metrics.some((metric) => judges(metric, names)) &&
    names.every((name) => own[name] === undefined || own[name] === labels[name])
  )
}

/** Its labels begin with those that say what it is about; a node id stands there beside the name of the validator. */
function judges(metric: Metric, names: readonly string[]): boolean {
  const labels = metric.labels.filter((label) => label !== 'node_id')
  return labels.includes('expectation') && names.every((name, at) => name === labels[at])
}

export function isAbout(row: ExpectationRow, { labels, expectation }: Declared): boolean {
  return row.expectation === expectation && Object.entries(labels).every(([name, value]) => row.labels[name] === value)
}
