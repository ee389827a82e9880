// Bars. The text next to a bar has the same information, so screen readers skip the bar.

import { type Html, markup } from './markup.ts'

export type Tone = 'plain' | 'maintenance' | 'good' | 'warning' | 'critical'

/** A state in words, and how to show it. */
export interface Shown {
  text: string
  tone: Tone
}

/** `share` of the whole, from 0 to 1; an unknown share has no bar. */
export function bar(share: number | null, tone: Tone): Html | undefined {
  if (share === null || !Number.isFinite(share)) return undefined
  const width = Math.round(1_000 * Math.min(1, Math.max(0, share))) / 10
  return markup`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="track" width="100" height="8" />
    <rect class="fill is-${tone}" width="${width}" height="8" />
  </svg>`
}
