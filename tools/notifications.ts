// How many notifications incidents make: plays the alerts that fire in them into a real Alertmanager with the example
// configuration, and counts the notifications of each receiver.

import { setTimeout as wait } from 'node:timers/promises'
import { type Notification, startAlertmanager } from '../test/e2e/support/alertmanager.ts'
import { postJson } from '../test/support/post.ts'

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

export interface Notice {
  receiver: string
  /** What PagerDuty and Opsgenie keep as one incident: they call when it opens, and not when it grows. */
  group: string
  /** A group of alerts begins to fire or grows; part or all of it is over; or nothing is new and the time for a repetition has come. */
  kind: 'fires' | 'resolves' | 'repeats'
  /** Names of the alerts in it that are new, over, or still firing. */
  alerts: string[]
  /** In which it was sent. */
  minute: number
}

/** For what is sent when the last alert has ended: longer than the groups of pages and warnings wait. */
const TAIL = 10
/** In milliseconds. Prometheus says again and again that an alert fires; here it is said once, and lasts until its end is posted. */
const STANDS = 3_600_000

/**
 * What Alertmanager sends about each incident, all of them played at once. A minute of theirs takes `minute` milliseconds. Alertmanager
 * forgets empty groups every 30 seconds of its own time, so here an alert that comes back is sent at the next turn of its
 * group and not after group_wait; one that is over by then is not sent.
 */
export async function notificationsOf(
  incidents: readonly Incident[],
  minute: number = 400,
  config?: string,
): Promise<Record<string, Notice[]>> {
  const notices = Object.fromEntries(incidents.map(({ name }): [string, Notice[]] => [name, []]))
  if (Object.keys(notices).length < incidents.length) throw new Error('two incidents have the same name')
  const heard: { notification: Notification; minute: number }[] = []
  let now = 0
  const alertmanager = await startAlertmanager(
    minute,
    (notification) => heard.push({ notification, minute: now }),
    config,
  )
  try {
    const post = poster(`http://${alertmanager.address}/api/v2/alerts`, minute)
    const last = Math.max(0, ...incidents.flatMap(({ alerts }) => alerts.map(({ until }) => until)))
    for (; now <= last + TAIL; now += 1) {
      // A minute that is late is not caught up with: the next one has its full length, as the timers of Alertmanager have.
      const turn = wait(minute)
      await post(incidents.flatMap((incident) => labelsOf(incident, now)))
      await turn
    }
  } finally {
    await alertmanager.end()
  }
  const read = reader()
  for (const { notification, minute: at } of heard) {
    const { job = '' } = notification.groupLabels
    if (!notices[job]) throw new Error(`this group is not of one incident: ${notification.groupKey}`)
    notices[job].push({ ...read(notification), minute: at })
  }
  return notices
}

/** How many notices of each kind each receiver got; a receiver that got none is absent. */
export function countsOf(notices: readonly Notice[]): Record<string, Record<Notice['kind'], number>> {
  const counts: Record<string, Record<Notice['kind'], number>> = {}
  for (const { receiver, kind } of notices) {
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

/**
 * Posts the alerts that have begun to fire and those that have ended. Each says that it begins a little
 * later: one whose time to wait for others is over when it arrives would be sent without them.
 */
function poster(url: string, minute: number) {
  let firing = new Map<string, { labels: Labels; startsAt: string }>()
  return async (now: readonly Labels[]) => {
    const at = Date.now()
    const time = (milliseconds: number) => new Date(at + milliseconds).toISOString()
    const before = firing
    firing = new Map(
      now.map((labels) => {
        const names = Object.keys(labels).toSorted()
        const key = JSON.stringify(names.map((name) => [name, labels[name]]))
        return [key, before.get(key) ?? { labels, startsAt: time(0.9 * minute) }]
      }),
    )
    const changed = (a: typeof firing, b: typeof firing, end: number) =>
      [...a].filter(([key]) => !b.has(key)).map(([, alert]) => ({ ...alert, endsAt: time(end) }))
    const body = [...changed(firing, before, STANDS), ...changed(before, firing, 0)]
    if (body.length > 0) await postJson(url, body)
  }
}

/** Remembers what was firing in each group when its receiver was last notified. */
function reader() {
  const known = new Map<string, ReadonlySet<string>>()
  return ({ receiver, groupKey, alerts }: Notification): Omit<Notice, 'minute'> => {
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
    return { receiver, group: groupKey, kind, alerts: [...new Set(which.map(({ labels }) => labels['alertname']!))] }
  }
}
