// What an account has spent, in memory and in a store where there is one. The store is written ahead in blocks, so that a
// process that is killed at any instant never forgets what it spent: a block that was set aside counts as spent.

import { z } from 'zod'
import type { Clock } from '../lib/clock.ts'
import type { Records } from '../lib/records.ts'

/** Units of a day that could be spent at once, and when (steady clock). */
export interface Saved {
  units: number
  at: number
}

export type Spending = ReturnType<typeof createSpending>

export interface SpendingOptions {
  clock: Pick<Clock, 'now'>
  limits: { perMinute: number; burst: number }
  /** Left out: in memory only. */
  kept?: { store: Records; key: string } | undefined
}

/** Clocks of two machines differ in speed, and timers may be early (milliseconds). */
const MARGIN = 100
const MINUTE = 60_000 + MARGIN
const DAY = 24 * 60 * 60_000 + MARGIN
/** Resolution of the two windows (milliseconds). */
const [FINE, COARSE] = [50, 5 * 60_000]
/** Part of a minute's limit that is set aside at once. */
const BLOCK = 1 / 4

const record = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Units of the last minute before that. */
  minute: z.number().nonnegative(),
  /** Units of the last day, and when they were spent. */
  day: z.array(z.tuple([z.number().nonnegative(), z.number()])),
  /** Units of the day that may be spent at once; null where that is unlimited. */
  saved: z.number().nullable(),
  /** Units set aside: they count as spent. */
  ahead: z.number().nonnegative(),
})

export function createSpending({ clock, limits, kept: keptAs }: SpendingOptions) {
  let kept = keptAs
  const now = clock.now()
  const before = kept && record.safeParse(kept.store.load(kept.key)).data
  // A clock that was set back makes nothing older.
  const ageOf = (wall: number) => Math.max(0, now.wall - wall)
  const spentBefore = before ? before.ahead + (ageOf(before.at) < MINUTE ? before.minute : 0) : 0
  const minute = createWindow(MINUTE, FINE, [{ units: Math.min(spentBefore, limits.perMinute), at: now.steady }])
  const day = createWindow(DAY, COARSE, [
    ...(before?.day ?? []).map(([units, wall]) => ({ units, at: now.steady - ageOf(wall) })),
    { units: before?.ahead ?? 0, at: now.steady },
  ])
  let saved: Saved =
    before && before.saved !== null
      ? { units: before.saved - before.ahead, at: now.steady - ageOf(before.at) }
      : { units: limits.burst, at: now.steady }
  const blockOf = ({ perMinute }: SpendingOptions['limits']) => (perMinute < Infinity ? perMinute * BLOCK : 0)
  let block = blockOf(limits)
  let spent = 0
  /** `spent` may reach this before the next write. */
  let durableTo = kept && block > 0 ? 0 : Infinity
  let saving: Promise<void> | undefined

  async function save(into: NonNullable<SpendingOptions['kept']>): Promise<void> {
    const { wall, steady } = clock.now()
    const { ended, inFlight } = day.entries()
    const ahead = block
    const to = spent + ahead
    try {
      await into.store.save(into.key, {
        at: wall,
        minute: minute.total(steady),
        day: ended.map(({ units, at }) => [units, wall - (steady - at)]),
        saved: saved.units === Infinity ? null : saved.units,
        ahead: inFlight + ahead,
      } satisfies z.output<typeof record>)
    } catch {
      // The store reports its own failure; requests go on.
    } finally {
      saving = undefined
      // Under another key or with other limits, what was written does not count.
      if (kept === into && block === ahead) durableTo = to
    }
  }

  return {
    minute,
    day,
    get saved(): Saved {
      return saved
    },
    spent(units: number, left: Saved) {
      spent += units
      saved = left
      if (kept && spent > durableTo - block / 2) saving ??= save(kept)
    },
    /** Whether these units may be spent without waiting for the store. */
    hasRoom: (units: number): boolean => spent + units <= durableTo,
    /** Replaces the limits. */
    limit(given: SpendingOptions['limits']) {
      const before = block
      block = blockOf(given)
      // The block in the store was a part of the old limit.
      if (kept && block !== before) durableTo = block > 0 ? Math.min(durableTo, spent) : Infinity
    },
    /** Changes the key of the record. */
    keepAs(key: string) {
      if (!kept) return
      kept = { ...kept, key }
      if (block > 0) durableTo = spent
    },
    /** Resolves when all that was spent is durable. */
    async durable(): Promise<void> {
      while (spent > durableTo) await (saving ??= save(kept!))
    },
  }
}

/** `at`: when the last of these units ended. */
export interface Entry {
  units: number
  at: number
}

/**
 * Units spent within a sliding window. A request counts from when it is sent until a whole window after it ended, so that the upstream,
 * whenever it saw the request and whichever window it uses, never counts more than we do. Merges entries that are less than a
 * `granule` apart; they last as long as the youngest. Milliseconds.
 */
function createWindow(span: number, granule: number, before: readonly Entry[] = []) {
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
