// The validators by whose stakes turns fall (platform.getValidatorsAt).

import type { AnswerOf } from '../../operations/define.ts'
import type { getValidatorsAt } from '../../operations/node/platform-validators.ts'
import { type DrawSet, prepareSet } from '../../turns/draw.ts'

/** Undefined if any weight is unknown: each one changes all draws. */
export function setFrom(answer: AnswerOf<typeof getValidatorsAt>): DrawSet | undefined {
  const weights = Object.entries(answer).map(([nodeId, record]) => [nodeId, record?.weight] as const)
  const known = weights.flatMap(([nodeId, weight]) => (weight === undefined ? [] : [[nodeId, weight] as const]))
  return known.length === weights.length ? prepareSet(known) : undefined
}
