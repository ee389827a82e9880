// Compares the alerts that fired with those that an incident expects, from their first minute to their last.

import type { Fired } from './alerts.ts'
import type { Expected } from './incident.ts'

export interface Verdict {
  missed: readonly string[]
  /** Fired without a cause, before it, with another severity, or once more; or ended too early or too late. */
  false: readonly string[]
}

/** What the play and its rules say about time. Minutes, counted from the beginning of the incident. */
export interface Course {
  /** The last minute of the play. */
  end: number
  /** From one sample to the next, and from one poll to the next. */
  sampleMinutes: number
  pollMinutes: number
  /** Minutes for which the rule of an alert keeps firing (`keep_firing_for`). */
  holdOf: (alert: string) => number
}

interface Wanted {
  alert: string
  severity: string
  labels: Readonly<Record<string, string>>
  from: readonly [number, number]
  /** The last minute in which it fires. */
  until: readonly [number, number]
}

/** Minutes in which an alert has to fire once it is true. */
const WITHIN: Readonly<Record<Expected['severity'], number>> = { critical: 10, warning: 30, info: 30 }

/** How far an end may be from the expected one: less than a hold, so that a lost hold shows, and a poll and a sample at least. */
function slackOf({ alert, says }: Expected, { holdOf, sampleMinutes, pollMinutes }: Course): number {
  const least = sampleMinutes + pollMinutes
  return says ? least : Math.max(holdOf(alert) / 2, least)
}

function wantedOf(expected: Expected, course: Course): Wanted[] {
  const slack = slackOf(expected, course)
  const { alert, severity, of = [{}], at = 0, within = expected.says ? slack : WITHIN[severity], until } = expected
  if (until !== undefined && until + slack >= course.end) {
    throw new Error(`the play has to go on until minute ${until + slack + 1} to show that ${alert} ends`)
  }
  return of.map((labels) => ({
    alert,
    severity,
    labels,
    from: [at, at + within],
    until: until === undefined ? [course.end, course.end] : [until - slack, until + slack],
  }))
}

const isIn = ([least, most]: readonly [number, number], minute: number) => minute >= least && minute <= most
export const isOf = (some: Fired['labels'], { labels }: Pick<Fired, 'labels'>) =>
  Object.entries(some).every(([name, value]) => labels[name] === value)
const isAbout = ({ alert, labels }: Wanted, fired: Fired) => alert === fired.alert && isOf(labels, fired)

/** Each time that an alert fires answers one expectation, and each expectation is answered once. */
export function judge(expected: readonly Expected[], fired: readonly Fired[], course: Course): Verdict {
  const missed: string[] = []
  const wrong: string[] = []
  const left = new Set(fired)
  for (const one of expected.flatMap((some) => wantedOf(some, course))) {
    const answer = [...left].find((other) => isAbout(one, other) && isIn(one.from, other.from))
    if (!answer) {
      missed.push(`${one.alert} ${JSON.stringify(one.labels)} in minutes ${one.from.join(' to ')}`)
      continue
    }
    left.delete(answer)
    const { severity } = answer.labels
    if (severity !== one.severity) wrong.push(`${describeFired(answer)} is ${severity} and not ${one.severity}`)
    if (!isIn(one.until, answer.until)) {
      const [least, most] = one.until
      const when = least === most ? `in minute ${least}, with the play` : `in minutes ${least} to ${most}`
      wrong.push(`${describeFired(answer)} ends in minute ${answer.until} and not ${when}`)
    }
  }
  return { missed, false: [...wrong, ...[...left].map(describeFired)] }
}

const describeFired = ({ alert, labels, from, until }: Fired) =>
  `${alert} ${JSON.stringify(labels)} in minutes ${from} to ${until}`
