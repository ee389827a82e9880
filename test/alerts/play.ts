// Plays the tests of the rules (promtool's files) in this process: the series go to a judge for each instance, and its verdicts to the
// rules. promtool gets the verdicts as series of their own.

import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { thresholds } from '../../src/alerts/thresholds.ts'
import { parseTemplate, render } from '../../src/alerts/template.ts'
import { queryOf } from '../../src/alerts/text-query.ts'
import type { Found } from '../../src/alerts/states.ts'
import { createVerdictAlerts } from '../../src/alerts/verdict-alerts.ts'
import { type Board, createBoard } from '../../src/conditions/board.ts'
import { type Condition, nameOf } from '../../src/conditions/condition.ts'
import { conditions } from '../../src/conditions/index.ts'
import { createJudge, type Judge, metricsReadBy } from '../../src/conditions/judge.ts'
import { conditionSamples, valuesOf } from '../../src/conditions/published.ts'
import { entryOf } from '../../src/lib/entry.ts'
import { labelKey, type Labels, sortedLabels } from '../../src/lib/label-text.ts'
import { definitions, labelsOf } from '../../src/metrics/catalogue.ts'
import type { Series } from '../../src/metrics/read-exposition.ts'

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
  promql_expr_test?: { expr: string; eval_time: string; exp_samples?: { labels: string; value: string }[] }[]
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
  const [, name = '', inside = ''] = /^(\w*)(?:\{(.*)\})?$/.exec(series) ?? []
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

interface Split {
  /** The labels that Prometheus adds to the series of a target, and their key. */
  target: Labels
  key: string
  /** Those that the instance writes. */
  written: Labels
}

const splits = new WeakMap<Labels, Split>()

/** The labels of a series, which are the same object in each minute. */
const splitOf = ({ name, labels }: Pick<Series, 'name' | 'labels'>): Split =>
  entryOf(splits, labels, () => {
    const known = entryOf(own, name, () => new Set(labelsOf(name)))
    const target = sortedLabels(Object.entries(labels).filter(([label]) => !known.has(label)))
    const written = Object.fromEntries(Object.entries(labels).filter(([label]) => target[label] === undefined))
    return { target, key: labelKey(target), written }
  })

/** What is played instead of what ships: to find out what no test notices. */
export interface World {
  conditions: readonly Condition[]
  /** A metric of which there are no samples. */
  without?: string
  /** What judges; default: what ships. */
  createJudge?: typeof createJudge
  createBoard?: typeof createBoard
}

const judgedMetrics = metricsReadBy(conditions)
const shipped: World = { conditions }

/** What a judge publishes, and the verdicts in it by condition. */
interface Judgement {
  /** `metrics`: those that matter; default: all. */
  published: (metrics?: ReadonlySet<string>) => readonly Series[]
  values: ReadonlyMap<string, readonly Found[]>
}

const collectors: ReadonlyMap<string, string> = new Map(
  definitions.flatMap(({ name, metrics }) => metrics.map((metric) => [metric.name, name] as const)),
)
const RUN = 'stakewatch_collector_interval_seconds'

/** What the labels of a wallet's series say of the run that reports it. */
const targets: Readonly<Record<string, (labels: Labels) => string>> = {
  transactions: ({ address, chain }) => `address:${address}:${chain}`,
  'node-balances': ({ address }) => address!,
}
const targetOf = (collector: string, labels: Labels) =>
  targets[collector]?.(labels) ?? (labels['address'] === undefined ? '' : `${labels['address']}:${labels['chain']}`)

interface Runs {
  runs: Map<string, Series>
  /** Networks of which the test writes the runs. */
  written: Set<string>
}

/**
 * The runs that have reported one of these samples, or one before them: they go on when they report nothing. A test may write the
 * runs of a network itself.
 */
function noteRuns({ runs, written }: Runs, samples: readonly Series[]): readonly Series[] {
  for (const { labels } of samples) if (labels['collector'] !== undefined) written.add(labels['network']!)
  for (const { name, labels } of samples) {
    const { network, source = '' } = labels
    const collector = collectors.get(name)
    if (collector === undefined || written.has(network!)) continue
    const run = { network: network!, collector, source, target: targetOf(collector, labels) }
    entryOf(runs, labelKey(run), () => ({ name: RUN, labels: run, value: 60 }))
  }
  return [...runs.values()]
}

