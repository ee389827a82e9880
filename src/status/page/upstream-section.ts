// The upstreams on the page.

import { bar, type Html, markup, type Shown } from './markup.ts'
import { withWindow } from './maintenance.ts'
import { cardSection, entry, type Links, when } from './parts.ts'
import type { Status, Upstream } from '../value/status-schema.ts'
import { amount, percent, UNKNOWN } from './numbers.ts'

const MOST = 50

export function upstreamSection(status: Status, links: Links): Html {
  const { upstreams: all, timestamp_seconds: now } = status
  const about = all.length === 0 && markup`<p class="quiet">No upstreams are configured.</p>`
  const cardOf = (one: Upstream) => {
    // A refusal has nothing to do with the window.
    const { text, tone } = withWindow(healthOf(one), one.maintenance, one.up !== true && !one.refusing)
    return {
      heading: markup`${one.network}/${one.source} <span class="state ${tone}">${text}</span>`,
      identity: markup`${one.host}${one.node_id !== null && markup`<br />${one.node_id}`}${one.version !== null && `, ${one.version}`}`,
      entries: [one.budgets.map(budget), entry('Last error', lastError(one, now))],
    }
  }
  return cardSection({ title: 'Upstreams', thing: 'upstream', all, most: MOST, about, cardOf }, status, links)
}

function healthOf({ up, refusing, circuit_open: isOpen, open_operations: open }: Upstream): Shown {
  if (refusing) return { text: 'refuses access (HTTP 401 or 403)', tone: 'critical' }
  if (up === null) return { text: UNKNOWN, tone: 'plain' }
  if (!up) return { text: isOpen ? 'down, requests paused' : 'down', tone: 'critical' }
  if (isOpen) return { text: 'requests paused', tone: 'warning' }
  if (open.length > 0) return { text: `up, requests paused for ${open.join(', ')}`, tone: 'warning' }
  return { text: 'up', tone: 'good' }
}

function budget({ window, units, remaining_units: remaining }: Upstream['budgets'][number]): Html {
  const share = units > 0 ? remaining / units : null
  const left = `${amount(remaining)} of ${amount(units)} units left`
  return entry(`Request budget per ${window}`, left, share !== null && ` (${percent(share)})`, bar(share, 'plain'))
}

function lastError({ last_error: error }: Upstream, now: number): Html {
  if (error === null) return markup`none since start`
  return markup`${when(error.timestamp_seconds, now)}: ${error.text} (${error.code}, ${error.operation})`
}
