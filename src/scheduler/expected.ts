// What the configuration declares of things, and which tasks can tell whether it is so.

import type { Config } from '../config/schema.ts'
import type { Metric } from '../metrics/define.ts'
import type { ExpectationRow } from '../metrics/publication.ts'
import type { Task } from './plan.ts'

/** The identity of a thing, and the configuration's own word for what must be true of it. */
export type Declared = Pick<ExpectationRow, 'labels' | 'expectation'>

export interface Declaration extends Declared {
  of: 'validator' | 'chain' | 'address'
}

/** With the whole identity of each thing. */
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

/** By names: a node id says nothing that the name of the validator does not. */
export function expectedIn(config: Config): Declared[] {
  return declarationsIn(config).map(({ labels: { node_id: _, ...labels }, expectation }) => ({ labels, expectation }))
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
