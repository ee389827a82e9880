// Units spent within a sliding window. A request counts from when it is sent until a whole window after it ended, so that the
// upstream, whenever it saw the request and whichever window it uses, never counts more than we do.

/** `at`: when the last of these units ended. */
export interface Entry {
  units: number
  at: number
}

/** Merges entries that are less than a `granule` apart; they last as long as the youngest. Milliseconds. */
export function createWindow(span: number, granule: number, before: readonly Entry[] = []) {
  const ended = before.map((entry) => ({ ...entry, from: entry.at }))
  let inFlight = 0
  let settled = before.reduce((sum, { units }) => sum + units, 0)
  return {
    total(now: number): number {
      while (ended.length > 0 && ended[0]!.at + span <= now) settled -= ended.shift()!.units
      return settled + inFlight
    },
    sent(units: number) {
      inFlight += units
    },
    /** `units`: what those that were sent count from now on, 0 where no request was sent. */
    ended(sent: number, units: number, now: number) {
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
    /** When this many units will have left the window; Infinity while that is unknown. */
    freeAt(units: number): number {
      let free = 0
      for (const entry of ended) {
        free += entry.units
        if (free >= units) return entry.at + span
      }
      return Infinity
    },
    /** Ended units, the oldest first, and those in flight. */
    entries: (): { ended: readonly Entry[]; inFlight: number } => ({
      ended: ended.map(({ units, at }) => ({ units, at })),
      inFlight,
    }),
  }
}
