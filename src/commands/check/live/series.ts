// Expectations that no collector checks although a series has the answer: whether the admin API of a node answers.

import type { Config } from '../../../config/schema.ts'
import type { ExpectationRow } from '../../../metrics/publication.ts'
import type { Declared } from '../../../scheduler/expected.ts'
import type { Task } from '../../../scheduler/plan.ts'

const REACHABLE = 'stakewatch_node_admin_api_reachable'

/** Whether the task has series about the expectation. */
export function tellsBySeries({ collector: { name }, labels: own }: Task, { labels, expectation }: Declared): boolean {
  return (
    name === 'node-admin' &&
    expectation === 'admin' &&
    Object.entries(labels).every(([label, value]) => own[label] === value)
  )
}

/** The expected state of admin APIs; nodes without an expectation are omitted. */
export function adminDeclared({ networks }: Config): Declared[] {
  return networks.flatMap(({ name: network, nodes }) =>
    nodes
      .filter(({ admin }) => admin !== 'off')
      .map(({ name: source }) => ({ labels: { network, source }, expectation: 'admin' })),
  )
}

/** By the text of an exposition. */
export function rowsOf({ networks }: Config, exposition: string): ExpectationRow[] {
  const reachable = seriesOf(exposition, REACHABLE)
  return networks.flatMap(({ name: network, nodes }) =>
    nodes.flatMap(({ name: source, admin }) => {
      const value = valueOf(reachable, { network, source })
      if (admin === 'off' || value === undefined) return []
      const found = value === 1 ? 'it answers' : 'it does not answer'
      const expected = admin === 'on' ? 'it answers' : 'it does not answer'
      return [{ labels: { network, source }, expectation: 'admin', expected, found, isMet: found === expected }]
    }),
  )
}

interface Series {
  labels: Readonly<Record<string, string>>
  value: number
}

/** Configured names contain no characters that labels escape. */
function seriesOf(exposition: string, metric: string): Series[] {
  const lines = exposition.split('\n').filter((line) => line.startsWith(`${metric}{`))
  return lines.map((line) => ({
    labels: Object.fromEntries(Array.from(line.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, value])),
    value: Number(line.slice(line.lastIndexOf('} ') + 2)),
  }))
}

function valueOf(series: readonly Series[], wanted: Readonly<Record<string, string>>): number | undefined {
  return series.find(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value))?.value
}

/** 'fuji/primary/val-1 delegation_fee': the name is enough without the node id. */
export function nameOf({ labels, expectation }: ExpectationRow | Declared): string {
  const { node_id: _, ...names } = labels
  return `${Object.values(names).join('/')} ${expectation}`
}
