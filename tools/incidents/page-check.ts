// Holds what the daemon itself makes of its series against what promtool makes of them: the engine over the same samples has
// to fire the same alerts in the same minutes, and the status of the daemon has to show what fires.

import { createEngine, type Engine, needPrometheus, ownRules, roundOf } from '../../src/firing/engine.ts'
import { type Labels, sortedLabels } from '../../src/lib/label-text.ts'
import { finish } from '../../src/lib/steps.ts'
import type { Sample } from '../../src/promql/sample.ts'
import type { Fired } from './alerts.ts'
import type { Played } from './play.ts'
import { BEFORE } from './stage.ts'
import { keyOf, shownKey } from './page-rows.ts'

const MINUTE = 60_000

/** Where the daemon and promtool differ. The minutes of `fired` count from the beginning of the incident. */
export function differences(played: Played, fired: readonly Fired[]): string[] {
  const ofPlay = fired.map((one) => ({ ...one, from: one.from + BEFORE, until: one.until + BEFORE }))
  return [...fromEngine(played, ofPlay), ...fromStatus(played, ofPlay)]
}

function fromEngine(played: Played, fired: readonly Fired[]): string[] {
  const own = evaluated(played)
  const other = new Map<string, number[]>()
  for (const { alert, labels, from, until } of fired) {
    for (let minute = from; minute <= until; minute += played.sampleMinutes) added(other, keyOf(alert, labels), minute)
  }
  return [...new Set([...own.keys(), ...other.keys()])].flatMap((key) => {
    const [ours = [], theirs = []] = [own.get(key), other.get(key)]
    if (ours.join() === theirs.toSorted((a, b) => a - b).join()) return []
    return `the engine differs from promtool on ${key}: ${describeMinutes(ours)} instead of ${describeMinutes(theirs)}`
  })
}

/** The minutes in which the engine makes alerts fire. */
function evaluated({ series, minutes, sampleMinutes }: Played): Map<string, number[]> {
  const engine = createEngine(ownRules())
  const all = [...series].map(([key, values]) => ({ ...seriesOf(key), values }))
  const firing = new Map<string, number[]>()
  for (let at = 0; at * sampleMinutes <= minutes; at += 1) {
    const samples = new Map<string, Sample[]>()
    for (const { name, labels, values } of all) {
      const value = values[at]
      if (value !== undefined) added(samples, name, { name, labels, value })
    }
    const minute = at * sampleMinutes
    finish(roundOf(engine, minute * MINUTE, samples))
    for (const [rule, problem] of engine.problems) throw new Error(`minute ${minute}: ${rule}: ${problem}`)
    for (const key of firingIn(engine)) added(firing, key, minute)
  }
  return firing
}

function added<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

function seriesOf(key: string): { name: string; labels: Labels } {
  const [, name = '', pairs = ''] = /^(\w+)\{(.*)\}$/s.exec(key) ?? []
  const entries = [...pairs.matchAll(/(\w+)=("(?:[^"\\]|\\.)*")/g)]
  return { name, labels: sortedLabels(entries.map(([, label, value]) => [label!, JSON.parse(value!) as string])) }
}

function firingIn({ alerting, instances }: Engine): string[] {
  return alerting.flatMap(({ rule: { alert, severity } }) =>
    [...(instances.get(alert)?.values() ?? [])]
      .filter(({ firedAt }) => severity !== 'none' && firedAt !== undefined)
      .map(({ labels }) => keyOf(alert, severity === 'own' ? labels : { ...labels, severity })),
  )
}

const describeMinutes = (minutes: readonly number[]) =>
  minutes.length === 0 ? 'in no minute' : `in ${minutes.length} minutes from ${minutes[0]! - BEFORE}`

/**
 * What fires has to be shown until the minute before it ends, and from two minutes after it begins: the daemon evaluates once
 * a minute, and its minutes begin at other seconds, so that it may meet an outage of seconds one sample later.
 */
function fromStatus({ shown, sampleMinutes }: Played, fired: readonly Fired[]): string[] {
  const own = fired.filter(({ alert }) => !(alert in needPrometheus))
  return own.flatMap(({ alert, labels, from, until }) => {
    const key = shownKey(alert, labels)
    const silent = shown.flatMap((seen, at) => {
      const minute = at * sampleMinutes
      return seen && minute > from + 1 && minute < until && !seen.has(key) ? minute : []
    })
    return silent.length === 0 ? [] : `the status does not show ${key} ${describeMinutes(silent)}`
  })
}
