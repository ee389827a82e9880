// The validators on the page: a row each, the worst first, some on a page, and links that narrow the list.

import { bar, type Html, markup, type Part, type Shown } from './markup.ts'
import type { Thresholds } from '../../alerts/thresholds.ts'
import { isExcused, withWindow } from './maintenance.ts'
import { headRow, type Links, narrowLabel } from './parts.ts'
import { states } from './validator-section.ts'
import type { Track } from '../../conditions/track.ts'
import type { Status, Validator } from '../value/status-schema.ts'
import { durationText, percent, UNKNOWN } from '../../lib/figures.ts'
import { isRewardLost, noneText } from './words.ts'
import { HOUR } from '../../lib/seconds.ts'

/** What else is watched stands below, and a telephone shows five of them. */
const ROWS = 25

/** For which share of the votes a validator was connected, over the last day. */
export type DayOf = (one: Pick<Validator, 'network' | 'subnet' | 'node_id'>) => Track

/** What the address of the page asks for. */
export interface Filter {
  /** A part of a name or of a node id. */
  q: string
  network: string
  state: string
  /** Those with this alert. */
  alert: string
  /** From 1. */
  page: number
  /** Whether the page stays as it is. */
  isStill: boolean
}

export function filterOf(query: Readonly<Record<string, unknown>>): Filter {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name].slice(0, 200) : '')
  return {
    q: text('q'),
    network: text('network'),
    state: text('state'),
    alert: text('alert'),
    page: Math.max(1, Math.trunc(Number(text('page'))) || 1),
    isStill: 'still' in query,
  }
}

const isFound = ({ q, network, state, alert }: Filter, one: Validator) =>
  (q === '' || `${one.name} ${one.node_id}`.toLowerCase().includes(q.toLowerCase())) &&
  (network === '' || one.network === network) &&
  (state === '' || one.state === state) &&
  (alert === '' || one.alerts.some((about) => about.alert === alert))

export function validatorTable(
  status: Status,
  filter: Filter,
  links: Links,
  connectedDay: DayOf,
  limits: Thresholds,
): Html {
  const { validators: all, timestamp_seconds: now } = status
  const found = all.filter((one) => isFound(filter, one))
  const last = Math.max(1, Math.ceil(found.length / ROWS))
  const page = Math.min(filter.page, last)
  const shown = found.slice((page - 1) * ROWS, page * ROWS)
  const to = (change: Partial<Filter>) => `${addressOf({ ...filter, page: 1, ...change }, links)}#validators`
  return markup`<section aria-labelledby="validators">
    <h2 id="validators">Validators</h2>
    ${all.length === 0 && markup`<p class="quiet">${noneText(status, 'validators')}</p>`}
    ${all.length > 1 && counts(all, filter, to)}
    ${all.length > 10 && search(filter, links)}
    ${
      shown.length > 0 &&
      markup`<table class="rows stacked">
        ${headRow(['validator', 'state', 'time left', 'ends', 'last 24 h'])}
        <tbody>${shown.map((one) => row(one, timeLeft(one, now, limits), { now, links, day: connectedDay(one) }))}</tbody>
      </table>`
    }
    ${all.length > 0 && found.length === 0 && markup`<p>No validator fits. <a href="${links.prefix}/#validators">Show all</a></p>`}
    ${last > 1 && pages(page, last, to)}
  </section>`
}

export function addressOf({ q, network, state, alert, page, isStill }: Filter, { prefix }: Links): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries({ q, network, state, alert, page: page > 1 ? String(page) : '' })) {
    if (value !== '') given.set(name, value)
  }
  if (isStill) given.set('still', '')
  const text = given.toString()
  return `${prefix}/${text && `?${text}`}`
}

/** How many are in each state, and in each network if there are several: each is a link to these. */
function counts(all: readonly Validator[], filter: Filter, to: (change: Partial<Filter>) => string): Html {
  const link = (key: 'state' | 'network', value: string, text: string, count: number): Html =>
    filter[key] === value
      ? markup`<li><strong>${count} ${text}</strong> (<a href="${to({ [key]: '' })}">all</a>)</li>`
      : markup`<li><a href="${to({ [key]: value })}">${count} ${text}</a></li>`
  const byState = Map.groupBy(all, ({ state }) => state)
  const byNetwork = Map.groupBy(all, ({ network }) => network)
  return markup`<ul class="filters small">
    ${Array.from(byState, ([state, some]) => link('state', state, states[state].short, some.length))}
    ${filter.alert !== '' && markup`<li>with <strong>${filter.alert}</strong> (<a href="${to({ alert: '' })}">all</a>)</li>`}
    ${byNetwork.size > 1 && Array.from(byNetwork, ([network, some]) => link('network', network, `on ${network}`, some.length))}
  </ul>`
}

