// Which incidents stand for all where all take too long.

import type { Incident } from './incident.ts'

const alertsIn = ({ alerts }: Incident) => new Set(alerts.map(({ alert }) => alert))

/** The incidents that cause most alerts in the least time: each one adds some that those before it do not cause. */
export function coverOf(all: readonly Incident[]): Incident[] {
  const cover: Incident[] = []
  const covered = new Set<string>()
  const added = (one: Incident) => [...alertsIn(one)].filter((alert) => !covered.has(alert)).length
  for (;;) {
    const [best] = all.toSorted((a, b) => added(b) - added(a) || (a.minutes ?? 0) - (b.minutes ?? 0))
    if (best === undefined || added(best) === 0) return cover
    cover.push(best)
    for (const alert of alertsIn(best)) covered.add(alert)
  }
}

/** Each alert fires in one of them, and none of those that must not alert is left out. */
export function standingFor(all: readonly Incident[]): Incident[] {
  const cover = new Set(coverOf(all))
  return all.filter((one) => cover.has(one) || one.alerts.length === 0)
}
