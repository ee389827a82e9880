// Every condition, in the order of evaluation: what explains others comes first.

import type { Condition } from './condition.ts'
import { validatorDisconnected } from './connections.ts'

export const conditions: readonly Condition[] = [validatorDisconnected]

/** The metrics that the judge reads. */
export const judgedMetrics: ReadonlySet<string> = new Set(conditions.flatMap(({ reads }) => reads))
