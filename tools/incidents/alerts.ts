// Which alerts the rules make of series, as promtool says: it evaluates them minute by minute.

import { execFile } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { HELD_VALUE } from '../../src/alerts/condition-rule.ts'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { entryOf } from '../../src/lib/entry.ts'
import type { Played } from './play.ts'

/** One time that an alert fired without a gap. */
export interface Fired {
  alert: string
  labels: Readonly<Record<string, string>>
  /** Its first and its last minute in the play. */
  from: number
  until: number
}

const run = promisify(execFile)
/** What is recorded comes first: promtool takes groups in any order. */
const order = [...rulesYaml().matchAll(/^ {2}- name: (\S+)$/gm)].map(([, name]) => name)
/** It lives for seconds: collecting garbage less often saves a seventh of its time. */
const COLLECT_LESS = { ...process.env, GOGC: '400' }
/** The watchdog fires all the time. */
const FIRING = 'timestamp(ALERTS{alertstate="firing",severity!="none"})'

/** What an alert says in a minute of the play, once for each of its instances. */
interface Said {
  labels: Readonly<Record<string, string>>
  annotations: Readonly<Record<string, string>>
}

export interface Evaluated {
  fired: readonly Fired[]
  /** What an alert says that was asked about. */
  said: (alert: string, minute: number) => readonly Said[]
}

export const alertsOf = async (played: Played, rules: string): Promise<readonly Fired[]> =>
  (await evaluated(played, rules)).fired

/** `about`: the alerts whose texts matter. */
export async function evaluated(
  played: Played,
  rules: string,
  about: ReadonlySet<string> = new Set(),
): Promise<Evaluated> {
  const { minutes, sampleMinutes: step } = played
  const times = Array.from({ length: Math.floor(minutes / step) + 1 }, (_, at) => `${at * step}m`)
  const answer = await asked(played, rules, {
    promql_expr_test: times.map((eval_time) => ({ expr: FIRING, eval_time, exp_samples: [] })),
    alert_rule_test: [...about].flatMap((alertname) =>
      times.map((eval_time) => ({ alertname, eval_time, exp_alerts: [] })),
    ),
  })
  const fired = firedIn(answer, step)
  if (answer !== '' && fired.length === 0) throw new Error(`promtool: ${answer}`)
  const texts = textsIn(answer)
  return { fired, said: (alert, minute) => texts.get(`${alert} ${minute}`) ?? [] }
}

function firedIn(answer: string, step: number): Fired[] {
  const times = Map.groupBy(
    [...answer.matchAll(/got: (.*)/g)].flatMap(([, one]) => samplesOf(one!)),
    ({ key }) => key,
  )
  return [...times].flatMap(([key, some]) => {
    const { alertname = '', alertstate: _, ...labels } = labelsOf(key)
    const minutes = some.map(({ value }) => value / 60)
    return withoutGaps(minutes, step).map((run) => ({ alert: alertname, labels, ...run }))
  })
}

/** By alert and minute. */
function textsIn(answer: string): ReadonlyMap<string, readonly Said[]> {
  const said = answer.matchAll(/alertname: (\w+), time: (\w+),\s*\n((?: {8}.*\n)*)/g)
  return new Map(
    Array.from(said, ([, alert, time, block]) => {
      const instances = block!.matchAll(/Labels:(.*)\n\s*Annotations:(.*)/g)
      return [
        `${alert} ${parseDuration(time!)! / 60_000}`,
        Array.from(instances, ([, labels, annotations]) => ({
          labels: labelsOf(labels!),
          annotations: labelsOf(annotations!),
        })),
      ]
    }),
  )
}

interface Rules {
  groups: readonly { name: string; rules: readonly { alert?: string; expr: string }[] }[]
}

const parsed = new Map<string, Rules>()
/** All that the rule of a condition reads. */
const VERDICTS = new RegExp(`^\\w+ by \\([^)]*\\)\\s*\\(${HELD_VALUE}\\{condition="(\\w+)"\\}\\)$`)

/** Without the rules of conditions that were never a problem: promtool would evaluate them in each minute, for nothing. */
function rulesFor({ series }: Played, rules: string): Rules {
  const problems = new Set(Array.from(series.keys(), (key) => /\bcondition="(\w+)"/.exec(key)?.[1]))
  const { groups } = entryOf(parsed, rules, () => parse(rules) as Rules)
  const isLeft = ({ expr }: { expr: string }) => {
    const [, condition] = VERDICTS.exec(expr) ?? []
    return condition === undefined || problems.has(condition)
  }
  return { groups: groups.map((group) => ({ ...group, rules: group.rules.filter(isLeft) })) }
}

/** What promtool says of a test that fails with what was asked for: nothing is expected. Empty where there is nothing. */
async function asked(played: Played, rules: string, questions: object): Promise<string> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'stakewatch-incident-'))
  const file = join(folder.path, 'incident.yaml')
  writeFileSync(join(folder.path, 'rules.yaml'), JSON.stringify(rulesFor(played, rules)))
  writeFileSync(file, testOf(played, questions))
  const options = { maxBuffer: 2 ** 26, env: COLLECT_LESS }
  const said = await run('promtool', ['test', 'rules', file], options).then(
    () => '',
    ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => `${stdout}${stderr}` || 'it says nothing',
  )
  if (said.includes('err: ')) throw new Error(`promtool: ${said}`)
  return said
}

function testOf({ series, minutes, sampleMinutes }: Played, questions: object): string {
  const step = `${sampleMinutes}m`
  const input = [...series].map(([name, values]) => ({
    series: name,
    values: inRuns(values, Math.floor(minutes / sampleMinutes)),
  }))
  return JSON.stringify({
    rule_files: ['rules.yaml'],
    evaluation_interval: step,
    group_eval_order: order,
    tests: [{ interval: step, input_series: input, ...questions }],
  })
}

/** As promtool writes it: `1x4` is 1 five times, `_x5` is a gap of five, before which a series ends. */
export function inRuns(values: readonly (number | undefined)[], last: number): string {
  const runs: { value: number | undefined; times: number }[] = []
  for (let at = 0; at <= last; at += 1) {
    const value = values[at]
    const before = runs.at(-1)
    if (before && before.value === value) before.times += 1
    else runs.push({ value, times: 1 })
  }
  return runs
    .map(({ value, times }, at) => {
      if (value !== undefined) return `${value}x${times - 1}`
      // A scrape that lacks it ends the series; before its first value there is nothing to end.
      return at === 0 ? `_x${times}` : `stale${times > 1 ? ` _x${times - 1}` : ''}`
    })
    .join(' ')
}

/** The minutes of an alert, in runs with a sample at each step. */
export function withoutGaps(minutes: readonly number[], step: number): { from: number; until: number }[] {
  const runs: { from: number; until: number }[] = []
  for (const minute of minutes.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && minute - last.until <= step) last.until = minute
    else runs.push({ from: minute, until: minute })
  }
  return runs
}

function samplesOf(said: string): { key: string; value: number }[] {
  const samples = said.matchAll(/\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\} (\S+?)(?:,|$)/g)
  return Array.from(samples, ([, key, value]) => ({ key: key!, value: Number(value) }))
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=("(?:[^"\\]|\\.)*")/g)].map(([, name, value]) => [name!, JSON.parse(value!) as string]),
  )
}
