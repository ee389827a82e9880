// What maintenance windows cost: the rules that warn a day before, evaluated over one set of samples, however far ahead a window is.

import { costs } from '../alerts/maintenance.ts'
import { recorded } from '../alerts/recorded.ts'
import { thresholds } from '../alerts/thresholds.ts'
import { BaseError } from '../errors.ts'
import type { Labels } from '../lib/label-text.ts'
import { finish } from '../lib/steps.ts'
import { vectorOf } from '../promql/evaluate.ts'
import { parsePromql } from '../promql/parse.ts'
import type { Vector } from '../promql/sample.ts'
import { createEngine, roundOf } from './engine.ts'
import { parseTemplate, render } from './template.ts'

export interface Cost {
  /** The rule that warns of it. */
  alert: string
  /** With the network and the window. */
  labels: Labels
  text: string
}

const limits = { ...thresholds, maintenanceNotice: Number.MAX_SAFE_INTEGER }

/** `now` is in milliseconds. Throws a BaseError if a rule cannot be evaluated. */
export function costsAmong(samples: ReadonlyMap<string, Vector>, now: number): Cost[] {
  const engine = createEngine({ recording: recorded(limits), alerting: costs(limits) })
  finish(roundOf(engine, now, samples))
  const [[name, problem] = []] = engine.problems
  if (name !== undefined) throw new BaseError('bad_response', `rule ${name} cannot be evaluated: ${problem}`)
  const query = (expression: string) => finish(vectorOf(parsePromql(expression), now, engine.history))
  return engine.alerting.flatMap(({ rule: { alert, description } }) =>
    [...engine.instances.get(alert)!.values()].map(({ labels, value }) => {
      return { alert, labels, text: render(parseTemplate(description), { labels, value, query }) }
    }),
  )
}
