// What a check is: what it needs to know, and what it concludes from that. And how the programs are asked for all of it.

import type { Thresholds } from '../../alerts/thresholds.ts'
import type { Alertmanager } from '../monitoring/alertmanager.ts'
import type { Grafana, InstalledDashboard } from '../monitoring/grafana.ts'
import type { Prometheus } from '../monitoring/prometheus.ts'
import type { Daemon } from '../monitoring/daemon.ts'
import { type BaseError, toBaseError } from '../../errors.ts'
import { entryOf } from '../../lib/entry.ts'

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

/** This version of stakewatch, and what the rules shall have. */
export interface Own {
  version: string
  limits: Thresholds
  /** Other times before an alert fires, by alert (seconds). */
  waits: ReadonlyMap<string, number>
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

interface Finding extends Result {
  check: Check['name']
  why: string
}

export interface Diagnosis {
  findings: readonly Finding[]
  /** Programs without an address: nothing is known about them. */
  unchecked: readonly Program[]
}

export interface Chain {
  given: Given
  /** Programs whose address another program named: it may not be reachable from here. */
  found: ReadonlySet<Program>
}

/** A program that does not answer is one finding, and not one for each check about it. */
export interface Gate extends Pick<Check, 'name' | 'why'> {
  fact: Fact<unknown>
}

type Answer = { value: unknown } | { error: BaseError } | undefined

export async function diagnose(
  checks: readonly Check[],
  gates: readonly Gate[],
  chain: Chain,
  own: Own,
): Promise<Diagnosis> {
  const answers = new Map<Fact<unknown>, Promise<Answer>>()
  const ask = (one: Fact<unknown>) => entryOf(answers, one, () => answerOf(one, chain.given))
  const closed = (
    await Promise.all(
      gates.map(async (gate) => {
        const answer = await ask(gate.fact)
        return answer && 'error' in answer ? [{ gate, error: answer.error }] : []
      }),
    )
  ).flat()
  const isClosed = ({ of }: Fact<unknown>) => closed.some(({ gate }) => gate.fact.of === of)
  const open = checks.filter(({ needs }) => !Object.values(needs).some(isClosed))
  const judged = await Promise.all(open.map((one) => findingsOf(one, ask, own)))
  const order = new Map(checks.map(({ name }, at) => [programOf(name), at] as const).toReversed())
  return {
    findings: [...closed.map(({ gate, error }) => silenceOf(gate, error, chain)), ...judged.flat()].toSorted(
      (a, b) => order.get(programOf(a.check))! - order.get(programOf(b.check))!,
    ),
    unchecked: [...order.keys()].filter((name) => chain.given[name] === undefined),
  }
}

const programOf = (name: Check['name']) => name.split('/')[0] as Program

async function answerOf(one: Fact<unknown>, given: Given): Promise<Answer> {
  try {
    const asked = one.ask(given)
    return asked && { value: await asked }
  } catch (thrown) {
    const error = toBaseError(thrown)
    if (error.code === 'bug') throw thrown
    return { error }
  }
}

async function findingsOf(
  { name, why, needs, judge }: Check,
  ask: (one: Fact<unknown>) => Promise<Answer>,
  own: Own,
): Promise<Finding[]> {
  const facts = await Promise.all(Object.entries(needs).map(async ([key, one]) => [key, await ask(one)] as const))
  if (facts.some(([, answer]) => answer === undefined)) return []
  const errors = facts.flatMap(([, answer]) => ('error' in answer! ? [answer.error] : []))
  const [error] = errors
  const results = error
    ? [unanswered(error)]
    : judge(Object.fromEntries(facts.map(([key, answer]) => [key, (answer as { value: unknown }).value])), own)
  return results.map((result) => ({ check: name, why, ...result }))
}

const textOf = ({ message, details }: BaseError) => (details === undefined ? message : `${message}: ${details}`)

function unanswered(error: BaseError): Result {
  const fixes: Partial<Record<BaseError['code'], string>> = {
    unsupported: 'give the address of the program itself: a server in front of it may lack this part of the API',
    bad_response: 'repair what it reports, or give the address of the program behind it, and run doctor again',
    rpc_error: 'repair what it reports, and run doctor again',
  }
  return { level: 'unknown', found: textOf(error), fix: fixes[error.code] ?? 'make it answer, and run doctor again' }
}

/** Whether a found address is wrong, or only not reachable from here, is unknown. */
function silenceOf({ name, why, fact: { of } }: Gate, error: BaseError, { found }: Chain): Finding {
  const isFound = found.has(of)
  const isAnswered = error.code === 'http_status' || error.code === 'unsupported'
  const level: Level = isFound || isAnswered ? 'unknown' : 'failed'
  const fix = isFound
    ? `another program named this address: correct it there if it is wrong, or give --${of}=URL as this machine reaches it`
    : `correct --${of}, or make it answer, and run doctor again`
  return { check: name, why, level, found: textOf(error), fix }
}
