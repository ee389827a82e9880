// Judges the history and evaluates the rules over it, round by round as stakewatch and Prometheus would have done, and reads what
// did fire. The conditions are judged here, over the series that the daemon judged then, so that other limits and newer conditions
// count too. The server evaluates what is PromQL, and we do `for` and `keep_firing_for`.

import type { Reading } from '../../conditions/board.ts'
import { labelKey, type Labels, sortedLabels } from '../../lib/label-text.ts'
import { type Chunk, createEpisodes, readerOf } from './read-history.ts'
import { createReplicas, type Verdict } from './replicas.ts'
import type { Rule } from '../../alerts/rule.ts'
import { rulesOf } from '../../alerts/rules.ts'
import { DRILL, WATCHDOG } from '../../alerts/self.ts'
import type { Thresholds } from '../../alerts/thresholds.ts'
import { createVerdictAlerts } from '../../alerts/verdict-alerts.ts'
import { nameOf } from '../../conditions/condition.ts'
import { conditions } from '../../conditions/index.ts'
import { metricsReadBy } from '../../conditions/judge.ts'
import { conditionEnded } from '../../self/judge-metrics.ts'

/** What fired, as Prometheus recorded it. */
export const FIRED = 'ALERTS{alertname=~"Stakewatch.+",alertstate="firing"}'

/** `present` is an expression that has samples while the server has series of stakewatch; step in seconds. */
export function createReplay(
  { job, replicas, sets, refutations, judged, down, asked }: Plan,
  present: string,
  step: number,
) {
  /** What another job of stakewatch says is about another network, or other limits. */
  const isOwn = (labels: Labels) => (labels['job'] ?? job) === job
  const would = sets.map(() => createEpisodes())
  const held = sets.map(createHeld)
  const [did, gaps, unloaded] = [createEpisodes(), createEpisodes(), createEpisodes()]

  function evaluateAt(at: number, answers: (expression: string) => readonly Reading[]): void {
    const now = at * step * 1_000
    for (const [index, verdicts] of replicas.verdicts(at * step).entries()) {
      const { alerts, expressions } = sets[index]!
      const all = held[index]!.with(verdicts, answers(down), replicas.ended()[index]!)
      const byCondition = Map.groupBy(all, ({ condition }) => condition)
      const verdictsOf = (condition: string) => {
        const some = byCondition.get(condition) ?? []
        const refutation = refutations.get(condition)
        return refutation ? unless(some, answers(refutation.series), refutation.on) : some
      }
      alerts.take(verdictsOf, now, { results: (alert) => answers(expressions.get(alert)!) })
      for (const labels of firingIn(alerts)) if (isOwn(labels)) would[index]!.add(labels, { from: at, to: at })
    }
  }

  return {
    take({ from, to, tracks }: Chunk): void {
      const tracksOf = (expression: string) => tracks.get(expression) ?? new Map()
      const [isPresent, fired] = [readerOf(tracksOf(present)), readerOf(tracksOf(FIRED))]
      const readersOf = (some: ReadonlyMap<string, string>) =>
        Array.from(some, ([name, expression]) => [name, readerOf(tracksOf(expression))] as const)
      const raw = readersOf(judged)
      const answers = new Map([...asked].map((one) => [one, readerOf(tracksOf(one))]))
      for (let at = from; at <= to; at += 1) {
        const alerts = fired(at).map(({ labels }) => labels)
        for (const labels of alerts) {
          if (isJudgedAlert(labels) && isOwn(labels)) did.add(withoutState(labels), { from: at, to: at })
        }
        if (isPresent(at).length === 0) {
          gaps.add({}, { from: at, to: at })
          replicas.clear()
          for (const { alerts } of sets) alerts.clear()
          for (const one of held) one.clear()
          continue
        }
        if (!alerts.some(({ alertname }) => alertname === WATCHDOG)) unloaded.add({}, { from: at, to: at })
        for (const [metric, read] of raw) replicas.take(metric, read(at))
        evaluateAt(at, (expression) => answers.get(expression)!(at))
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
      /** Alerts that could not be judged at some time, with the first reason. */
      problems: replicas.failures,
    }),
  }
}

