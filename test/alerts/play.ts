// Plays the tests of the rules (promtool's files) in this process: series go to a judge for each instance, and its verdicts with the
// series to the rules.

import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { ownRules } from '../../src/firing/engine.ts'
import { createEngine, roundOf } from '../../src/firing/engine.ts'
import { parseTemplate, render } from '../../src/firing/template.ts'
import { createBoard, type Reading } from '../../src/conditions/board.ts'
import { conditions, judgedMetrics } from '../../src/conditions/index.ts'
import { createJudge } from '../../src/conditions/judge.ts'
import { conditionReadings } from '../../src/conditions/published.ts'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { labelsOf } from '../../src/metrics/labels.ts'
import { type Labels, sortedLabels } from '../../src/lib/label-text.ts'
import { finish } from '../../src/lib/steps.ts'
import { vectorOf } from '../../src/promql/evaluate.ts'
import { parsePromql } from '../../src/promql/parse.ts'
import type { Sample } from '../../src/promql/sample.ts'

const root = new URL('../../alerts/tests/', import.meta.url)

interface Expected {
  exp_labels: Record<string, string>
  exp_annotations?: Record<string, string>
}

export interface RuleTest {
  name: string
  interval?: string
  input_series: { series: string; values: string }[]
  alert_rule_test?: { eval_time: string; alertname: string; exp_alerts?: Expected[] }[]
}

export const testFiles = () => readdirSync(root).filter((file) => file.endsWith('.test.yaml'))
export const testsIn = (file: string) =>
  parse(readFileSync(new URL(file, root), 'utf8'), { merge: true, schema: 'failsafe' }) as {
    tests: RuleTest[]
    evaluation_interval?: string
  }

export function seconds(text: string | number): number {
  if (typeof text === 'number') return text
  let sum = 0
  for (const [, number, unit] of text.matchAll(/(\d+)(d|h|m|s)/g)) {
    sum += Number(number) * { d: 86_400, h: 3_600, m: 60, s: 1 }[unit as 'd']
  }
  return sum
}

const GAP = Symbol('no sample')
const STALE = Symbol('stale')
type Value = number | typeof GAP | typeof STALE

/** promtool's notation: `1x3` is 1 four times, `1+2x3` grows, `_x3` is three times nothing. */
function expand(notation: string): Value[] {
  return notation
    .trim()
    .split(/\s+/)
    .flatMap((word): Value[] => {
      if (word === 'stale') return [STALE]
      const [, gap] = /^_(?:x(\d+))?$/.exec(word) ?? []
      if (word.startsWith('_')) return Array.from({ length: Number(gap ?? 1) }, () => GAP)
      const [, first, step, times] =
        /^(-?[\d.]+(?:e[+-]?\d+)?|NaN|[+-]?Inf)(?:([+-][\d.]+(?:e[+-]?\d+)?))?(?:x(\d+))?$/.exec(word) ?? []
      if (first === undefined) throw new Error(`not a value: ${word}`)
      const start = Number(first.replace('Inf', 'Infinity'))
      return Array.from(
        { length: times === undefined ? 1 : Number(times) + 1 },
        (_, at) => start + at * Number(step ?? 0),
      )
    })
}

interface Input {
  name: string
  labels: Labels
  values: Value[]
}

function inputOf({ series, values }: RuleTest['input_series'][number]): Input {
  const [, name = '', inside = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? []
  const pairs = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, value]) => [label!, value!] as const)
  return { name, labels: sortedLabels(pairs), values: expand(String(values)) }
}

/** The sample at the time: not older than five minutes, and none after a stale marker. */
function sampleAt({ values }: Input, at: number, interval: number): number | undefined {
  for (let index = Math.floor(at / interval); index >= 0 && at - index * interval < 300; index -= 1) {
    const value = values[index]
    if (value === STALE) return undefined
    if (typeof value === 'number') return value
  }
  return undefined
}

const known = new Map<string, ReadonlySet<string>>()
function ownLabels(metric: string): ReadonlySet<string> {
  let own = known.get(metric)
  if (!own) known.set(metric, (own = new Set(labelsOf(metric))))
  return own
}

/** The labels that the target has, and the series's own. */
function split(name: string, labels: Labels): { target: Record<string, string>; own: Record<string, string> } {
  const target: Record<string, string> = {}
  const own: Record<string, string> = {}
  const of = ownLabels(name)
  for (const label in labels) (of.has(label) ? own : target)[label] = labels[label]!
  return { target, own }
}

export interface Difference {
  test: string
  at: string
  alert: string
  expected: unknown
  found: unknown
}

