// Maintenance windows in the words of the page and of `stakewatch top`, and as a section of the page.

import { type Html, markup, type Shown } from './markup.ts'
import type { Maintenance, Status, Validator } from '../value/status-schema.ts'
import { durationText, relative, timeText } from './numbers.ts'

/** Names in a text: a window over a whole network may cover thousands of validators. */
const MOST_NAMES = 5

/** The windows to show: those that are open or have just closed, else the next one. */
export function shownMaintenance({ maintenance }: Pick<Status, 'maintenance'>): readonly Maintenance[] {
  const current = maintenance.filter(isCurrent)
  return current.length > 0 ? current : maintenance.filter(({ state }) => state === 'next').slice(0, 1)
}

export const isCurrent = ({ state }: Maintenance) => state === 'open' || state === 'recovering'

/** Of the title: the windows that suppress alerts now. */
export function currentText(status: Pick<Status, 'maintenance'>): string {
  const names = status.maintenance.filter(isCurrent).map(({ window }) => window)
  return names.length === 0 ? '' : `in maintenance: ${names.join(', ')}`
}

/** Whether its window explains the state of the validator: those that no window excuses stay what they are. */
export function isExcused({ maintenance, state }: Pick<Validator, 'maintenance' | 'state'>): boolean {
  return maintenance !== null && ['disconnected', 'disputed', 'in_set', 'unknown'].includes(state)
}

/** What is planned does not look like an outage. `window` is the one that the thing is in; null without one. */
export function withWindow({ text, tone }: Shown, window: string | null, isPlanned: boolean): Shown {
  if (window === null) return { text, tone }
  return isPlanned
    ? { text: `in maintenance: ${text}`, tone: 'maintenance' }
    : { text: `${text}, in maintenance`, tone }
}

/** When it is open. */
export function whenText(one: Maintenance, now: number): string {
  const { state, start_timestamp_seconds: start, end_timestamp_seconds: end } = one
  switch (state) {
    case 'open':
      return `open until ${timeText(end)} (${relative(end, now)})`
    case 'recovering':
      return 'closed; what it covers has time to recover'
    case 'next':
      return `opens ${timeText(start)} (${relative(start, now)}) for ${durationText((end ?? 0) - (start ?? 0))}`
    case 'over':
      return 'over'
    default:
      return 'not known whether it is open'
  }
}

export function coverageText({ network, whole_network: isWhole, ...one }: Maintenance): string {
  if (isWhole) return `covers all of ${network}`
  const kinds = [
    ['validator', one.validators.map(({ name }) => name)],
    ['node', one.nodes],
    ['chain', one.chains],
    ['subnet', one.subnets],
    ['wallet', one.wallets],
  ] as const
  const parts = kinds.flatMap(([kind, names]) =>
    names.length === 0 ? [] : `${kind}${names.length === 1 ? '' : 's'} ${listed(names)}`,
  )
  return `covers ${parts.length === 0 ? 'nothing' : parts.join(' and ')} on ${network}`
}

/** What the downtime costs each covered validator with a reward, those with the least left first. */
export function costText({ state, left_seconds: left, validators }: Maintenance): string {
  if (left === null || (state !== 'open' && state !== 'next')) return ''
  const costs = validators
    .flatMap(({ name, may_stop_seconds: allowed }) => (allowed === null ? [] : { name, allowed }))
    .toSorted((a, b) => a.allowed - b.allowed)
    .map(({ name, allowed }) => `${name} uses ${usedText(left, allowed)}`)
  return listed(costs)
}

/** `2 h of 3 d 4 h`. */
function usedText(left: number, allowed: number): string {
  if (allowed <= 0) return `${durationText(left)}, and has none left`
  return `${durationText(left)} of ${durationText(allowed)}${left > allowed ? ': too long' : ''}`
}

function listed(texts: readonly string[]): string {
  const more = texts.length - MOST_NAMES
  return [...texts.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

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
