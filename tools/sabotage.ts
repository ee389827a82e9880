// Changes the alert rules one by one and asks promtool whether alerts/tests notice: node tools/sabotage.ts [WORDS]. A rule is
// left out, one of its comparisons is inverted, one of its excuses (`unless on`, `and on`) matches on the job alone, or a
// metric is not there. Prints which test notices. `WORDS` takes the changes with these words in their names. All
// 900 of them take more than an hour on two cores.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { metricsRead } from '../src/alerts/missing.ts'
import { recorded } from '../src/alerts/recorded.ts'
import { groupsOf, rulesYaml } from '../src/alerts/rules.ts'
import { thresholds } from '../src/alerts/thresholds.ts'
import { onlyAlerts } from './alerts.ts'

interface Rule {
  alert?: string
  record?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  expr: string
}
interface Rules {
  groups: { name: string; rules: Rule[] }[]
}

interface Sabotage {
  name: string
  /** The rules that it changes; what reads them changes as well. */
  changes: (rule: Rule) => boolean
  /** Undefined leaves the rule out. */
  change: (expr: string) => string | undefined
}

const folder = new URL('../alerts/tests/', import.meta.url)
const tests = new Map(readdirSync(folder).map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]))
const named = (text: string) => new Set(text.match(/\bStakewatch\w+/g))
const rules = parse(rulesYaml()) as Rules
const all = rules.groups.flatMap((group) => group.rules)
/** Of several that record one series, each has labels of its own. */
const nameOf = ({ alert, record, labels }: Rule) => alert ?? [record, labels?.['alert']].filter(Boolean).join(' ')

const INVERSE: Readonly<Record<string, string>> = { '<': '>=', '>': '<=', '<=': '>', '>=': '<', '==': '!=', '!=': '==' }
const COMPARISON = /(?<= )(?:==|!=|<=|>=|<|>)(?= )/g
const EXCUSE = /(?:unless|and) on \([^)]*\)/g

/** The same text with the match at one place replaced, once for each match. */
const variants = (expr: string, pattern: RegExp, made: (match: string) => string) =>
  [...expr.matchAll(pattern)].flatMap(({ 0: match, index }, at) => {
    const changed = expr.slice(0, index) + made(match) + expr.slice(index + match.length)
    return changed === expr ? [] : { at: at + 1, match, changed }
  })

function ofRule(rule: Rule): Sabotage[] {
  const name = nameOf(rule)
  const changes = (other: Rule) => nameOf(other) === name
  const made = [
    ...variants(rule.expr, COMPARISON, (operator) => INVERSE[operator]!),
    ...variants(rule.expr, EXCUSE, (excuse) => excuse.replace(/\([^)]*\)/, '(job)')),
  ]
  return [
    { name: `${name} left out`, changes, change: () => undefined },
    ...made.map(({ at, match, changed }) => ({
      name: `${name}: ${match}, the ${at}. of them, changed`,
      changes,
      change: () => changed,
    })),
  ]
}

const ofMetric = (metric: string): Sabotage => {
  const pattern = new RegExp(`(?<![:\\w])${metric}(?![:\\w])`, 'g')
  return {
    name: `${metric} not there`,
    changes: ({ expr }) => expr.search(pattern) >= 0,
    change: (expr) => expr.replaceAll(pattern, 'no_such_metric'),
  }
}

/** What an alert of its own is recorded for, that alert alone reads. */
const readAs = (record: string, labels: Rule['labels']) =>
  labels?.['alert'] === undefined ? record : `${record}{alert="${labels['alert']}"}`

/** The alerts that follow from changed rules, by what is recorded: each reads only what is recorded before it; texts query. */
function alertsOf({ changes }: Sabotage): ReadonlySet<string> {
  const records: string[] = []
  const reads = ({ expr, annotations = {} }: Rule) => [expr, ...Object.values(annotations)].join('\n')
  const changed = all.filter((rule) => {
    const isChanged = changes(rule) || records.some((record) => reads(rule).includes(record))
    if (isChanged && rule.record !== undefined) records.push(readAs(rule.record, rule.labels))
    return isChanged
  })
  return new Set(changed.flatMap(({ alert }) => alert ?? []))
}

function sabotaged({ changes, change }: Sabotage): string {
  const groups = rules.groups.map((group) => ({
    ...group,
    rules: group.rules.flatMap((rule) => {
      if (!changes(rule)) return rule
      const expr = change(rule.expr)
      return expr === undefined ? [] : { ...rule, expr }
    }),
  }))
  return JSON.stringify({ groups })
}

const run = promisify(execFile)

/** Whether the tests in a file fail under these rules. */
async function isNoticed(file: string, yaml: string): Promise<boolean> {
  const text = tests.get(file)!
  using copies = mkdtempDisposableSync(join(tmpdir(), 'stakewatch-sabotage-'))
  mkdirSync(join(copies.path, 'tests'))
  const isAnyNamed = named(text).size > 0
  writeFileSync(join(copies.path, 'stakewatch.rules.yaml'), isAnyNamed ? onlyAlerts(yaml, named(text), text) : yaml)
  writeFileSync(join(copies.path, 'tests', file), text)
  return await run('promtool', ['test', 'rules', join(copies.path, 'tests', file)]).then(
    () => false,
    () => true,
  )
}

/** The shortest first: most changes are noticed by the test of the one alert. */
const filesOf = (alerts: ReadonlySet<string>) =>
  [...tests]
    .filter(([, text]) => [...named(text)].some((alert) => alerts.has(alert)))
    .toSorted(([, a], [, b]) => a.length - b.length)
    .map(([file]) => file)

/** In an order that has nothing to do with their names, so that the first ones are a sample of all. */
const place = (name: string) => createHash('sha256').update(name).digest('hex')

async function main(): Promise<void> {
  const [, , words = ''] = process.argv
  const metrics = metricsRead({ groups: groupsOf(), recorded: recorded(thresholds) })
  const left = [...all.flatMap(ofRule), ...metrics.map(ofMetric)]
    .filter(({ name }) => name.includes(words))
    .toSorted((a, b) => (place(a.name) < place(b.name) ? -1 : 1))
  const count = left.length
  let noticed = 0
  async function work(): Promise<void> {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      const yaml = sabotaged(one)
      let by: string | undefined
      for (const file of filesOf(alertsOf(one))) if (by === undefined && (await isNoticed(file, yaml))) by = file
      if (by !== undefined) noticed += 1
      console.log(`${one.name}: ${by ?? 'not noticed'}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  console.log(`${noticed} of ${count} noticed`)
}

if (import.meta.main) await main()