/** One judge for each instance: replicas do not know of each other. */
function createJudges(world: World = shipped) {
  const judges = new Map<string, { judge: Judge; board: Board } & Runs>()
  return (inputs: readonly Series[], at: number): Judgement[] => {
    const judged = inputs.filter(({ name }) => judgedMetrics.has(name))
    const byTarget = Map.groupBy(judged, (sample) => splitOf(sample).key)
    for (const key of judges.keys()) if (!byTarget.has(key)) judges.delete(key)
    return Array.from(byTarget, ([key, samples]) => {
      const { judge, board, ...runs } = entryOf(judges, key, () => ({
        judge: (world.createJudge ?? createJudge)(world.conditions),
        board: (world.createBoard ?? createBoard)(),
        runs: new Map<string, Series>(),
        written: new Set<string>(),
      }))
      const target = Object.entries(splitOf(samples[0]!).target)
      const written = samples.map((sample) => ({ ...sample, labels: splitOf(sample).written }))
      board.replace('all', written)
      if (world.without !== RUN) board.replace('runs', noteRuns(runs, written))
      const { failed, ...verdicts } = judge.judge(board, at, thresholds)
      for (const [{ alert }, problem] of failed) throw new Error(`${alert}: ${problem}`)
      const withTarget = (labels: Labels) => sortedLabels([...Object.entries(labels), ...target])
      const published: Judgement['published'] = (metrics) =>
        conditionSamples({ ...verdicts, failed }).flatMap(({ metric: { name }, labels, value }) =>
          metrics?.has(name) === false ? [] : { name, labels: withTarget(labels), value: Number(value) },
        )
      const values = Array.from(valuesOf(verdicts.judged), ([condition, some]) => {
        return [condition, some.map((one) => ({ ...one, labels: withTarget(one.labels) }))] as const
      })
      return { published, values: new Map(values) }
    })
  }
}

const lastOf = ({ alert_rule_test: alerts = [], promql_expr_test: expressions = [] }: RuleTest) =>
  Math.max(0, ...[...alerts, ...expressions].map(({ eval_time }) => seconds(eval_time)))

function samplesAt(inputs: readonly Input[], at: number, interval: number): Series[] {
  return inputs.flatMap((input) => {
    const value = sampleAt(input, at, interval)
    return value === undefined ? [] : [{ name: input.name, labels: input.labels, value }]
  })
}

const numberText = (value: number) => String(value).replace('Infinity', 'Inf')

/**
 * What the judge publishes in a test, as more input of it: what `reading` names, the rules and whatever asks. The counts of all
 * conditions would be most of the series.
 */
export function verdictSeries(test: RuleTest, reading: string): InputSeries[] {
  const metrics = new Set(reading.match(/\bstakewatch_\w+/g))
  const inputs = (test.input_series ?? []).map(inputOf)
  const interval = seconds(test.interval ?? '1m')
  const judge = createJudges()
  const found = new Map<string, { series: string; values: string[] }>()
  const steps = Math.floor(lastOf(test) / interval) + 1
  for (let step = 0; step < steps; step += 1) {
    const seen = new Set<string>()
    const judged = judge(samplesAt(inputs, step * interval, interval), step * interval)
    for (const { name, labels, value } of judged.flatMap(({ published }) => published(metrics))) {
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

/** Whether an expression is about the alert, by a name of its own or in a pattern of several, or by its condition. */
export const isAbout = (text: string, alert: string) =>
  text.includes(alert.slice('Stakewatch'.length)) || text.includes(`"${nameOf({ alert })}"`)

const textOf = (alerts: readonly Expected[]) =>
  alerts
    .map((one) => JSON.stringify(one))
    .toSorted()
    .join('\n')

type Alerts = ReturnType<typeof createVerdictAlerts>

/** The series of Prometheus itself about alerts. */
const alertSeries = (alerts: Alerts): Series[] =>
  alerts.alerting().flatMap(({ rule: { alert, severity }, instances }) =>
    [...instances.values()].flatMap(({ labels, activeAt, firedAt }) => {
      const own = { ...labels, alertname: alert, severity }
      const alertstate = firedAt === undefined ? 'pending' : 'firing'
      return [
        { name: 'ALERTS', labels: sortedLabels(Object.entries({ ...own, alertstate })), value: 1 },
        { name: 'ALERTS_FOR_STATE', labels: sortedLabels(Object.entries(own)), value: activeAt / 1_000 },
      ]
    }),
  )

/** What most tests ask: how many there are, or the greatest, by labels. promtool plays all others. */
const ASKED = /^(?:(count|max)(?: by \(([^)]*)\))? \(?)?\(?(\w+)\{([^}]*)\}(?: == (\d+))?\)?( or vector\(0\))?$/
const MATCHERS = /(\w+)(=~?)"((?:[^"\\]|\\.)*)"/g

