// Episodes: for how long something was so without a gap.

import { entryOf } from '../../lib/entry.ts'
import { labelKey, type Labels } from '../../lib/label-text.ts'
import type { Stretch } from './tracks.ts'

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
