// The messages that Alertmanager would have sent about episodes, with the routes of a configuration.

import { entryOf } from '../../lib/entry.ts'
import { labelKey, type Labels } from '../../lib/label-text.ts'
import { type AlertmanagerConfig, fitsWhole, type Route } from '../monitoring/routes.ts'

/** An alert as Alertmanager has it; times in seconds, `end` is when it was resolved. */
export interface Sent {
  /** With alertname and severity. */
  labels: Labels
  start: number
  end: number
}

export interface Message {
  at: number
  alert: string
  severity: string
  /** It is the first about its group since the group was last reported as resolved: it pages if it is critical. */
  opens: boolean
}

/** The first inner route that fits takes the alert, else the outer one. */
function routeOf(route: Route, labels: Labels): Route {
  const inner = route.routes.find(({ matchers }) => fitsWhole(matchers, labels) === 'yes')
  return inner ? routeOf(inner, labels) : route
}

/** Whether others inhibit the alert at a time. */
function inhibitedAmong(
  all: readonly Sent[],
  inhibitions: AlertmanagerConfig['inhibitions'],
): (one: Sent, at: number) => boolean {
  const sources = inhibitions.map(({ source, target, equal }) => {
    const isSource = (labels: Labels) => fitsWhole(source, labels) === 'yes'
    const isTarget = (labels: Labels) => fitsWhole(target, labels) === 'yes'
    return { isSource, isTarget, equal, some: all.filter(({ labels }) => isSource(labels)) }
  })
  const known = new Map<Sent, readonly Sent[]>()
  const inhibitorsOf = ({ labels }: Sent) =>
    sources.flatMap(({ some, isSource, isTarget, equal }) => {
      if (some.length === 0 || !isTarget(labels)) return []
      const isEqual = (other: Labels) => equal.every((name) => (other[name] ?? '') === (labels[name] ?? ''))
      // What fits both sides does not inhibit its like.
      return some.filter(({ labels: of }) => isEqual(of) && !(isSource(labels) && isTarget(of)))
    })
  return (one, at) => entryOf(known, one, () => inhibitorsOf(one)).some(({ start, end }) => start <= at && at < end)
}

/** All messages up to `until`; the receivers of the example report resolved alerts as well. */
export function messagesAbout(all: readonly Sent[], until: number, config: AlertmanagerConfig): Message[] {
  const isInhibited = inhibitedAmong(all, config.inhibitions)
  const groups = new Map<string, { route: Route; some: Sent[] }>()
  for (const one of all.toSorted((a, b) => a.start - b.start)) {
    const route = routeOf(config.route, one.labels)
    if (config.receivers.get(route.receiver)!.length === 0) continue
    const key = [route.receiver, ...route.groupBy.map((name) => `${name}=${one.labels[name] ?? ''}`)].join('\n')
    entryOf(groups, key, () => ({ route, some: [] })).some.push(one)
  }
  return [...groups.values()].flatMap(({ route, some }) => [...messagesOf(some, route, isInhibited, until)])
}

/** What Alertmanager remembers of the last message about a group. */
interface Noted {
  firing: ReadonlySet<string>
  resolved: ReadonlySet<string>
  at: number
}

function* messagesOf(
  some: readonly Sent[],
  { groupWait, groupInterval, repeatInterval }: Route,
  isInhibited: (one: Sent, at: number) => boolean,
  until: number,
): Generator<Message> {
  const { alertname: alert = '', severity = '' } = some[0]!.labels
  const [wait, interval, repeat] = [groupWait / 1_000, groupInterval / 1_000, repeatInterval / 1_000]
  const group = new Map<string, Sent>()
  let noted: Noted = { firing: new Set(), resolved: new Set(), at: -Infinity }
  let next = 0
  for (let at = some[0]!.start + wait; at <= until;) {
    for (; next < some.length && some[next]!.start <= at; next += 1)
      group.set(labelKey(some[next]!.labels), some[next]!)
    const audible = [...group].filter(([, one]) => !isInhibited(one, at))
    const firing = new Set(audible.flatMap(([key, { end }]) => (end > at ? [key] : [])))
    const resolved = new Set(audible.flatMap(([key, { end }]) => (end > at ? [] : [key])))
    if (isNews(noted, firing, resolved, at - noted.at >= repeat)) {
      yield { at, alert, severity, opens: firing.size > 0 && noted.firing.size === 0 }
      noted = { firing, resolved, at }
    }
    for (const [key, { end }] of group) if (end <= at) group.delete(key)
    if (group.size > 0) at += interval
    else if (next < some.length) at = some[next]!.start + wait
    else return
  }
}

function isNews(noted: Noted, firing: ReadonlySet<string>, resolved: ReadonlySet<string>, isDue: boolean): boolean {
  if (!isWithin(firing, noted.firing)) return true
  if (firing.size === 0) return noted.firing.size > 0 && resolved.size > 0
  return !isWithin(resolved, noted.resolved) || isDue
}

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>) => [...some].every((one) => all.has(one))
