// Values over the evaluation times of a stretch, as runs of equal values, as most series are constant; and episodes: for how long
// something was so without a gap.

import { entryOf } from '../../lib/entry.ts'
import { labelKey, type Labels, sortedLabels } from '../../lib/label-text.ts'
import type { Reading } from '../../conditions/board.ts'

/** Evaluation times by their numbers: number × step is the time. Both ends are included. */
export interface Stretch {
  from: number
  to: number
}

interface Run extends Stretch {
  value: number
}

export interface Track {
  name: string
  labels: Labels
  runs: Run[]
}

export type Tracks = ReadonlyMap<string, Track>

/** Adds what the server answers for a stretch; what was added before is earlier. */
export function addSeries(
  tracks: Map<string, Track>,
  {
    labels: { __name__: name = '', ...rest },
    values,
  }: { labels: Labels; values: readonly (readonly [number, number])[] },
  step: number,
): void {
  const labels = sortedLabels(Object.entries(rest))
  const track = entryOf(tracks, `${name} ${labelKey(labels)}`, () => ({ name, labels, runs: [] }))
  for (const [time, value] of values) {
    const at = Math.round(time / step)
    const last = track.runs.at(-1)
    if (last && last.to === at - 1 && Object.is(last.value, value)) last.to = at
    else track.runs.push({ from: at, to: at, value })
  }
}

/** Gives the samples at each time; times must not go back. The same vector comes again while nothing changes. */
export function readerOf(tracks: Tracks): (at: number) => readonly Reading[] {
  const cursors = Array.from(tracks.values(), (track) => ({ track, next: 0 }))
  let vector: readonly Reading[] = []
  let changesAt = -Infinity
  return (at) => {
    if (at < changesAt) return vector
    changesAt = Infinity
    vector = cursors.flatMap((cursor) => {
      const { name, labels, runs } = cursor.track
      while (cursor.next < runs.length && runs[cursor.next]!.to < at) cursor.next += 1
      const run = runs[cursor.next]
      if (!run) return []
      changesAt = Math.min(changesAt, run.from > at ? run.from : run.to + 1)
      return run.from > at ? [] : { name, labels, value: run.value }
    })
    return vector
  }
}

/** The first and the last evaluation at which an alert fired; its name and severity are among the labels. */
export interface Episode extends Stretch {
  labels: Labels
}

export function createEpisodes() {
  const byLabels = new Map<string, Episode[]>()
  return {
    /** Stretches with the same labels must not go back. */
    add(labels: Labels, { from, to }: Stretch) {
      const some = entryOf(byLabels, labelKey(labels), () => [])
      const last = some.at(-1)
      if (last && last.to === from - 1) last.to = to
      else some.push({ labels, from, to })
    },
    /** The first to begin first. */
    all: () => [...byLabels.values()].flat().toSorted((a, b) => a.from - b.from),
  }
}
