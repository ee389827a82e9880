// Plays the tests of the rules (promtool's files) in this process: the series go to a judge for each instance, and its verdicts to the
// rules. promtool gets the verdicts as series of their own.

import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { type Board, createBoard, type Reading } from '../../src/conditions/board.ts'
import { conditions, judgedMetrics } from '../../src/conditions/index.ts'
import { createJudge, type Judge } from '../../src/conditions/judge.ts'
import { conditionReadings } from '../../src/conditions/published.ts'
import { createEngine, ownRules, roundOf } from '../../src/firing/engine.ts'
import { parseTemplate, render } from '../../src/firing/template.ts'
import { entryOf } from '../../src/lib/entry.ts'
import { type Labels, sortedLabels } from '../../src/lib/label-text.ts'
import { finish } from '../../src/lib/steps.ts'
import { labelsOf } from '../../src/metrics/labels.ts'
import { vectorOf } from '../../src/promql/evaluate.ts'
import { parsePromql } from '../../src/promql/parse.ts'
import { keyOf, type Sample } from '../../src/promql/sample.ts'

const root = new URL('../../alerts/tests/', import.meta.url)

interface Expected {
  exp_labels: Record<string, string>
  exp_annotations?: Record<string, string>
}

interface InputSeries {
  series: string
  values: string
}

export interface RuleTest {
  name: string
  interval?: string
  input_series?: InputSeries[]
  alert_rule_test?: { eval_time: string; alertname: string; exp_alerts?: Expected[] }[]
  promql_expr_test?: { eval_time: string }[]
}

export const testFiles = () => readdirSync(root).filter((file) => file.endsWith('.test.yaml'))

/** All values are texts: 0x60 is no number here. */
export const testsIn = (file: string) =>
  parse(readFileSync(new URL(file, root), 'utf8'), { merge: true, schema: 'failsafe' }) as {
    tests: RuleTest[]
    evaluation_interval?: string
  }

const units: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 }

export function seconds(text: string): number {
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0)
}

type Value = number | 'stale' | undefined

const NUMBER = '[+-]?(?:[\\d.]+(?:e[+-]?\\d+)?|NaN|Inf)'
const SEQUENCE = new RegExp(`^(${NUMBER})([+-][\\d.]+(?:e[+-]?\\d+)?)?(?:x(\\d+))?$`)

/** promtool's notation: `1x3` is 1 four times, `1+2x3` grows, `_x3` is three times nothing. */
function expand(notation: string): Value[] {
  return notation
    .trim()
    .split(/\s+/)
    .flatMap((word): Value[] => {
      if (word === 'stale') return [word]
      if (word.startsWith('_')) return Array.from({ length: Number(word.slice(2) || 1) }, () => undefined)
      const [, first, step = '0', times] = SEQUENCE.exec(word) ?? []
      if (first === undefined) throw new Error(`not a value: ${word}`)
      const start = Number(first.replace('Inf', 'Infinity'))
      return Array.from({ length: times === undefined ? 1 : Number(times) + 1 }, (_, at) => start + at * Number(step))
    })
}

interface Input {
  name: string
  labels: Labels
  values: Value[]
}

function inputOf({ series, values }: InputSeries): Input {
  const [, name = '', inside = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? []
  const pairs = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label!, value!] as const)
  return { name, labels: sortedLabels(pairs), values: expand(values) }
}

/** Older samples are not seen (seconds). */
const LOOKBACK = 300

function sampleAt({ values }: Input, at: number, interval: number): number | undefined {
  for (let index = Math.floor(at / interval); index >= 0 && at - index * interval < LOOKBACK; index -= 1) {
    const value = values[index]
    if (value === 'stale') return undefined
    if (value !== undefined) return value
  }
  return undefined
}

const own = new Map<string, ReadonlySet<string>>()

/** The labels that Prometheus adds to the series of a target. */
function targetOf({ name, labels }: Input): Labels {
  const known = entryOf(own, name, () => new Set(labelsOf(name)))
  return sortedLabels(Object.entries(labels).filter(([label]) => !known.has(label)))
}

/** One judge for each instance: replicas do not know of each other. */
function createJudges() {
  const judges = new Map<string, { judge: Judge; board: Board }>()
  return (inputs: readonly Sample[], at: number): Sample[] => {
    const judged = inputs.filter(({ name }) => judgedMetrics.has(name))
    const byTarget = Map.groupBy(judged, ({ name, labels }) => keyOf(targetOf({ name, labels, values: [] })))
    for (const key of judges.keys()) if (!byTarget.has(key)) judges.delete(key)
    return [...byTarget].flatMap(([key, samples]) => {
      const { judge, board } = entryOf(judges, key, () => ({ judge: createJudge(conditions), board: createBoard() }))
      const target = Object.entries(targetOf({ ...samples[0]!, values: [] }))
      const gone = new Set(target.map(([label]) => label))
      const readings = new Map<string, Reading[]>()
      for (const { name, labels, value } of samples) {
        const left = Object.entries(labels).filter(([label]) => !gone.has(label))
        entryOf(readings, name, () => []).push({ labels: Object.fromEntries(left), value })
      }
      board.replace('all', readings)
      return [...conditionReadings(judge.judge(board, at, thresholds))].flatMap(([name, some]) =>
        some.map(({ labels, value }) => ({
          name,
          labels: sortedLabels([...Object.entries(labels), ...target]),
          value,
        })),
      )
    })
  }
}

