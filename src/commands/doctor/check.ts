// What a check is: what it needs to know, and what it concludes from that.

import type { Thresholds } from '../../alerts/thresholds.ts'
import type { Alertmanager } from '../monitoring/alertmanager.ts'
import type { Grafana, InstalledDashboard } from '../monitoring/grafana.ts'
import type { Prometheus } from '../monitoring/prometheus.ts'
import type { Daemon } from '../monitoring/daemon.ts'

/** From harmless to worst. `unknown`: the answer that it needs could not be had. */
export const levels = ['ok', 'note', 'unknown', 'warning', 'failed'] as const
export type Level = (typeof levels)[number]

export interface Result {
  level: Level
  /** What is the case, as one sentence without a full stop. */
  found: string
  /** What to do about it; for every level above `ok`. */
  fix?: string
}

/** The programs of the chain as doctor asks them, each undefined if it has no address for it. */
export interface Programs {
  daemon: readonly Daemon[]
  prometheus: Prometheus
  alertmanager: Alertmanager
  grafana: Grafana
}
export type Program = keyof Programs
export type Given = { readonly [name in Program]: Programs[name] | undefined }

/** This version of stakewatch, and the limits that the rules shall have. */
export interface Own {
  version: string
  limits: Thresholds
  /** The text of alertmanager.example.yml. */
  example: string
  /** Our dashboards by uid. */
  dashboards: ReadonlyMap<string, InstalledDashboard>
}

/** What doctor learns from a program. It is asked for once, however many checks need it. */
export interface Fact<Value> {
  of: Program
  ask(given: Given): Promise<Value> | undefined
}

export function fact<Name extends Program, Value>(
  of: Name,
  ask: (program: Programs[Name], given: Given) => Promise<Value>,
): Fact<Value> {
  return {
    of,
    ask(given) {
      const program = given[of]
      return program && ask(program, given)
    },
  }
}

type Facts = Readonly<Record<string, Fact<unknown>>>
type Values<Needed extends Facts> = { readonly [name in keyof Needed]: Needed[name] extends Fact<infer V> ? V : never }

interface Written<Needed extends Facts> {
  /** `prometheus/rules`: the program that it is about, and what of it. */
  name: `${Program}/${string}`
  /** What goes wrong if it is not as it should be. */
  why: string
  needs: Needed
  /** Several results are several findings; none is one that does not apply. */
  judge(facts: Values<Needed>, own: Own): readonly Result[]
}

export interface Check extends Omit<Written<Facts>, 'judge'> {
  judge(facts: Readonly<Record<string, unknown>>, own: Own): readonly Result[]
}

/** Ties what a check judges to what it needs. */
export const check = <Needed extends Facts>(one: Written<Needed>): Check => one

type Results = readonly Result[]
export const ok = (found: string): Results => [{ level: 'ok', found }]
export const bad = (level: Level, found: string, fix: string): Results => [{ level, found, fix }]
export const note = (found: string, fix: string) => bad('note', found, fix)
export const unknown = (found: string, fix: string) => bad('unknown', found, fix)
export const warning = (found: string, fix: string) => bad('warning', found, fix)
export const failed = (found: string, fix: string) => bad('failed', found, fix)
/** The findings, or what is well if there are none. */
export const unlessOk = (results: Results, found: string) => (results.length > 0 ? results : ok(found))
