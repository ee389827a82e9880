// What the sections of the page share.

import { type Html, markup, type Part } from './markup.ts'
import type { Alert, Status } from '../value/status-schema.ts'
import { stateText } from './words.ts'
import { relative, timeText, UNKNOWN } from '../../lib/figures.ts'

export interface Links {
  /** Before every path of the daemon; '' or such as `/stakewatch`. */
  prefix: string
  telemetryPath: string
}

/** With the labels of the alert, which the runbook fills in. */
export function runbook({ alert, labels }: Alert, { prefix }: Links): Html {
  const { job: _, ...values } = labels
  return markup`<a href="${prefix}/runbooks/${alert}?${new URLSearchParams(values).toString()}">${alert}</a>`
}

/** Says loudly that nothing here is real. */
export const simulatedBanner = markup`<p class="simulated" role="note"><strong>Simulated network:</strong> nothing here is real.</p>`

interface Card {
  heading: Part
  /** Which one it is, in small letters. */
  identity?: Html
  entries: Part
  more?: Html
}

interface Section<T> {
  title: string
  /** In the singular. */
  thing: string
  all: readonly T[]
  most: number
  about?: Part
  cardOf: (one: T) => Card
}

export function cardSection<T extends { alerts: readonly Alert[] }>(
  { title, thing, all, most, about, cardOf }: Section<T>,
  { timestamp_seconds: now }: Status,
  links: Links,
): Html {
  const shown = all.slice(0, most)
  return markup`<section aria-labelledby="${thing}s">
    <h2 id="${thing}s">${title}</h2>
    ${about}
    <div class="cards">${shown.map((one, at) => {
      const { heading, identity, entries, more } = cardOf(one)
      return markup`<article class="card" aria-labelledby="${thing}-${at}">
    <h3 id="${thing}-${at}">${heading}</h3>
    ${identity && markup`<p class="id">${identity}</p>`}
    ${alertList(one.alerts, now, links)}
    <dl>${entries}</dl>
    ${more}
  </article> `
    })}</div>
    ${leftOut(all.length - shown.length, thing, 'none with more urgent alerts')}
  </section>`
}

export const headRow = (names: readonly string[]): Html =>
  markup`<thead><tr>${names.map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>`

/** Takes the place of the name of a column on a narrow screen, where rows are stacked. */
export const narrowLabel = (name: string): Html => markup`<span class="narrow quiet">${name}: </span>`

export function entry(term: string, ...value: readonly Part[]): Html {
  return markup`<dt>${term}</dt>
    <dd>${value}</dd>`
}

/** Says how many entries a shortened list leaves out. */
export function leftOut(count: number, thing: string, which: string): Html | undefined {
  if (count <= 0) return undefined
  return markup`<p class="quiet">
    ${count} more ${count === 1 ? thing : `${thing}s`}, ${which}, ${count === 1 ? 'is' : 'are'} left out here; the JSON
    has all of them.
  </p>`
}

function alertList(alerts: readonly Alert[], now: number, links: Links): Html | undefined {
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