const lastOf = ({ alert_rule_test: alerts = [], promql_expr_test: expressions = [] }: RuleTest) =>
  Math.max(0, ...[...alerts, ...expressions].map(({ eval_time }) => seconds(eval_time)))

function samplesAt(inputs: readonly Input[], at: number, interval: number): Sample[] {
  return inputs.flatMap((input) => {
    const value = sampleAt(input, at, interval)
    return value === undefined ? [] : [{ name: input.name, labels: input.labels, value }]
  })
}

const numberText = (value: number) => String(value).replace('Infinity', 'Inf')

/** What the judge publishes in a test, as more input of it. */
export function verdictSeries(test: RuleTest): InputSeries[] {
  const inputs = (test.input_series ?? []).map(inputOf)
  const interval = seconds(test.interval ?? '1m')
  const judge = createJudges()
  const found = new Map<string, { series: string; values: string[] }>()
  const steps = Math.floor(lastOf(test) / interval) + 1
  for (let step = 0; step < steps; step += 1) {
    const seen = new Set<string>()
    for (const { name, labels, value } of judge(samplesAt(inputs, step * interval, interval), step * interval)) {
      const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`)
      const series = `${name}{${pairs.join(',')}}`
      const { values } = entryOf(found, series, () => ({ series, values: Array.from({ length: step }, () => '_') }))
      values.push(numberText(value))
      seen.add(series)
    }
    for (const { series, values } of found.values()) {
      if (!seen.has(series)) values.push(values.at(-1) === '_' || values.at(-1) === 'stale' ? '_' : 'stale')
    }
  }
  return [...found.values()].map(({ series, values }) => ({ series, values: values.join(' ') }))
}

export interface Difference {
  at: string
  alert: string
  expected: string
  found: string
}

const textOf = (alerts: readonly Expected[]) =>
  alerts
    .map((one) => JSON.stringify(one))
    .toSorted()
    .join('\n')

/** What differs from the expectations of a test about these alerts. */
export function play(
  test: RuleTest,
  evaluation: number,
  isChosen: (alert: string) => boolean = () => true,
): Difference[] {
  const inputs = (test.input_series ?? []).map(inputOf)
  const interval = seconds(test.interval ?? '1m')
  const asked = (test.alert_rule_test ?? []).filter(({ alertname }) => isChosen(alertname))
  if (asked.length === 0) return []
  const engine = createEngine(ownRules())
  const judge = createJudges()
  const differences: Difference[] = []
  const last = Math.max(...asked.map(({ eval_time }) => seconds(eval_time)))
  for (let at = 0; at <= last; at += evaluation) {
    const scraped = samplesAt(inputs, at, interval)
    const samples = Map.groupBy([...scraped, ...judge(scraped, at)], ({ name }) => name)
    finish(roundOf(engine, at * 1_000, samples))
    for (const { eval_time, alertname: alert, exp_alerts = [] } of asked) {
      const rule = engine.alerting.find((one) => one.rule.alert === alert)?.rule
      if (seconds(eval_time) !== at || !rule) continue
      const query = (expression: string) => finish(vectorOf(parsePromql(expression), at * 1_000, engine.history))
      const firing = [...(engine.instances.get(alert)?.values() ?? [])].filter(({ firedAt }) => firedAt !== undefined)
      const hasText = exp_alerts.some(({ exp_annotations }) => exp_annotations)
      const found = firing.map(({ labels, value }) => {
        const text = (template: string) => render(parseTemplate(template), { labels, value, query })
        return {
          exp_labels: sortedLabels(Object.entries({ ...labels, severity: rule.severity })),
          ...(hasText && { exp_annotations: { summary: text(rule.summary), description: text(rule.description) } }),
        }
      })
      const expected = exp_alerts.map(({ exp_labels, exp_annotations: texts }) => ({
        exp_labels: sortedLabels(Object.entries(exp_labels)),
        ...(texts && { exp_annotations: { summary: texts['summary']!, description: texts['description']! } }),
      }))
      if (textOf(expected) !== textOf(found)) {
        differences.push({ at: eval_time, alert, expected: textOf(expected), found: textOf(found) })
      }
    }
  }
  for (const [name, problem] of engine.problems) {
    differences.push({ at: '', alert: name, expected: '', found: problem })
  }
  return differences
}
