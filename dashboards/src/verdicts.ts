// What the judge of stakewatch says is a problem. A panel never concludes it a second time: pages and alerts would differ.

import { conditions } from '../../src/conditions/index.ts'
import { nameOf } from '../../src/conditions/condition.ts'
import { type Narrowed, NODE, ofFleet } from './select.ts'

const known: ReadonlySet<string> = new Set(conditions.map(nameOf))

function isOneOf(names: readonly string[]): string {
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error(`no such condition: ${unknown.join()}`)
  return `condition=~"${names.join('|')}"`
}

/** 1 for each object with one of these problems. */
export const problems = ({ one }: Narrowed, by: string, ...names: readonly string[]) =>
  one(by, 'condition', isOneOf(names))

/** The same for `countBad`: 0 if there is none; no data until an object is judged. */
export function found(narrowed: Narrowed, by: string, ...names: readonly string[]): string {
  const judged = narrowed.select('conditions', isOneOf(names), 'state=~"ok|problem"')
  return `${problems(narrowed, by, ...names)} or on () (sum(${judged}) > 0) * 0`
}

/** Without the reports of nodes that have no vote, such as one that is isolated. */
export const voted = (opinion: string, { one }: Narrowed = ofFleet) =>
  `(${opinion} unless on (${NODE}) ${one(NODE, 'node_votes')} == 0)`
