// Which alerts the rules make of series, as promtool says: it evaluates them minute by minute.

import { execFile } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rulesYaml } from '../../src/alerts/rules.ts'
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
export interface Said {
  labels: Readonly<Record<string, string>>
  annotations: Readonly<Record<string, string>>
}

export async function alertsOf(played: Played, rules: string): Promise<Fired[]> {
  const { minutes, sampleMinutes: step } = played
  const samples = Array.from({ length: Math.floor(minutes / step) + 1 }, (_, at) => at * step)
  const said = await asked(played, rules, {
    promql_expr_test: samples.map((minute) => ({ expr: FIRING, eval_time: `${minute}m`, exp_samples: [] })),
  })
  const times = Map.groupBy(
    [...said.matchAll(/got: (.*)/g)].flatMap(([, one]) => samplesOf(one!)),
    ({ key }) => key,
  )
  if (said !== '' && times.size === 0) throw new Error(`promtool: ${said}`)
  return [...times].flatMap(([key, some]) => {
    const { alertname = '', alertstate: _, ...labels } = labelsOf(key)
    const minutes = some.map(({ value }) => value / 60)
    return withoutGaps(minutes, step).map((times) => ({ alert: alertname, labels, ...times }))
  })
}

export async function textsOf(played: Played, rules: string, alert: string, minute: number): Promise<Said[]> {
  const said = await asked(played, rules, {
    alert_rule_test: [{ alertname: alert, eval_time: `${minute}m`, exp_alerts: [] }],
  })
  return Array.from(said.matchAll(/Labels:(.*)\n\s*Annotations:(.*)/g), ([, labels, annotations]) => ({
    labels: labelsOf(labels!),
    annotations: labelsOf(annotations!),
  }))
}

/** What promtool says of a test that fails with what was asked for: nothing is expected. Empty where there is nothing. */
async function asked(played: Played, rules: string, questions: object): Promise<string> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'stakewatch-incident-'))
  const file = join(folder.path, 'incident.yaml')
  writeFileSync(join(folder.path, 'rules.yaml'), rules)
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
