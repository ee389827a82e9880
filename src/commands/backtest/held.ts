// The verdicts as the rules read them: while an instance does not answer, its last ones hold.

import type { Reading } from '../../conditions/board.ts'
import { labelKey, type Labels } from '../../lib/label-text.ts'
import type { Verdict } from './replicas.ts'

const instanceOf = ({ job = '', instance = '' }: Labels) => `${job}\n${instance}`
const keyOf = ({ condition, labels }: Verdict) => `${condition} ${labelKey(labels)}`

/** Takes the verdicts of one time after the other, and the targets that did not answer then. */
export function createHeld(): (verdicts: readonly Verdict[], down: readonly Reading[]) => readonly Verdict[] {
  let before: readonly Verdict[] = []
  return (verdicts, down) => {
    const silent = new Set(down.map(({ labels }) => instanceOf(labels)))
    const known = new Set(verdicts.map(keyOf))
    const held = before.filter((one) => silent.has(instanceOf(one.labels)) && !known.has(keyOf(one)))
    return (before = [...verdicts, ...held])
  }
}
