// The verdicts as the rules read them: while an instance does not answer, its last ones hold.

import { VERDICT } from '../../firing/replicas.ts'
import { finish } from '../../lib/steps.ts'
import { vectorOf } from '../../promql/evaluate.ts'
import { parsePromql } from '../../promql/parse.ts'
import type { Vector } from '../../promql/sample.ts'
import { createHistory, reachOf } from '../../promql/sample-history.ts'

/** Evaluates what is recorded of the verdicts, one time after the other; `now` is in milliseconds. */
export function createHeld(recorded: string): (now: number, samples: ReadonlyMap<string, Vector>) => Vector {
  const expression = parsePromql(recorded)
  const history = createHistory(reachOf([expression]))
  return (now, samples) => {
    finish(history.take(now, samples))
    return finish(vectorOf(expression, now, history)).map((sample) => ({ ...sample, name: VERDICT }))
  }
}
