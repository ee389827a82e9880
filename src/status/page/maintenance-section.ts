// The maintenance windows on the page: the open ones, else the next one.

import { costText, coverageText, isCurrent, shownMaintenance, whenText } from './maintenance-words.ts'
import { type Html, markup } from './markup.ts'
import type { Maintenance, Status } from '../value/status-schema.ts'

/** Without windows in the configuration there is no section. */
export function maintenanceSection(status: Status): Html | undefined {
  const { timestamp_seconds: now } = status
  const shown = shownMaintenance(status)
  if (shown.length === 0) return undefined
  return markup`<section aria-labelledby="maintenance">
    <h2 id="maintenance">Maintenance</h2>
    <ul class="alerts attention">
      ${shown.map((one) => item(one, now))}
    </ul>
  </section>`
}

function item(one: Maintenance, now: number): Html {
  const cost = costText(one)
  return markup`<li class="${isCurrent(one) ? 'is-maintenance' : 'is-planned'}">
        <strong class="${isCurrent(one) ? 'maintenance' : 'plain'}">${one.window}</strong>: ${whenText(one, now)}<br />
        It ${coverageText(one)}.${cost !== '' && ` ${cost}.`}
      </li>`
}
