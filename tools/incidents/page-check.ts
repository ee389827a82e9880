// Holds what the daemon itself makes of its series against what promtool makes of the same ones.

import { createEngine, type Engine, ownRules, roundOf } from '../../src/firing/engine.ts'
import { type Labels, sortedLabels } from '../../src/lib/labels.ts'
import type { Sample } from '../../src/promql/sample.ts'
import type { Fired } from './alerts.ts'
import type { Played } from './play.ts'

const MINUTE = 60_000

/** The alerts that the engine makes fire, by minute of the play. */
function engineOf({ series, minutes, sampleMinutes }: Played): Map<string, number[]> {
  const engine = createEngine(ownRules())
  const parsed = [...series].map(([key, values]) => ({ ...seriesOf(key), values }))
  const firing = new Map<string, number[]>()
  for (let at = 0; at * sampleMinutes <= minutes; at += 1) {
    const samples = new Map<string, Sample[]>()
    for (const { name, labels, values } of parsed) {
      const value = values[at]
      if (value === undefined) continue
      if (!samples.has(name)) samples.set(name, [])
      samples.get(name)!.push({ name, labels, value })
    }
    const minute = at * sampleMinutes
    for (const _ of roundOf(engine, minute * MINUTE, samples)) continue
    for (const key of firingIn(engine)) {
      if (!firing.has(key)) firing.set(key, [])
      firing.get(key)!.push(minute)
    }
    for (const [rule, problem] of engine.problems) throw new Error(`minute ${minute}: ${rule}: ${problem}`)
  }
  return firing
}

function seriesOf(key: string): { name: string; labels: Labels } {
  const [, name = '', pairs = ''] = /^(\w+)\{(.*)\}$/s.exec(key) ?? []
  const entries = [...pairs.matchAll(/(\w+)=("(?:[^"\\]|\\.)*")/g)]
  return { name, labels: sortedLabels(entries.map(([, label, value]) => [label!, JSON.parse(value!) as string])) }
}

function firingIn({ alerting, instances }: Engine): string[] {
  return alerting.flatMap(({ rule }) =>
    [...(instances.get(rule.alert)?.values() ?? [])]
      .filter(({ firedAt }) => firedAt !== undefined)
      .map(({ labels }) => alertKey(rule.alert, { ...labels, severity: rule.severity })),
  )
}

const alertKey = (alert: string, labels: Labels) => `${alert} ${JSON.stringify(sortedLabels(Object.entries(labels)))}`

/** Where the engine and promtool differ; each alert of promtool with the minutes in which it fires, those of the play. */
export function differences(played: Played, told: readonly (Fired & { minutes: readonly number[] })[]): string[] {
  const engine = engineOf(played)
  const wanted = new Map(told.map((one) => [alertKey(one.alert, one.labels), one.minutes]))
  return [...new Set([...engine.keys(), ...wanted.keys()])].flatMap((key) => {
    const [own = [], other = []] = [engine.get(key), wanted.get(key)]
    if (own.join() === other.join()) return []
    return `${key}: promtool in minutes ${inWords(other)}, the engine in ${inWords(own)}`
  })
}

function inWords(minutes: readonly number[]): string {
  if (minutes.length === 0) return 'none'
  return `${minutes[0]} to ${minutes.at(-1)} (${minutes.length})`
}
