// Judges the history and evaluates the rules over it, round by round as stakewatch and Prometheus would have done, and reads what
// did fire.

import { type Engine, roundOf } from '../../firing/engine.ts'
import { VERDICT } from '../../firing/replicas.ts'
import { type Labels, sortedLabels } from '../../lib/label-text.ts'
import { finish } from '../../lib/steps.ts'
import type { Vector } from '../../promql/sample.ts'
import { createEpisodes } from './episodes.ts'
import { createHeld } from './held.ts'
import { isJudged, type Plan } from './plan.ts'
import type { Chunk } from './read-history.ts'
import { readerOf } from './tracks.ts'

/** Fires while Prometheus has loaded the rules. */
const WATCHDOG = 'StakewatchWatchdog'
/** What fired, as Prometheus recorded it. */
export const FIRED = 'ALERTS{alertname=~"Stakewatch.+",alertstate="firing"}'

/** `present` is an expression that has samples while the server has series of stakewatch; step in seconds. */
export function createReplay({ replicas, down, engines, judged, asked }: Plan, present: string, step: number) {
  const would = engines.map(() => createEpisodes())
  const heldOf = engines.map(createHeld)
  const [did, gaps, unloaded] = [createEpisodes(), createEpisodes(), createEpisodes()]
  const problems = new Map<string, string>()

  function evaluateAt(at: number, samples: ReadonlyMap<string, Vector>): void {
    const now = at * step * 1_000
    for (const [index, verdicts] of replicas.verdicts(at * step).entries()) {
      const engine = engines[index]!
      const read = heldOf[index]!(verdicts, samples.get(down) ?? [])
      finish(roundOf(engine, now, new Map([...samples, [VERDICT, read]])))
      for (const labels of firingIn(engine)) would[index]!.add(labels, { from: at, to: at })
      for (const [rule, problem] of engine.problems) if (!problems.has(rule)) problems.set(rule, problem)
    }
  }

  return {
    take({ from, to, tracks }: Chunk): void {
      const tracksOf = (expression: string) => tracks.get(expression) ?? new Map()
      const [isPresent, fired] = [readerOf(tracksOf(present)), readerOf(tracksOf(FIRED))]
      const readersOf = (some: ReadonlyMap<string, string>) =>
        Array.from(some, ([name, expression]) => [name, readerOf(tracksOf(expression))] as const)
      const [raw, parts] = [readersOf(judged), readersOf(asked)]
      for (let at = from; at <= to; at += 1) {
        const alerts = fired(at).map(({ labels }) => labels)
        for (const labels of alerts) if (isJudgedAlert(labels)) did.add(withoutState(labels), { from: at, to: at })
        if (isPresent(at).length === 0) {
          gaps.add({}, { from: at, to: at })
          replicas.clear()
          for (const { instances } of engines) instances.clear()
          continue
        }
        if (!alerts.some(({ alertname }) => alertname === WATCHDOG)) unloaded.add({}, { from: at, to: at })
        for (const [metric, read] of raw) replicas.take(metric, read(at))
        evaluateAt(at, new Map(parts.map(([name, read]) => [name, read(at)])))
      }
    },
    outcome: () => ({
      /** For each set of limits. */
      would: would.map((episodes) => episodes.all()),
      did: did.all(),
      /** Without series of stakewatch. */
      gaps: gaps.all(),
      /** With series, but without rules that could have fired. */
      unloaded: unloaded.all(),
      /** Rules that could not be evaluated at some time, with the first reason. */
      problems: problems as ReadonlyMap<string, string>,
    }),
  }
}

const isJudgedAlert = ({ alertname: alert = '', severity = '' }: Labels) =>
  isJudged({ alert, severity: severity as 'none' })

const withoutState = ({ alertstate: _, ...labels }: Labels) => labels

/** With the labels that ALERTS has. */
function* firingIn({ alerting, instances }: Engine): Generator<Labels> {
  for (const { rule } of alerting) {
    for (const { labels, firedAt } of instances.get(rule.alert)?.values() ?? []) {
      if (firedAt === undefined) continue
      yield sortedLabels([...Object.entries(labels), ['alertname', rule.alert], ['severity', rule.severity]])
    }
  }
}
