// The public page: what delegators ask about each validator. It needs no script, and loads nothing. Of many validators it shows some
// on a page, those in trouble first.

import type { PublicStatus, PublicValidator } from '../value/public.ts'
import { bar, type Html, markup, type Part, type Shown } from './markup.ts'
import { documentOf } from './document.ts'
import { amount, percent, relative, timeText, UNKNOWN } from '../../lib/figures.ts'
import { entry, simulatedBanner } from './parts.ts'
import { turnsText } from './words.ts'

/** In the folder of the page, so that the link works behind any prefix. */
const JSON_PATH = 'public.json'

const ON_A_PAGE = 24

const lastPage = ({ validators }: PublicStatus) => Math.max(1, Math.ceil(validators.length / ON_A_PAGE))

/** The page that a visitor asks for, or the nearest one that there is. */
export const pageOfPublic = (status: PublicStatus, asked: unknown) =>
  Math.min(lastPage(status), Math.max(1, Math.trunc(Number(asked)) || 1))

export function publicPage(status: PublicStatus, page: number): string {
  const { title, simulated, timestamp_seconds: now, validators } = status
  const heading = title ?? 'Validators'
  const last = lastPage(status)
  const ordered = last > 1 ? validators.toSorted((a, b) => rank(a) - rank(b)) : validators
  const shown = ordered.slice((page - 1) * ON_A_PAGE, page * ON_A_PAGE)
  return documentOf(
    `${simulated ? 'SIMULATED: ' : ''}${heading}`,
    markup`<header>
            <h1>${heading}</h1>
            <p class="quiet">As of ${timeText(now)}. <a href="${JSON_PATH}">JSON</a></p>
            ${simulated && simulatedBanner}
            ${last > 1 && markup`<p>${countsText(validators)}</p>`}
          </header>
          <main>
            <div class="cards">${shown.map((one, at) => card(one, at, now))}</div>
            ${last > 1 && pages(page, last)}
          </main>
          <footer class="quiet small">
            <p>
              Uptime and reward are what other nodes of the operator see. The network decides by the votes of all validators.
              If the uptime is too low at the end of the period, neither the validator nor its delegators get a reward.
            </p>
          </footer>`,
  )
}

const inTrouble = ['not_validating', 'disconnected', 'unknown', 'validating'] as const
const rank = ({ state }: PublicValidator) => inTrouble.indexOf(state)

/** `300 validators: 18 disconnected now, 282 validating`. */
function countsText(validators: readonly PublicValidator[]): string {
  const parts = inTrouble.flatMap((state) => {
    const count = validators.filter((one) => one.state === state).length
    return count === 0 ? [] : `${count} ${states[state].text}`
  })
  return `${validators.length} validators: ${parts.join(', ')}.`
}

function pages(page: number, last: number): Html {
  return markup`<nav aria-label="Pages"><p>
    ${page > 1 && markup`<a href="?page=${page - 1}">Previous</a> `}Page ${page} of ${last}
    ${page < last && markup` <a href="?page=${page + 1}">Next</a>`}
  </p></nav>`
}

function card(one: PublicValidator, at: number, now: number): Html {
  const { name, node_id: id } = one
  const { text, tone } = states[one.state]
  return markup`<article class="card" aria-labelledby="validator-${at}">
    <h2 class="name" id="validator-${at}">${name ?? id} <span class="state ${tone}">${text}</span></h2>
    ${name !== null && markup`<p class="id">${id}</p>`}
    ${one.state === 'disconnected' && away}
    ${one.state !== 'not_validating' && markup`<dl>${entries(one, now)}</dl>`}
    ${polled(one, now)}
  </article> `
}

const states: Readonly<Record<PublicValidator['state'], Shown>> = {
  validating: { text: 'validating', tone: 'good' },
  disconnected: { text: 'disconnected now', tone: 'warning' },
  not_validating: { text: 'not validating now', tone: 'warning' },
  unknown: { text: UNKNOWN, tone: 'plain' },
}

const away = markup`<p class="small">
      Most nodes of the operator are not connected to it. Until they are, its uptime falls.
    </p>`

const rewards = {
  on_course: { text: 'on course', tone: 'good' },
  at_risk: { text: 'at risk', tone: 'warning' },
  lost: { text: 'lost', tone: 'critical' },
} as const

/** What does not apply to the validator has no entry. */
function entries(one: PublicValidator, now: number): Part[] {
  const { uptime_ratio: uptime, reward_state: reward } = one
  return [
    entry('Uptime', percent(uptime, 2), bar(uptime, 'plain')),
    reward !== undefined && entry('Reward', rewardText(reward)),
    one.stake_tokens !== undefined && entry('Own stake', tokens(one.stake_tokens)),
    one.delegation_fee_ratio !== undefined && entry('Delegation fee', percent(one.delegation_fee_ratio, 2)),
    one.delegation_capacity_tokens !== undefined && entry('Room for delegations', room(one.delegation_capacity_tokens)),
    one.turns !== undefined && entry('Turns to build blocks', turnsText(one.turns)),
    one.end_timestamp_seconds !== undefined && entry('End of the period', end(one.end_timestamp_seconds, now)),
  ]
}

function rewardText(reward: keyof typeof rewards | null): Part {
  if (reward === null) return UNKNOWN
  const { text, tone } = rewards[reward]
  return markup`<span class="state ${tone}">${text}</span>`
}

function tokens(value: number | null): string {
  return value === null ? UNKNOWN : `${amount(value)} AVAX`
}

/** The metric is 0 when no further delegation fits. */
function room(value: number | null): string {
  return value === 0 ? 'none: no further delegation fits' : tokens(value)
}

function end(timestamp: number | null, now: number): string {
  if (timestamp === null) return UNKNOWN
  return `${timeText(timestamp)}, ${timestamp > now ? relative(timestamp, now) : 'over'}`
}

function polled({ polled_timestamp_seconds: at, old: isOld }: PublicValidator, now: number): Html {
  if (at === null) return markup`<p class="quiet small">There is no current data.</p>`
  if (isOld)
    return markup`<p class="warning small"><strong>Old data</strong> from ${timeText(at)}, ${relative(at, now)}</p>`
  return markup`<p class="quiet small">Data from ${timeText(at)}</p>`
}
