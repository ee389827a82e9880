// Units spent within a sliding span of time. A request counts from the moment it is sent until a whole span after it has
// ended: whenever the upstream saw it, and whichever span it looks at, it never counts more than we do.

export interface Window {
  total(now: number): number
  sent(units: number): void
  /** `cost` is what these units count from now on: nothing where no request was sent. */
  ended(units: number, cost: number, now: number): void
  /** When so many units will have left it, as far as is known already; else Infinity. */
  freeAt(units: number): number
  /** What has ended, the oldest first, and what has not. */
  entries(): { ended: readonly Entry[]; inFlight: number }
}

/** `at` is when the last of these units ended. */
export interface Entry {
  units: number
  at: number
}

/** Entries that are less than a `granule` apart are kept as one, as long as the youngest of them lasts. Milliseconds. */
export function createWindow(span: number, granule: number, before: readonly Entry[] = []): Window {
  const ended = before.map((entry) => ({ ...entry, from: entry.at }))
  let inFlight = 0
  let settled = before.reduce((sum, { units }) => sum + units, 0)
  return {
    total(now) {
      while (ended.length > 0 && ended[0]!.at + span <= now) settled -= ended.shift()!.units
      return settled + inFlight
    },
    sent(units) {
      inFlight += units
    },
    ended(sent, units, now) {
      inFlight -= sent
      if (units === 0) return
      settled += units
      const last = ended.at(-1)
      if (last && now - last.from < granule) {
        last.units += units
        last.at = now
      } else {
        ended.push({ units, at: now, from: now })
      }
    },
    freeAt(units) {
      let free = 0
      for (const entry of ended) {
        free += entry.units
        if (free >= units) return entry.at + span
      }
      return Infinity
    },
    entries: () => ({ ended: ended.map(({ units, at }) => ({ units, at })), inFlight }),
  }
}
