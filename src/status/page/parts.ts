// What the sections of the page share.

import { type Html, markup } from './markup.ts'
import type { Alert } from '../value/status-schema.ts'
import { stateText } from './alert-words.ts'
import { relative, timeText, UNKNOWN } from './numbers.ts'

export interface Links {
  /** Before every path of the daemon; '' or such as `/stakewatch`. */
  prefix: string
  telemetryPath: string
}

/** A link to the runbook of the alert. */
export function runbook({ alert }: Alert, { prefix }: Links): Html {
  return markup`<a href="${prefix}/runbooks/${alert}">${alert}</a>`
}

/** Says how many entries a shortened list leaves out. */
export function leftOut(count: number, thing: string, which: string): Html | undefined {
  if (count <= 0) return undefined
  return markup`<p class="quiet">
    ${count} more ${count === 1 ? thing : `${thing}s`}, ${which}, ${count === 1 ? 'is' : 'are'} left out here; the JSON
    has all of them.
  </p>`
}

export function alertList(alerts: readonly Alert[], now: number, links: Links): Html | undefined {
  if (alerts.length === 0) return undefined
  const items = alerts.map(
    (one) =>
      markup`<li><strong class="${one.severity}">${one.severity}</strong>, ${stateText(one, now)}: ${one.summary} ${runbook(one, links)}</li>`,
  )
  return markup`<ul class="alerts small">
    ${items}
  </ul>`
}

/** `3 h ago`, with the exact time as a tooltip. */
export function when(timestamp: number | null, now: number): Html {
  if (timestamp === null) return markup`${UNKNOWN}`
  const time = new Date(timestamp * 1_000)
  if (Number.isNaN(time.getTime())) return markup`${UNKNOWN}`
  return markup`<time datetime="${time.toISOString()}" title="${timeText(timestamp)}">${relative(timestamp, now)}</time>`
}
