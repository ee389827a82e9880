// The upstreams on the page.

import { bar, type Tone } from './bars.ts'
import { type Html, markup } from './markup.ts'
import { alertList, leftOut, type Links, when } from './parts.ts'
import type { Status, Upstream } from '../value/status-schema.ts'
import { amount, percent, UNKNOWN } from './numbers.ts'

const MOST = 50

export function upstreamSection({ upstreams, timestamp_seconds: now }: Status, links: Links): Html {
  const shown = upstreams.slice(0, MOST)
  return markup`<section aria-labelledby="upstreams">
    <h2 id="upstreams">Upstreams</h2>
    ${upstreams.length === 0 && markup`<p class="quiet">No upstreams are configured.</p>`}
    <div class="cards">${shown.map((one, at) => card(one, at, now, links))}</div>
    ${leftOut(upstreams.length - shown.length, 'upstream', 'none with more urgent alerts')}
  </section>`
}

function card(one: Upstream, at: number, now: number, links: Links): Html {
  const id = `upstream-${at}`
  const { text, tone } = healthOf(one)
  return markup`<article class="card" aria-labelledby="${id}">
    <h3 id="${id}">${one.network}/${one.source} <span class="state ${tone}">${text}</span></h3>
    <p class="id">
      ${one.host}${one.node_id !== null && markup`<br />${one.node_id}`}${one.version !== null && `, ${one.version}`}
    </p>
    ${alertList(one.alerts, now, links)}
    <dl>
      ${one.budgets.map(budget)}
      <dt>Last error</dt>
      <dd>${lastError(one, now)}</dd>
    </dl>
  </article> `
}

interface Health {
  text: string
  tone: Tone
}

/** A node that is down in a maintenance window is no outage. A rejected key has nothing to do with the window. */
function healthOf(one: Upstream): Health {
  const { text, tone } = ownHealthOf(one)
  if (one.maintenance === null) return { text, tone }
  if (one.up !== true && !one.refusing) return { text: `in maintenance: ${text}`, tone: 'maintenance' }
  return { text: `${text}, in maintenance`, tone }
}

function ownHealthOf({ up, refusing, circuit_open: isOpen, open_operations: open }: Upstream): Health {
  if (refusing) return { text: 'rejects the API key', tone: 'critical' }
  if (up === null) return { text: UNKNOWN, tone: 'plain' }
  if (!up) return { text: isOpen ? 'down, requests paused' : 'down', tone: 'critical' }
  if (isOpen) return { text: 'requests paused', tone: 'warning' }
  if (open.length > 0) return { text: `up, requests paused for ${open.join(', ')}`, tone: 'warning' }
  return { text: 'up', tone: 'good' }
}

function budget({ window, units, remaining_units: remaining }: Upstream['budgets'][number]): Html {
  const share = units > 0 ? remaining / units : null
  return markup`<dt>Request budget per ${window}</dt>
    <dd>
      ${amount(remaining)} of ${amount(units)} units left${share !== null && ` (${percent(share)})`}${bar(share, 'plain')}
    </dd>`
}

function lastError({ last_error: error }: Upstream, now: number): Html {
  if (error === null) return markup`none since start`
  return markup`${when(error.timestamp_seconds, now)}: ${error.text} (${error.code}, ${error.operation})`
}