const isJudgedAlert = ({ alertname: alert = '', severity = '' }: Labels) =>
  isJudged({ alert, severity: severity as 'none' })

const withoutState = ({ alertstate: _, ...labels }: Labels) => labels

/** As PromQL's `unless on`. */
function unless<One extends Reading>(
  some: readonly One[],
  others: readonly Reading[],
  on: readonly string[],
): readonly One[] {
  if (some.length === 0 || others.length === 0) return some
  const keyOf = ({ labels }: Reading) => on.map((name) => labels[name] ?? '').join('\n')
  const gone = new Set(others.map(keyOf))
  return some.filter((one) => !gone.has(keyOf(one)))
}

/** With the labels that ALERTS has. */
function* firingIn(alerts: Plan['sets'][number]['alerts']): Generator<Labels> {
  for (const { rule, instances } of alerts.alerting()) {
    for (const { labels, firedAt } of instances.values()) {
      if (firedAt === undefined) continue
      yield sortedLabels([...Object.entries(labels), ['alertname', rule.alert], ['severity', rule.severity]])
    }
  }
}

const instanceOf = ({ job = '', instance = '' }: Labels) => `${job}\n${instance}`
const keyOf = ({ condition, labels }: Verdict) => `${condition} ${labelKey(labels)}`

/** Without the instance that judged it. */
const objectOf = ({ condition, labels }: Verdict) =>
  [condition, ...['job', ...conditionEnded.labels].map((name) => labels[name] ?? '')].join('\n')

/** The verdicts as the rules read them: while an instance does not answer, its last ones hold, until another one sees their end. */
function createHeld() {
  let before: readonly Verdict[] = []
  return {
    /** Takes the verdicts of one time after the other, the targets that did not answer then, and what has ended lately. */
    with(verdicts: readonly Verdict[], silent: readonly Reading[], ended: readonly Verdict[]): readonly Verdict[] {
      const instances = new Set(silent.map(({ labels }) => instanceOf(labels)))
      const known = new Set(verdicts.map(keyOf))
      const over = new Set(ended.map(objectOf))
      const held = before.filter(
        (one) => instances.has(instanceOf(one.labels)) && !known.has(keyOf(one)) && !over.has(objectOf(one)),
      )
      return (before = [...verdicts, ...held])
    },
    clear(): void {
      before = []
    },
  }
}

export type Plan = ReturnType<typeof planOf>

/** The watchdog and the drill fire to prove that alerts arrive. */
const isJudged = ({ alert, severity }: Pick<Rule, 'alert' | 'severity'>) => severity !== 'none' && alert !== DRILL

export const judgedRules = (job: string, limits: Thresholds): readonly Rule[] =>
  rulesOf({ job, limits }).filter(isJudged)

/** What is asked of the server, and what we evaluate. */
export function planOf(job: string, limits: readonly Thresholds[]) {
  const sets = limits.map((one) => {
    const others = judgedRules(job, one).filter(({ condition }) => condition === undefined)
    return {
      alerts: createVerdictAlerts(conditions, others),
      /** Expressions of the rules that read no verdict, by alert. */
      expressions: new Map(others.map(({ alert, expr }) => [alert, expr])),
    }
  })
  /** Why the verdicts of a condition do not count: a series of another replica, with these labels. By the name of the condition. */
  const refutations = new Map(
    conditions.flatMap((one) => (one.refutedBy ? [[nameOf(one), one.refutedBy] as const] : [])),
  )
  const expressions = sets.flatMap((one) => [...one.expressions.values()])
  const down = `up{job="${job}"} == 0`
  return {
    job,
    /** They judge with each set of limits. */
    replicas: createReplicas(limits),
    /** One for each set of limits. */
    sets,
    refutations,
    /** What the server is asked for about what the daemon judged, by metric. */
    judged: new Map([...metricsReadBy(conditions)].map((metric) => [metric, `${metric}{job="${job}"}`])),
    /** The instances that did not answer: their last verdicts hold. */
    down,
    /** What the server evaluates. */
    asked: new Set([down, ...[...refutations.values()].map(({ series }) => series), ...expressions]),
  }
}
