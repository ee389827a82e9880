// Compares the expectations of the configuration with the results.

import type { Config } from '../../../config/schema.ts'
import type { ExpectationRow } from '../../../metrics/publication.ts'
import { type Declared, expectedIn, isAbout } from '../../../scheduler/expected.ts'
import { type Line, ok, problem, type Seen, unknown, valueOf } from './seen.ts'

/** All that is expected. No collector judges the admin API of a node, but one publishes whether it answers. */
function declaredIn(config: Config): Declared[] {
  return [...expectedIn(config), ...adminDeclared(config)]
}

function adminDeclared({ networks }: Config): Omit<ExpectationRow, 'found' | 'isMet'>[] {
  return networks.flatMap(({ name: network, nodes }) =>
    nodes
      .filter(({ admin }) => admin !== 'off')
      .map(({ name: source, admin }) => ({
        labels: { network, source },
        expectation: 'admin',
        expected: answerText(admin === 'on'),
      })),
  )
}

function answerText(isAnswering: boolean): string {
  return isAnswering ? 'it answers' : 'it does not answer'
}

function adminRows(seen: Seen): ExpectationRow[] {
  return adminDeclared(seen.config).flatMap((one) => {
    const value = valueOf(seen, 'stakewatch_node_admin_api_reachable', one.labels)
    if (value === undefined) return []
    const found = answerText(value === 1)
    return { ...one, found, isMet: found === one.expected }
  })
}

export function expectationLines(seen: Seen): Line[] {
  const judged = seen.asked.flatMap(({ status }) => status.expectations ?? [])
  // If a collector checks it too, its result is enough.
  const read = adminRows(seen).filter((one) => !judged.some((row) => isAbout(row, one)))
  const rows = [...judged, ...read]
  const missing = declaredIn(seen.config).filter((one) => !rows.some((row) => isAbout(row, one)))
  return [
    ...rows.map((row): Line => {
      const verdict = row.isMet
        ? ok(`met: ${shortened(row.expected)}`)
        : problem(`not met: expected ${row.expected}, found ${row.found || 'none'}`)
      return { kind: 'expect', name: nameOf(row), ...verdict }
    }),
    ...missing.map((one): Line => ({ kind: 'expect', name: nameOf(one), ...unknown('no source reports it') })),
  ]
}

/** 'fuji/primary/val-1 delegation_fee': the name is enough without the node id. */
export function nameOf({ labels, expectation }: Declared): string {
  const { node_id: _, ...names } = labels
  return `${Object.values(names).join('/')} ${expectation}`
}

/** Keys and lists of addresses are too long to show. */
const MOST_CHARACTERS = 50

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}...`
}
