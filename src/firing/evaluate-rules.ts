// Evaluates the alert rules once a minute over the current exposition. It yields often, so that no scrape waits for it.

import type { Rule } from '../alerts/rule.ts'
import type { Clock, Moment } from '../lib/clock.ts'
import type { Labels } from '../lib/label-text.ts'
import { finish, type Steps } from '../lib/steps.ts'
import type { Readings } from '../metrics/read-exposition.ts'
import { vectorOf } from '../promql/evaluate.ts'
import { parsePromql } from '../promql/parse.ts'
import type { Vector } from '../promql/sample.ts'
import { type Engine, roundOf } from './engine.ts'
import type { Instance } from './states.ts'
import { parseTemplate, render, type Template, type TemplateData } from './template.ts'

export interface WatchOptions {
  engine: Engine
  /** These metrics as a scrape would return them. */
  read: (now: Moment, metrics: ReadonlySet<string>) => Steps<Readings>
  /** The target labels that Prometheus would add for this instance. */
  labels: Labels
  clock: Clock
  /** Changes with a reload or a scheduler stall: previous alerts are then out of date. */
  epoch: (now: Moment) => string
  /** Yields to other work. */
  rest: () => Promise<unknown>
  /** Reports that a rule can no longer be evaluated, or can be evaluated again. */
  tell: (rule: string, problem: string | undefined) => void
}

interface Alert extends Pick<Rule, 'alert' | 'severity' | 'summary' | 'description'>, Omit<Instance, 'value'> {
  /** held: still firing although its condition is no longer true or no longer known. */
  state: 'pending' | 'firing' | 'held'
}

export interface Evaluated {
  /** When the samples were taken. */
  at: Moment
  /** Number of alert rules, including those with problems. */
  rules: number
  problems: readonly { rule: string; problem: string }[]
  /** The most urgent first. */
  alerts: readonly Alert[]
  epoch: string
}

export interface Watch {
  /** The last round, and whether it is up to date; undefined before the end of the first one. */
  evaluated(): (Evaluated & { isCurrent: boolean }) | undefined
  /** Evaluates immediately if the epoch has changed. */
  check(): void
  stop(): void
}

/** As often as Prometheus evaluates rules by default (milliseconds). */
const INTERVAL = 60_000
/** The largest share of time that rounds may take: with less, long rounds would be further apart than rules look back. */
const SHARE = 0.1
/** Milliseconds of work before it yields. */
const REST_AFTER = 4

interface State {
  last: Evaluated | undefined
  isRunning: boolean
  /** Whether another round follows immediately. */
  isWanted: boolean
  isStopped: boolean
  cancel: () => void
}

export function watchRules(options: WatchOptions): Watch {
  const state: State = { last: undefined, isRunning: false, isWanted: false, isStopped: false, cancel: () => {} }
  const texts = textsOf(options.engine)
  const { clock, epoch, engine } = options
  const isCurrent = ({ epoch: of }: Evaluated) => of === epoch(clock.now())
  void run(options, state, texts)
  return {
    evaluated: () => state.last && { ...state.last, isCurrent: isCurrent(state.last) },
    check() {
      if (state.last && !isCurrent(state.last)) void run(options, state, texts)
    },
    stop() {
      state.isStopped = true
      state.cancel()
    },
  }
}

async function run(options: WatchOptions, state: State, texts: Texts): Promise<void> {
  const { clock } = options
  state.isWanted = true
  if (state.isRunning || state.isStopped) return
  state.isRunning = true
  state.cancel()
  let busy = 0
  while (state.isWanted && !state.isStopped) {
    state.isWanted = false
    try {
      busy = await round(options, state, texts)
    } catch (error) {
      options.tell('all', String(error))
    }
  }
  state.isRunning = false
  if (state.isStopped) return
  state.cancel = clock.after(Math.max(INTERVAL, busy / SHARE), () => void run(options, state, texts))
}

/** Returns the milliseconds for which it blocked the event loop. */
async function round(options: WatchOptions, state: State, texts: Texts): Promise<number> {
  const { engine, clock, rest } = options
  const at = clock.now()
  const epoch = options.epoch(at)
  const before = new Map(engine.problems)
  let busy = 0
  let since = at.steady
  for (const _ of stepsOf(options, at)) {
    const worked = clock.now().steady - since
    if (worked < REST_AFTER) continue
    busy += worked
    await rest()
    if (state.isStopped) return busy
    since = clock.now().steady
  }
  state.last = { ...evaluatedOf(engine, texts, at), epoch }
  for (const name of new Set([...before.keys(), ...engine.problems.keys()])) {
    const problem = engine.problems.get(name)
    if (problem !== before.get(name)) options.tell(name, problem)
  }
  return busy + clock.now().steady - since
}

function* stepsOf({ engine, read, labels }: WatchOptions, at: Moment): Steps {
  const readings = yield* read(at, engine.metrics)
  // Prometheus sets `up` for a target that answers.
  const samples = new Map([...readings, ['up', [{ name: 'up', labels, value: 1 }]]])
  yield* roundOf(engine, at.wall, samples)
}

type Text = Readonly<Record<'summary' | 'description', Template>>
type Texts = ReadonlyMap<string, Text>

const textsOf = ({ alerting }: Engine): Texts =>
  new Map(
    alerting.map(({ rule: { alert, summary, description } }) => [
      alert,
      { summary: parseTemplate(summary), description: parseTemplate(description) },
    ]),
  )

const urgency: readonly Rule['severity'][] = ['critical', 'warning', 'info']
const states: readonly Alert['state'][] = ['firing', 'held', 'pending']

function evaluatedOf(engine: Engine, texts: Texts, at: Moment): Omit<Evaluated, 'epoch'> {
  const { alerting, instances, problems, history } = engine
  const query = (expression: string) => finish(vectorOf(parsePromql(expression), at.wall, history))
  const alerts = alerting.flatMap(({ rule }) =>
    [...(instances.get(rule.alert)?.values() ?? [])].map((one) => alertOf(rule, one, texts.get(rule.alert)!, query)),
  )
  return {
    at,
    rules: alerting.length,
    problems: Array.from(problems, ([rule, problem]) => ({ rule, problem })),
    // The watchdog and drills test the alerting and are not shown.
    alerts: alerts
      .filter(({ severity }) => urgency.includes(severity))
      .toSorted(
        (a, b) =>
          urgency.indexOf(a.severity) - urgency.indexOf(b.severity) ||
          states.indexOf(a.state) - states.indexOf(b.state) ||
          a.activeAt - b.activeAt,
      ),
  }
}

function alertOf({ alert, severity }: Rule, instance: Instance, text: Text, query: TemplateData['query']): Alert {
  const { value: _, ...shown } = instance
  const data = { ...instance, query }
  return {
    alert,
    severity,
    state: shown.heldSince !== undefined ? 'held' : shown.firedAt !== undefined ? 'firing' : 'pending',
    summary: render(text.summary, data),
    description: render(text.description, data),
    ...shown,
  }
}