/** What differs from the expectations of a test; only the chosen alerts. */
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
  const judges = new Map<
    string,
    { target: Labels; judge: ReturnType<typeof createJudge>; board: ReturnType<typeof createBoard> }
  >()
  const differences: Difference[] = []
  const last = Math.max(...asked.map(({ eval_time }) => seconds(eval_time)))
  for (let at = 0; at <= last; at += evaluation) {
    const samples = new Map<string, Sample[]>()
    const boards = new Map<string, { target: Labels; readings: Map<string, Reading[]> }>()
    for (const input of inputs) {
      const value = sampleAt(input, at, interval)
      if (value === undefined) continue
      const { name, labels } = input
      if (!samples.has(name)) samples.set(name, [])
      samples.get(name)!.push({ name, labels, value })
      if (!judgedMetrics.has(name)) continue
      const { target, own } = split(name, labels)
      const key = JSON.stringify(Object.entries(target).toSorted())
      if (!boards.has(key)) boards.set(key, { target, readings: new Map() })
      const { readings } = boards.get(key)!
      if (!readings.has(name)) readings.set(name, [])
      readings.get(name)!.push({ labels: own, value })
    }
    for (const key of judges.keys()) if (!boards.has(key)) judges.delete(key)
    for (const [key, { target, readings }] of boards) {
      if (!judges.has(key)) judges.set(key, { target, judge: createJudge(conditions), board: createBoard() })
      const { judge, board } = judges.get(key)!
      board.replace('all', readings)
      for (const [name, some] of conditionReadings(judge.judge(board, at, thresholds))) {
        if (!samples.has(name)) samples.set(name, [])
        for (const { labels, value } of some) {
          samples
            .get(name)!
            .push({ name, labels: sortedLabels([...Object.entries(labels), ...Object.entries(target)]), value })
        }
      }
    }
    finish(roundOf(engine, at * 1_000, samples))
    for (const { eval_time, alertname, exp_alerts = [] } of asked) {
      if (seconds(eval_time) !== at) continue
      const rule = engine.alerting.find(({ rule }) => rule.alert === alertname)?.rule
      if (!rule) continue
      const found = [...(engine.instances.get(alertname)?.values() ?? [])]
        .filter(({ firedAt }) => firedAt !== undefined)
        .map(({ labels, value }) => {
          const query = (expression: string) => finish(vectorOf(parsePromql(expression), at * 1_000, engine.history))
          const text = (template: string) => render(parseTemplate(template), { labels, value, query })
          return {
            exp_labels: sortedLabels(Object.entries({ ...labels, severity: rule.severity })),
            exp_annotations: {
              summary: text(rule.summary),
              description: text(rule.description),
            },
          }
        })
      const expected = exp_alerts.map(({ exp_labels, exp_annotations }) => ({
        exp_labels: sortedLabels(Object.entries(exp_labels)),
        ...(exp_annotations && {
          exp_annotations: { summary: exp_annotations['summary'], description: exp_annotations['description'] },
        }),
      }))
      const comparable = found.map((one, index) =>
        expected[index]?.exp_annotations ? one : { exp_labels: one.exp_labels },
      )
      const text = (some: readonly unknown[]) =>
        some
          .map((one) => JSON.stringify(one))
          .toSorted()
          .join('\n')
      if (text(expected) !== text(comparable)) {
        differences.push({ test: test.name, at: eval_time, alert: alertname, expected, found: comparable })
      }
    }
  }
  for (const [name, problem] of engine.problems) {
    differences.push({ test: test.name, at: '', alert: name, expected: '', found: problem })
  }
  return differences
}

if (import.meta.main) {
  const [, , alert, wanted] = process.argv
  let count = 0
  const began = Date.now()
  for (const file of testFiles()) {
    if (wanted !== undefined && !file.includes(wanted)) continue
    const { tests, evaluation_interval: evaluation = '1m' } = testsIn(file)
    for (const test of tests) {
      count += 1
      let differences: Difference[]
      try {
        differences = play(
          test,
          seconds(evaluation),
          (name) => alert === undefined || alert === 'all' || name === alert,
        )
      } catch (error) {
        console.log(`${file}: ${test.name}: ${(error as Error).stack}`)
        continue
      }
      for (const one of differences) {
        console.log(`${file}: ${one.test}\n  at ${one.at} ${one.alert}`)
        console.log(`  expected ${JSON.stringify(one.expected)}\n  found    ${JSON.stringify(one.found)}`)
      }
    }
  }
  console.log(`${count} tests, ${Date.now() - began} ms`)
}
