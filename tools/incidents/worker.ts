// Plays the incidents that its parent names, one after the other, in a process of its own: a daemon and a network in it
// share one clock.

import { collectorsByService } from '../../src/alerts/collectors-by-service.ts'
import { HOLD } from '../../src/alerts/rule.ts'
import { alertsOf, evaluated, type Evaluated, type Fired } from './alerts.ts'
import { type Expected, type Incident, MINUTES } from './incident.ts'
import { type Course, isOf, judge, type Verdict } from './judge.ts'
import { type Mutation, mutations } from './mutations.ts'
import { differences } from './page-check.ts'
import { play, type Played } from './play.ts'
import { BEFORE } from './stage.ts'
import { isPlayed, playedRules, ruleOf } from './read.ts'
import { replicaDifferences } from './replicas.ts'
import { incidents } from './scripts/index.ts'

export interface Outcome {
  name: string
  fired: readonly Fired[]
  verdict: Verdict
  /** Names of the mutations of the rules that this incident detects. */
  caught: readonly string[]
  seconds: number
}

export interface Job {
  name: string
  /** Names of the mutations that no incident has caught yet. */
  open: readonly string[]
  /** Whether two replicas are to fire what one does, instead of what the incident expects. */
  ofReplicas?: boolean
  /** Whether a maintenance window over the whole network is open. */
  isInWindow?: boolean
}

const firedIn = (all: readonly Fired[]): Fired[] =>
  all
    .filter(({ alert }) => isPlayed(alert))
    .map((one) => ({ ...one, from: one.from - BEFORE, until: one.until - BEFORE }))

/** What is wrong with the texts of alerts. One that does not fire is missed anyway. */
const textFaults = (incident: Incident, said: Evaluated['said'], fired: readonly Fired[]): string[] =>
  incident.alerts.flatMap(({ alert, of: [first = {}] = [], says }) => {
    const one = fired.find((other) => other.alert === alert && isOf(first, other))
    if (!says || !one) return []
    const annotations = said(alert, one.from + BEFORE).find((text) => isOf(first, text))?.annotations ?? {}
    return Object.entries(says).flatMap(([name, text]) =>
      annotations[name] === text ? [] : [`${alert} says as its ${name}: ${annotations[name]}`],
    )
  })

const courseOf = ({ minutes = MINUTES, sampleMinutes = 1, scenery }: Incident): Course => ({
  // The last sample.
  end: Math.floor((BEFORE + minutes) / sampleMinutes) * sampleMinutes - BEFORE,
  sampleMinutes,
  pollMinutes: scenery?.pollMinutes ?? 1,
  holdOf: (alert) => (ruleOf(alert).hold ?? HOLD) / 60,
})

/** Whether the incident goes wrong under it, looking at the alerts that it changes alone. */
async function isCaught(incident: Incident, played: Played, mutation: Mutation): Promise<boolean> {
  const expected = incident.alerts.filter(({ alert }) => mutation.alerts.has(alert))
  if (expected.length === 0) return false
  const verdict = judge(expected, firedIn(await alertsOf(played, mutation.rules())), courseOf(incident))
  return verdict.missed.length + verdict.false.length > 0
}

/** Windows cover nodes and the collectors that ask them, but no service. */
const isCovered = ({ source, collector }: Readonly<Record<string, string>>) =>
  source === undefined
    ? collectorsByService.node.some((one) => one === collector)
    : !/^(data|metrics)-api$/.test(source)

/** What of it still fires while a window over the whole network is open. */
function unsuppressed(expected: Expected): Expected[] {
  const { quietFor } = ruleOf(expected.alert)
  if (quietFor === undefined) return [expected]
  const of = quietFor === 'node' ? (expected.of ?? []).filter((labels) => !isCovered(labels)) : []
  return of.length > 0 ? [{ ...expected, of }] : []
}

/** The incident while a window over everything is open: what the window suppresses must not fire. */
function inWindow({ minutes = MINUTES, scenery, alerts, ...incident }: Incident): Incident {
  const maintenance = { everything: { covers: 'timezone: UTC', from: -2 * BEFORE, to: minutes + BEFORE } }
  return { ...incident, minutes, scenery: { maintenance, ...scenery }, alerts: alerts.flatMap(unsuppressed) }
}

export async function outcomeOf({ name, open, ofReplicas = false, isInWindow = false }: Job): Promise<Outcome> {
  const began = performance.now()
  const written = incidents.find((one) => one.name === name)!
  const incident = isInWindow ? inWindow(written) : written
  const played = await play(incident)
  const seconds = () => (performance.now() - began) / 1_000
  if (ofReplicas) {
    const wrong = await replicaDifferences(played)
    return { name, fired: [], verdict: { missed: [], false: wrong }, caught: [], seconds: seconds() }
  }
  const about = incident.alerts.filter(({ says }) => says).map(({ alert }) => alert)
  const { fired: found, said } = await evaluated(played, playedRules, new Set(about))
  const all = firedIn(found)
  // What the window costs depends on its length, which is that of the play.
  const fired = isInWindow ? all.filter(({ alert }) => !alert.startsWith('StakewatchMaintenance')) : all
  const caught: string[] = []
  for (const mutation of mutations.filter((one) => open.includes(one.name))) {
    if (await isCaught(incident, played, mutation)) caught.push(mutation.name)
  }
  const judged = judge(incident.alerts, fired, courseOf(incident))
  const verdict = {
    missed: [...judged.missed, ...differences(played, all), ...textFaults(incident, said, fired)],
    false: [...judged.false, ...played.defects],
  }
  return { name, fired, verdict, caught, seconds: seconds() }
}

/** One that cannot be played is missed: the others go on. */
const failed = (name: string, error: unknown): Outcome => ({
  name,
  fired: [],
  verdict: { missed: [`the play itself: ${String(error)}`], false: [] },
  caught: [],
  seconds: 0,
})

if (import.meta.main) {
  process.on('message', (job: Job) => {
    void outcomeOf(job)
      .catch((error: unknown) => failed(job.name, error))
      .then((outcome) => process.send!(outcome))
  })
}
