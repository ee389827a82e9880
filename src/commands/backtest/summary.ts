// What episodes amount to: how often and how long each alert fired, and how many pages and messages that makes.

import { entryOf } from '../../lib/entry.ts'
import type { AlertmanagerConfig } from '../monitoring/routes.ts'
import type { Episode } from './episodes.ts'
import { messagesAbout } from './notifications.ts'
import type { Stretch } from './tracks.ts'

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
    const lasted = (to + 1 - Math.max(from, window.from)) * step
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
