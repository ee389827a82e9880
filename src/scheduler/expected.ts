// The expectations that a configuration declares, and which tasks can judge them.

import type { Config } from '../config/schema.ts'
import type { Metric } from '../metrics/define.ts'
import type { ExpectationRow } from '../metrics/publication.ts'
import type { Task } from './plan.ts'

/** The labels of an object, and the configuration's key for what must be true of it. */
export type Declared = Pick<ExpectationRow, 'labels' | 'expectation'>

export interface Declaration extends Declared {
  of: 'validator' | 'chain' | 'address'
}

/** With all labels of each object. */
export function declarationsIn({ networks }: Config): Declaration[] {
  return networks.flatMap(({ name: network, validators, chains, addresses }) => [
    ...validators.flatMap(({ subnet, node_id, name: validator, expect }) =>
      each('validator', { network, subnet, node_id, validator }, expect),
    ),
    ...chains.flatMap(({ name: chain, expect }) => each('chain', { network, chain }, expect)),
    ...addresses.flatMap(({ name: address, expect, min_balance }) =>
      each('address', { network, address }, { min_balance, ...expect }),
    ),
  ])
}

function each(
  of: Declaration['of'],
  labels: Declared['labels'],
  expect: Readonly<Record<string, unknown>>,
): Declaration[] {
  const given = Object.entries(expect).filter(([, value]) => value !== undefined)
  return given.map(([expectation]) => ({ of, labels, expectation }))
}

/** By names only: the name of a validator implies its node id. */
export function expectedIn(config: Config): Declared[] {
  return declarationsIn(config).map(({ labels: { node_id: _, ...labels }, expectation }) => ({ labels, expectation }))
}

/** Whether a task judges objects of this kind, unless it observes another one. */
export function canTell({ collector, labels: own }: Task, { labels }: Declared): boolean {
  const names = Object.keys(labels)
  return (
    collector.metrics.some((metric) => judges(metric, names)) &&
    names.every((name) => own[name] === undefined || own[name] === labels[name])
  )
}

/** The labels of the object come first in a metric, with a node id next to the validator's name. */
function judges(metric: Metric, names: readonly string[]): boolean {
  const labels = metric.labels.filter((label) => label !== 'node_id')
  return labels.includes('expectation') && names.every((name, at) => name === labels[at])
}

export function isAbout(row: ExpectationRow, { labels, expectation }: Declared): boolean {
  return row.expectation === expectation && Object.entries(labels).every(([name, value]) => row.labels[name] === value)
}
