// How many notifications incidents make: plays the alerts that fire in them into a real Alertmanager with the example
// configuration, and counts whom it tells.

import { setTimeout as wait } from 'node:timers/promises'
import { type Notification, startAlertmanager } from '../test/e2e/support/alertmanager.ts'

/** An alert that fires in each minute from `from` on, and no longer in the minute `until`. */
interface Firing {
  alert: string
  severity: string
  labels: Readonly<Record<string, string>>
  from: number
  until: number
}

export interface Incident {
  /** Unlike that of any other. It stands as `job`, which keeps the incidents apart. */
  name: string
  alerts: readonly Firing[]
}

export interface Told {
  receiver: string
  /** A group of alerts begins to fire or grows; part or all of it is over; or nothing is new and the time for a repetition has come. */
  kind: 'fires' | 'resolves' | 'repeats'
  /** Names of the alerts in it that are new, over, or still firing. */
  alerts: string[]
  /** When it was told, in minutes from the beginning. */
  minute: number
}

/** For what is told when the last alert has ended: longer than the groups of pages and warnings wait. */
const TAIL = 10
/** Prometheus says again and again that an alert fires. That a message was late must not end it here, so it stands for longer. */
const STANDS = 60

/** What is told of each incident, all of them played at once. A minute of theirs takes `minute` milliseconds. */
export async function notificationsOf(
  incidents: readonly Incident[],
  minute: number = 250,
): Promise<Record<string, Told[]>> {
  const told = Object.fromEntries(incidents.map(({ name }): [string, Told[]] => [name, []]))
  if (Object.keys(told).length < incidents.length) throw new Error('two incidents have the same name')
  const heard: { notification: Notification; at: number }[] = []
  const alertmanager = await startAlertmanager(minute, (notification) =>
    heard.push({ notification, at: performance.now() }),
  )
  const begin = performance.now()
  try {
    const post = poster(`http://${alertmanager.address}/api/v2/alerts`, STANDS * minute)
    const last = Math.max(0, ...incidents.flatMap(({ alerts }) => alerts.map(({ until }) => until)))
    for (let now = 0; now <= last + TAIL; now += 1) {
      await wait(Math.max(0, begin + now * minute - performance.now()))
      await post(incidents.flatMap((incident) => labelsOf(incident, now)))
    }
  } finally {
    await alertmanager.end()
  }
  const read = reader()
  for (const { notification, at } of heard) {
    const { job = '' } = notification.groupLabels
    if (!told[job]) throw new Error(`this group is not of one incident: ${notification.groupKey}`)
    told[job].push({ ...read(notification), minute: Math.round((10 * (at - begin)) / minute) / 10 })
  }
  return told
}

/** How often each receiver was told something of each kind; a receiver that was told nothing is absent. */
export function countsOf(told: readonly Told[]): Record<string, Record<Told['kind'], number>> {
  const counts: Record<string, Record<Told['kind'], number>> = {}
  for (const { receiver, kind } of told) {
    const of = (counts[receiver] ??= { fires: 0, resolves: 0, repeats: 0 })
    of[kind] += 1
  }
  return counts
}

type Labels = Readonly<Record<string, string>>

/** Of the alerts that fire now. */
function labelsOf({ name, alerts }: Incident, now: number): Labels[] {
  return alerts
    .filter(({ from, until }) => from <= now && now < until)
    .map(({ alert, severity, labels }) => ({ ...labels, alertname: alert, severity, job: name }))
}

/** Tells Alertmanager, as Prometheus does, of the alerts that fire now, and once of those that no longer do. */
function poster(url: string, stands: number) {
  let firing = new Map<string, { labels: Labels; startsAt: string }>()
  return async (now: readonly Labels[]) => {
    const at = Date.now()
    const time = (milliseconds: number) => new Date(at + milliseconds).toISOString()
    const before = firing
    firing = new Map(
      now.map((labels) => {
        const key = JSON.stringify(Object.entries(labels).toSorted())
        return [key, before.get(key) ?? { labels, startsAt: time(0) }]
      }),
    )
    const over = [...before].filter(([key]) => !firing.has(key)).map(([, alert]) => ({ ...alert, endsAt: time(0) }))
    const body = [...[...firing.values()].map((alert) => ({ ...alert, endsAt: time(stands) })), ...over]
    if (body.length === 0) return
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`Alertmanager answered ${answer.status}: ${await answer.text()}`)
  }
}

/** Remembers what was firing in each group when its receiver was last told. */
function reader() {
  const known = new Map<string, ReadonlySet<string>>()
  return ({ receiver, groupKey, alerts }: Notification): Omit<Told, 'minute'> => {
    const key = JSON.stringify([receiver, groupKey])
    const before = known.get(key) ?? new Set()
    const firing = alerts.filter(({ status }) => status === 'firing')
    const isNew = firing.filter(({ fingerprint }) => !before.has(fingerprint))
    const over = alerts.filter(({ status, fingerprint }) => status === 'resolved' && before.has(fingerprint))
    known.set(key, new Set(firing.map(({ fingerprint }) => fingerprint)))
    const [kind, which] =
      isNew.length > 0
        ? (['fires', isNew] as const)
        : over.length > 0
          ? (['resolves', over] as const)
          : (['repeats', firing] as const)
    return { receiver, kind, alerts: [...new Set(which.map(({ labels }) => labels['alertname']!))] }
  }
}
