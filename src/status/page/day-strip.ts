// The last 24 hours of a validator as a strip: an hour each, and a gap where nothing was known.

import type { Track } from '../../conditions/track.ts'
import { HOUR } from '../../lib/seconds.ts'
import { type Html, markup } from './markup.ts'
import { percent } from '../../lib/figures.ts'

const HOURS = 24

/** For each hour the share of its known time for which the validator was connected; null where nothing is known of it. */
export function hoursOf(track: Track, now: number): (number | null)[] {
  return Array.from({ length: HOURS }, (_, at) => {
    const from = now - (HOURS - at) * HOUR
    let [known, connected] = [0, 0]
    for (let index = 0; index < track.length; index += 2) {
      const [since, value, until] = [track[index]!, track[index + 1]!, track[index + 2] ?? now]
      const time = Math.min(until, from + HOUR) - Math.max(since, from)
      if (time <= 0 || Number.isNaN(value)) continue
      known += time
      // Most votes decide, as for the alerts.
      if (value >= 0.5) connected += time
    }
    return known === 0 ? null : connected / known
  })
}

type Cell = 'good' | 'warning' | 'critical' | 'gap'

function cellOf(share: number | null): Cell {
  if (share === null) return 'gap'
  return share > 0.999 ? 'good' : share >= 0.5 ? 'warning' : 'critical'
}

/** Undefined if nothing is known of the day. */
export function dayStrip(track: Track, now: number): Html | undefined {
  const hours = hoursOf(track, now)
  const known = hours.filter((one) => one !== null)
  if (known.length === 0) return undefined
  const runs: { cell: Cell; from: number; length: number }[] = []
  for (const [at, share] of hours.entries()) {
    const cell = cellOf(share)
    const last = runs.at(-1)
    if (last?.cell === cell) last.length += 1
    else runs.push({ cell, from: at, length: 1 })
  }
  const mean = known.reduce((sum, share) => sum + share, 0) / known.length
  const text = `connected for ${percent(mean, 1)} of ${known.length === HOURS ? 'the last day' : `the ${known.length} h that are known`}`
  return markup`<svg class="day" viewBox="0 0 24 4" preserveAspectRatio="none" role="img" aria-label="${text}">
    ${runs.map(({ cell, from, length }) => markup`<rect class="is-${cell}" x="${from}" width="${length}" height="4" />`)}
  </svg>`
}
