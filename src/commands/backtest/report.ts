// What a backtest found: episodes, how often and how long each alert fired, how many pages and messages Alertmanager would have made
// of that. And its JSON.

import { entryOf } from '../../lib/entry.ts'
import { type AlertmanagerConfig, fitsWhole, type Route } from '../monitoring/routes.ts'
import type { Episode, Stretch } from './read-history.ts'
import type { Rule } from '../../alerts/rule.ts'
import type { Limits } from '../../alerts/limit.ts'
import { labelKey, type Labels } from '../../lib/label-text.ts'

export interface Totals {
  fired: number
  /** Seconds. */
  total: number
  longest: number
  /** Groups of critical alerts that were notified. */
  pages: number
  messages: number
}

export interface Summary {
  /** Those that fired in the window, the first to begin first. */
  episodes: readonly Episode[]
  byAlert: ReadonlyMap<string, Totals>
  all: Totals
}

const none = (): Totals => ({ fired: 0, total: 0, longest: 0, pages: 0, messages: 0 })

/**
 * Episodes that began before the window count from its beginning. They are given from before, because they decide which message
 * is the first about a group. `step` is in seconds.
 */
export function summaryOf(
  known: readonly Episode[],
  window: Stretch,
  step: number,
  config: AlertmanagerConfig,
): Summary {
  const episodes = known.filter(({ to }) => to >= window.from)
  const byAlert = new Map<string, Totals>()
  const all = none()
  const totalsOf = (alert = '') => [entryOf(byAlert, alert, none), all]
  for (const { labels, from, to } of episodes) {
    const lasted = lasting([{ from: Math.max(from, window.from), to }], step)
    for (const totals of totalsOf(labels['alertname'])) {
      totals.fired += 1
      totals.total += lasted
      totals.longest = Math.max(totals.longest, lasted)
    }
  }
  const sent = known.map(({ labels, from, to }) => ({
    labels,
    start: from * step,
    end: to === window.to ? Infinity : (to + 1) * step,
  }))
  for (const { at, alert, severity, opens } of messagesAbout(sent, window.to * step, config)) {
    if (at < window.from * step) continue
    for (const totals of totalsOf(alert)) {
      totals.messages += 1
      if (opens && severity === 'critical') totals.pages += 1
    }
  }
  return { episodes, byAlert, all }
}

export interface Report {
  /** Seconds from one evaluation to the next. */
  step: number
  window: Stretch
  job: string
  /** Those that differ in `other`. */
  limits: Limits
  rules: readonly Rule[]
  shipped: Summary
  other: Summary | undefined
  did: Summary
  /** Without series of stakewatch: nothing is known. */
  gaps: readonly Stretch[]
  /** Without the rules: what fired says nothing. */
  unloaded: readonly Stretch[]
  problems: ReadonlyMap<string, string>
}

/** An alert that Prometheus knows and these rules do not has the severity that it fired with. */
export function severityOf({ rules, did }: Report, alert: string): string {
  const fired = did.episodes.find(({ labels }) => labels['alertname'] === alert)
  return rules.find((rule) => rule.alert === alert)?.severity ?? fired?.labels['severity'] ?? ''
}

const severities = ['critical', 'warning', 'info']

/** The alerts that fired in any column, the most urgent and longest first. */
export function alertsIn(report: Report): string[] {
  const { shipped, other, did } = report
  const columns = [shipped, ...(other ? [other] : []), did]
  const all = new Set(columns.flatMap(({ byAlert }) => [...byAlert.keys()]))
  const rank = (alert: string) => severities.indexOf(severityOf(report, alert)) + 1 || severities.length + 1
  const longest = (alert: string) => Math.max(...columns.map(({ byAlert }) => byAlert.get(alert)?.total ?? 0))
  return [...all].toSorted((a, b) => rank(a) - rank(b) || longest(b) - longest(a) || a.localeCompare(b))
}

/** Seconds that the stretches last. */
export const lasting = (stretches: readonly Stretch[], step: number) =>
  stretches.reduce((sum, { from, to }) => sum + (to - from + 1) * step, 0)

const isoAt = (seconds: number) => new Date(seconds * 1_000).toISOString().replace(/\.000Z$/, 'Z')

/** With the episodes of each alert. What cannot be known is null. */
export function jsonOf(report: Report, alert?: string): string {
  const { step, window, job, limits, shipped, other, did, gaps, unloaded, problems } = report
  const times = ({ from, to }: Stretch) => ({ start: isoAt(from * step), end: isoAt((to + 1) * step) })
  const listed = alert === undefined ? alertsIn(report) : [alert]
  const isLoaded = isEverLoaded(report)
  const value = {
    ...times(window),
    interval_seconds: step,
    job,
    limits,
    without_data: gaps.map(times),
    without_rules: unloaded.map(times),
    problems: Array.from(problems, ([rule, problem]) => ({ rule, problem })),
    alerts: listed.map((name) => ({
      alert: name,
      severity: severityOf(report, name),
      would_fire: columnOf(shipped, name),
      did_fire: isLoaded ? columnOf(did, name) : null,
      ...(other && { would_fire_with_limits: columnOf(other, name) }),
    })),
  }
  return `${JSON.stringify(value, null, 2)}\n`

  function columnOf({ byAlert, episodes }: Summary, name: string) {
    const totals = byAlert.get(name) ?? none()
    const own = episodes.filter(({ labels }) => labels['alertname'] === name)
    return { ...keysOf(totals), episodes: own.map((one) => ({ ...times(one), ...stateOf(one), labels: one.labels })) }
  }

  function stateOf({ from, to }: Episode) {
    return { began_before: from < window.from, is_firing: to === window.to }
  }
}

const keysOf = ({ fired, total, longest, pages, messages }: Totals) => ({
  times: fired,
  total_seconds: total,
  longest_seconds: longest,
  pages,
  messages,
})

/** Whether what did fire is known at any time of the window. */
export const isEverLoaded = ({ window, gaps, unloaded, step }: Report) =>
  lasting([...gaps, ...unloaded], step) < lasting([window], step)

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
