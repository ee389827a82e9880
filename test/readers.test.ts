// Every metric has a reader: a rule, a panel, a page, the report or a command. What is published costs each Prometheus memory, so
// that it must serve someone.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dashboards } from '../dashboards/src/all.ts'
import { heldValue, ofInstance } from '../src/alerts/condition-rule.ts'
import { groupsOf } from '../src/alerts/rules.ts'
import { everyMetric } from '../src/commands/catalogue.ts'
import { isKept } from '../src/daemon/judging.ts'
import { questions, tracked } from '../src/commands/report/questions.ts'
import { metricNames } from '../src/status/value/metric-names.ts'
import { publicMetricNames } from '../src/status/value/public.ts'
import { metricsOf } from './dashboards/lint.ts'
import { read, stored } from './dashboards/promql.ts'

/** The metrics that these expressions select by name. */
const selected = (expressions: readonly string[]) =>
  expressions.flatMap((expression) => {
    const { isValid, selectors } = read(expression, new Map(), new Set())
    if (!isValid) throw new Error(`no PromQL: ${expression}`)
    return selectors.flatMap(({ metric }) => metric ?? [])
  })

const rules = groupsOf().flatMap((group) => group.rules)
const ofRules = [...rules, heldValue].map(({ expr }) => ofInstance(expr))
/** What the judge reads for its conditions, and what the texts of alerts look up. */
const ofConditions = rules.flatMap(({ reads = [], readsForText = [], description }) => [
  ...reads,
  ...readsForText,
  ...(description.match(/\bstakewatch_\w+/g) ?? []),
])
const ofReport = [tracked, ...Object.values(questions)].map(({ expr }) => expr('node_id="a"'))

const folder = new URL('../src/commands/', import.meta.url)
/** Commands read what a daemon serves by its names. Those that make the lists of all metrics read none. */
const commandFiles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(check|doctor|drill|silence|top)\b.*\.ts$|^window-costs\.ts$/.test(file),
)
const namesIn = (file: string) => {
  const code = readFileSync(new URL(file, folder), 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')
  return code.match(/\bstakewatch_\w+/g) ?? []
}

const readers: Readonly<Record<string, ReadonlySet<string>>> = {
  rules: new Set([...selected(ofRules), ...ofConditions]),
  panels: new Set(Object.values(dashboards).flatMap(metricsOf)),
  pages: new Set([...metricNames, ...publicMetricNames]),
  report: new Set(selected(ofReport)),
  commands: new Set(commandFiles.flatMap(namesIn)),
}

const isRead = (names: ReadonlySet<string>, metric: ReturnType<typeof everyMetric>[number]) =>
  stored(metric).some(([name]) => names.has(name)) || names.has(metric.name)

test('every metric has a reader', () => {
  const unread = everyMetric().filter((metric) => !Object.values(readers).some((names) => isRead(names, metric)))
  expect(
    unread.map(({ name }) => name),
    'read it in src/alerts, dashboards/src, src/status, the report or a command; or remove it',
  ).toEqual([])
})

test('what is published of a validator has its node id if a rule, a page or the report finds it by that', () => {
  const { rules, pages, report } = readers
  const ofValidators = everyMetric().filter(({ labels }) => labels.includes('validator'))
  // A verdict has the labels of its alert, though the rule reads its value.
  const isFound = (metric: (typeof ofValidators)[number]) =>
    metric.name === 'stakewatch_condition' || [rules, pages, report].some((names) => isRead(names!, metric))
  const namesOf = (all: typeof ofValidators) => all.map(({ name }) => name)
  expect(namesOf(ofValidators.filter(({ labels }) => labels.includes('node_id')))).toEqual(
    namesOf(ofValidators.filter(isFound)),
  )
})

test('the daemon keeps what check --live reads', () => {
  const read = commandFiles.filter((file) => file.startsWith('check/live/')).flatMap(namesIn)
  expect(read.length).toBeGreaterThan(20)
  expect([...new Set(read)].filter((name) => !isKept(name))).toEqual([])
})

test.each(Object.entries(readers))('the %s read metrics that there are', (_, names) => {
  const known = new Set(everyMetric().flatMap((metric) => [metric.name, ...stored(metric).map(([name]) => name)]))
  const read = [...names].filter((name) => name.startsWith('stakewatch_'))
  expect(read.length).toBeGreaterThan(5)
  expect(read.filter((name) => !known.has(name))).toEqual([])
})
