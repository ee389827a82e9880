// The verdicts as the rules read them: while an instance does not answer, its last ones hold.

import { VERDICT } from '../../firing/replicas.ts'
import type { Labels } from '../../lib/label-text.ts'
import { keyOf, type Vector } from '../../promql/sample.ts'

const instanceOf = ({ job = '', instance = '' }: Labels) => `${job}\n${instance}`

/** Takes the verdicts of one time after the other, and the targets that did not answer then. */
export function createHeld(): (verdicts: Vector, down: Vector) => Vector {
  let before: Vector = []
  return (verdicts, down) => {
    const silent = new Set(down.map(({ labels }) => instanceOf(labels)))
    const known = new Set(verdicts.map(({ labels }) => keyOf(labels)))
    const held = before.filter(({ labels }) => silent.has(instanceOf(labels)) && !known.has(keyOf(labels)))
    before = [...verdicts, ...held].map((sample) => ({ ...sample, name: VERDICT }))
    return before
  }
}