/** What an expression gives of these samples, and what it should; undefined for one of another form. */
function ofExpression(
  { expr, exp_samples = [] }: Expression,
  samples: readonly Series[],
): [string, string] | undefined {
  const [, how, by, metric, inner = '', equal, orZero] = ASKED.exec(expr) ?? []
  if (metric === undefined) return undefined
  const matchers = Array.from(inner.matchAll(MATCHERS), ([, label, operator, text]) => {
    const pattern = operator === '=' ? undefined : new RegExp(`^(?:${text})$`)
    return (labels: Labels) => pattern?.test(labels[label!] ?? '') ?? (labels[label!] ?? '') === text
  })
  const chosen = samples.filter(
    ({ name, labels, value }) =>
      name === metric && matchers.every((fits) => fits(labels)) && (equal === undefined || value === Number(equal)),
  )
  const names = by?.split(/, ?/) ?? []
  const grouped = Map.groupBy(chosen, ({ name, labels }) => {
    if (how === undefined) return `${name} ${labelKey(labels)}`
    return ` ${labelKey(sortedLabels(names.map((label) => [label, labels[label] ?? ''] as const)))}`
  })
  const found = Array.from(grouped, ([key, some]) => {
    return `${key} ${how === 'count' ? some.length : Math.max(...some.map(({ value }) => value))}`
  })
  if (found.length === 0 && orZero !== undefined) found.push('  0')
  const expected = exp_samples.map(({ labels, value }) => {
    const { name, labels: own } = inputOf({ series: labels, values: '0' })
    return `${name} ${labelKey(own)} ${Number(value)}`
  })
  return [expected.toSorted().join('\n'), found.toSorted().join('\n')]
}
type Expression = NonNullable<RuleTest['promql_expr_test']>[number]

const TEXTS = ['title', 'summary', 'description', 'action'] as const

/** What differs from the expectations of a test about these alerts. */
export function play(
  test: RuleTest,
  evaluation: number,
  isChosen: (alert: string) => boolean = () => true,
  world: World = shipped,
): Difference[] {
  const inputs = (test.input_series ?? []).map(inputOf).filter(({ name }) => name !== world.without)
  const interval = seconds(test.interval ?? '1m')
  const isAskedTwice = inputs.some(({ name }) => name === 'stakewatch_upstream_requests_total')
  // What other replicas refute only Prometheus sees.
  const here = world.conditions.filter(({ refutedBy }) => !refutedBy || !isAskedTwice)
  const known = new Set(here.map(({ alert }) => alert))
  // While an instance does not answer, only Prometheus holds its verdicts.
  const isPlayed = !inputs.some(({ name }) => name === 'up')
  const asked = (test.alert_rule_test ?? []).filter(({ alertname }) => known.has(alertname) && isChosen(alertname))
  const expressions = (test.promql_expr_test ?? []).filter(
    (one) =>
      isPlayed && ASKED.test(one.expr) && [...known].some((alert) => isAbout(one.expr, alert) && isChosen(alert)),
  )
  if (asked.length + expressions.length === 0) return []
  const alerts = createVerdictAlerts(world.conditions)
  const judge = createJudges(world)
  const differences: Difference[] = []
  const last = Math.max(...[...asked, ...expressions].map(({ eval_time }) => seconds(eval_time)))
  for (let at = 0; at <= last; at += evaluation) {
    const scraped = samplesAt(inputs, at, interval)
    const judged = judge(scraped, at)
    alerts.take((condition) => judged.flatMap(({ values }) => values.get(condition) ?? []), at * 1_000)
    for (const one of expressions.filter(({ eval_time }) => seconds(eval_time) === at)) {
      const samples = [...scraped, ...judged.flatMap(({ published }) => published()), ...alertSeries(alerts)]
      const [expected, found] = ofExpression(one, samples)!
      if (expected !== found) differences.push({ at: one.eval_time, alert: one.expr, expected, found })
    }
    for (const { eval_time, alertname: alert, exp_alerts = [] } of asked) {
      if (seconds(eval_time) !== at) continue
      const { rule, instances } = alerts.alerting().find((one) => one.rule.alert === alert)!
      const firing = [...instances.values()].filter(({ firedAt }) => firedAt !== undefined)
      const hasText = exp_alerts.some(({ exp_annotations }) => exp_annotations)
      const found = firing.map((one) => {
        const { labels, value } = one
        const data = { labels, value, query: queryOf(one) }
        const text = (template: string) => render(parseTemplate(template), data)
        return {
          exp_labels: sortedLabels(Object.entries({ ...labels, severity: rule.severity })),
          ...(hasText && { exp_annotations: Object.fromEntries(TEXTS.map((name) => [name, text(rule[name])])) }),
        }
      })
      const expected = exp_alerts.map(({ exp_labels, exp_annotations: texts }) => ({
        exp_labels: sortedLabels(Object.entries(exp_labels)),
        ...(texts && { exp_annotations: Object.fromEntries(TEXTS.map((name) => [name, texts[name] ?? ''])) }),
      }))
      if (textOf(expected) !== textOf(found)) {
        differences.push({ at: eval_time, alert, expected: textOf(expected), found: textOf(found) })
      }
    }
  }
  return differences
}
