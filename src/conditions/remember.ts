// What conditions remember of objects from round to round.

import { type Kind, labelsOfKey } from './board.ts'
import type { Labels } from '../lib/label-text.ts'
import { knownSince, note, type Track } from './track.ts'
import type { Remembered, View } from './view.ts'

/** Between the key of an object and that of its part. */
export const PART = '\r'

/** Objects in a step of a round: few enough for a scrape to wait. */
export const STEP = 1_000

/** By name of what is remembered, then by object or part. */
type Tracks = Map<string, Map<string, Track>>

export interface Remembering {
  remembered: readonly Remembered[]
  tracks: Tracks
  /** In which of its periods each was last looked at. */
  lookedAt: Map<string, number>
}

/**
 * An object without samples, or a part without a value, may be back: what was known of it counts for as long as it is remembered.
 * Nothing is kept of those of which nothing is known.
 */
export function* remember(
  { remembered, tracks, lookedAt }: Remembering,
  now: number,
  viewsOf: (kind: Kind) => readonly View[],
): Generator<void, void> {
  for (const one of remembered) {
    if (!isTime(one, now, lookedAt)) continue
    const before = tracks.get(one.name) ?? new Map<string, Track>()
    const after = new Map<string, Track>()
    let taken = 0
    const take = (key: string, value: number | undefined) => {
      const track = before.get(key)
      if (track) {
        taken += 1
        note(track, now, value, one.for)
      }
      // Written out: an array that is pushed to takes the memory of seventeen numbers.
      if (value !== undefined) after.set(key, track ?? [now, value])
      else if (track && knownSince(track) !== undefined) after.set(key, track)
    }
    const views = viewsOf(one.of)
    // By index: in a generator an iterator makes an object for each view.
    for (let at = 0; at < views.length; at += 1) {
      if (at > 0 && at % STEP === 0) yield
      const view = views[at]!
      const { thing } = view
      const value = one.read(view)
      if (typeof value !== 'object') {
        take(thing.key, value)
        continue
      }
      for (const [part, number] of value) take(thing.key + PART + part, number)
    }
    // Mostly none is left.
    if (taken < before.size) for (const key of before.keys()) if (!after.has(key)) take(key, undefined)
    tracks.set(one.name, after)
    yield
  }
}

/** The labels of the object; the parts of a validator may be the nodes that report on it. */
export function labelsOfTrack(key: string): Labels {
  const [object = '', part] = key.split(PART)
  const labels = labelsOfKey(object)
  return part !== undefined && 'node_id' in labels ? { ...labels, source: part } : labels
}

/** Whether another of its periods has begun since it was last looked at. */
function isTime({ name, every }: Remembered, now: number, lookedAt: Map<string, number>): boolean {
  if (every === undefined) return true
  const period = Math.floor(now / every)
  if (lookedAt.get(name) === period) return false
  lookedAt.set(name, period)
  return true
}