function search({ q, network, state, alert, isStill }: Filter, { prefix }: Links): Html {
  const given = Object.entries({ network, state, alert }).filter(([, value]) => value !== '')
  const hidden = isStill ? [...given, ['still', '']] : given
  return markup`<form class="search" action="${prefix}/#validators" role="search">
    <label for="q">Name or node id</label> <input id="q" name="q" value="${q}" type="search" />
    ${hidden.map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}" />`)}
    <button>Find</button>
  </form>`
}

function pages(page: number, last: number, to: (change: Partial<Filter>) => string): Html {
  return markup`<nav aria-label="Pages" class="small"><p>
    ${page > 1 && markup`<a href="${to({ page: page - 1 })}">Previous</a> `}Page ${page} of ${last}
    ${page < last && markup` <a href="${to({ page: page + 1 })}">Next</a>`}
  </p></nav>`
}

function row(
  one: Validator,
  left: Part,
  { now, links: { prefix }, day }: { now: number; links: Links; day: Track },
): Html {
  const known = states[one.state]
  const { text, tone }: Shown = withWindow({ text: known.short, tone: known.tone }, one.maintenance, isExcused(one))
  return markup`<tr>
    <th scope="row"><a href="${prefix}/validators/${one.name}">${one.name}</a> <span class="quiet">${one.network}/${one.subnet}</span></th>
    <td class="state ${tone}">${text}</td>
    <td>${narrowLabel('left')}${left}</td>
    <td>${narrowLabel('end')}${endText(one, now)}</td>
    <td>${narrowLabel('last 24 h')}${dayStrip(day, now) ?? markup`<span class="quiet">${UNKNOWN}</span>`}</td>
  </tr>`
}

/** What it lives on: the downtime that it may still have, or its balance. */
function timeLeft(one: Validator, now: number, { runwayPlanned: full }: Thresholds): Part {
  const { downtime_budget_seconds: budget, downtime_allowed_seconds: allowed, active } = one
  const { depletion_timestamp_seconds: depletion } = one
  if (active === false) return markup`<span class="critical">no balance</span>${bar(0, 'critical')}`
  if (depletion !== null) {
    const left = Math.max(0, depletion - now)
    return markup`${durationText(left)} of balance${bar(left / full, toneOf(left, full))}`
  }
  if (budget === null) return markup`<span class="quiet">${UNKNOWN}</span>`
  if (budget < 0) {
    const [text, tone] = isRewardLost(one) ? (['lost', 'critical'] as const) : (['at risk', 'warning'] as const)
    return markup`<span class="${tone}">reward ${text}</span>${bar(0, tone)}`
  }
  const share = allowed === null || allowed <= 0 ? null : budget / allowed
  return markup`${durationText(budget)} of downtime${share !== null && ` (${percent(share)} unused)`}${bar(share, toneOf(share ?? 1, 1))}`
}

const toneOf = (left: number, full: number) =>
  left < 0.1 * full ? 'critical' : left < 0.3 * full ? 'warning' : 'plain'

function endText({ end_timestamp_seconds: end, kind }: Validator, now: number): Part {
  if (end === null)
    return kind === 'l1' ? markup`<span class="quiet">never</span>` : markup`<span class="quiet">${UNKNOWN}</span>`
  return end > now ? `in ${durationText(end - now)}` : 'over'
}

const HOURS = 24

/** For each hour the share of its known time for which the validator was connected; null where nothing is known of it. */
export function hoursOf(track: Track, now: number): (number | null)[] {
  return Array.from({ length: HOURS }, (_, at) => {
    const from = now - (HOURS - at) * HOUR
    const { known, connected } = timesIn(track, from, from + HOUR, now)
    return known === 0 ? null : connected / known
  })
}

/** Seconds between two times. */
function timesIn(track: Track, from: number, to: number, now: number): { known: number; connected: number } {
  let [known, connected] = [0, 0]
  for (let index = 0; index < track.length; index += 2) {
    const [since, value, until] = [track[index]!, track[index + 1]!, track[index + 2] ?? now]
    const time = Math.min(until, to) - Math.max(since, from)
    if (time <= 0 || Number.isNaN(value)) continue
    known += time
    // Most votes decide, as for the alerts.
    if (value >= 0.5) connected += time
  }
  return { known, connected }
}

type Cell = 'good' | 'warning' | 'critical' | 'gap'

function cellOf(share: number | null): Cell {
  if (share === null) return 'gap'
  return share > 0.999 ? 'good' : share >= 0.5 ? 'warning' : 'critical'
}

/** The last 24 hours, an hour each, with a gap where nothing was known. Undefined if nothing is known of the day. */
function dayStrip(track: Track, now: number): Html | undefined {
  const hours = hoursOf(track, now)
  const { known, connected } = timesIn(track, now - HOURS * HOUR, now, now)
  if (known === 0) return undefined
  const runs: { cell: Cell; from: number; length: number }[] = []
  for (const [at, share] of hours.entries()) {
    const cell = cellOf(share)
    const last = runs.at(-1)
    if (last?.cell === cell) last.length += 1
    else runs.push({ cell, from: at, length: 1 })
  }
  const of = hours.includes(null) ? `the ${durationText(Math.round(known))} that are known` : 'the last day'
  const text = `connected for ${percent(connected / known, 1)} of ${of}`
  return markup`<svg class="day" viewBox="0 0 24 4" preserveAspectRatio="none" role="img" aria-label="${text}">
    ${runs.map(({ cell, from, length }) => markup`<rect class="is-${cell}" x="${from}" width="${length}" height="4" />`)}
  </svg>`
}
