// The tracked validators on the page, each on a card.

import { bar, type Tone } from './bars.ts'
import { thresholds as limits } from '../../alerts/thresholds.ts'
import { isExcused } from './maintenance-words.ts'
import { type Html, markup } from './markup.ts'
import { alertList, leftOut, type Links } from './parts.ts'
import type { Observer, Status, Validator } from '../value/status-schema.ts'
import { amount, durationText, percent, timeText, UNKNOWN, yesOrNo } from './numbers.ts'

/** The most cards on the page: thousands would take a browser seconds, and readers do not scroll that far. */
const MOST = 100

export function validatorSection({ validators, timestamp_seconds: now }: Status, links: Links): Html {
  const shown = validators.slice(0, MOST)
  return markup`<section aria-labelledby="validators">
    <h2 id="validators">Validators</h2>
    <p class="quiet">${summary(validators)}</p>
    <div class="cards">${shown.map((one, at) => card(one, at, now, links))}</div>
    ${leftOut(validators.length - shown.length, 'validator', 'none with more urgent alerts')}
  </section>`
}

function summary(validators: readonly Validator[]): string {
  if (validators.length === 0) return 'No validators are configured.'
  const counts = Map.groupBy(validators, (one) => (isExcused(one) ? 'in maintenance' : states[one.state].text))
  const parts = [...counts].map(([text, { length }]) => `${length} ${text}`)
  return `${validators.length} configured: ${parts.join(', ')}.`
}

const states: Readonly<Record<Validator['state'], { text: string; tone: Tone }>> = {
  connected: { text: 'connected', tone: 'good' },
  disputed: { text: 'disputed: some observers are disconnected from it', tone: 'warning' },
  disconnected: { text: 'disconnected', tone: 'critical' },
  in_set: { text: 'in the set, connection unknown', tone: 'plain' },
  inactive: { text: 'inactive: no balance left', tone: 'critical' },
  not_in_set: { text: 'not in the set', tone: 'critical' },
  unknown: { text: UNKNOWN, tone: 'plain' },
}

/** An outage in a maintenance window does not look like one. */
function stateOf(one: Validator): { text: string; tone: Tone } {
  const { text, tone } = states[one.state]
  if (one.maintenance === null) return { text, tone }
  if (isExcused(one)) return { text: `in maintenance: ${text}`, tone: 'maintenance' }
  return { text: `${text}, in maintenance`, tone }
}

function card(one: Validator, at: number, now: number, links: Links): Html {
  const { text, tone } = stateOf(one)
  const id = `validator-${at}`
  return markup`<article class="card" aria-labelledby="${id}">
    <h3 id="${id}">${one.name} <span class="state ${tone}">${text}</span></h3>
    <p class="id">${one.node_id}<br />${one.network}/${one.subnet}${one.kind !== null && `, ${one.kind}`}</p>
    ${alertList(one.alerts, now, links)}
    <dl>${isPaid(one) ? balance(one, now) : [downtime(one), term(one, now)]}${weight(one)}${expectations(one)}</dl>
    ${one.observers.length > 0 ? observerTable(one) : markup`<p class="quiet small">No observer reports on it.</p>`}
  </article> `
}

/** L1 validators pay from a balance; others stake for a fixed time. */
const isPaid = ({ kind, active }: Validator) => kind === 'l1' || active !== null

function downtime({ downtime_budget_seconds: budget, downtime_allowed_seconds: allowed }: Validator): Html {
  if (budget === null) return entry('Downtime left before the reward is lost', UNKNOWN)
  if (budget < 0) {
    return entry(
      'Downtime left before the reward is lost',
      `none: exceeded by ${durationText(budget)}`,
      bar(0, 'critical'),
    )
  }
  const share = allowed === null || allowed <= 0 ? null : budget / allowed
  const text =
    share === null ? durationText(budget) : `${durationText(budget)} of ${durationText(allowed!)} (${percent(share)})`
  return entry('Downtime left before the reward is lost', text, bar(share, 'plain'))
}

function term(one: Validator, now: number): Html {
  const { start_timestamp_seconds: start, end_timestamp_seconds: end, next_period_seconds: next } = one
  const what = next === null ? 'Stake' : 'Period of the stake'
  if (end === null) return entry(what, UNKNOWN)
  const share = start === null || end <= start ? null : (now - start) / (end - start)
  const left = end > now ? `${durationText(end - now)} left` : 'over'
  const of = start === null ? '' : ` of ${durationText(end - start)}`
  const goesOn = next === null ? '' : next > 0 ? `; then ${durationText(next)} more` : '; no further period'
  return entry(what, `${left}${of}, ends ${timeText(end)}${goesOn}${planned(one)}`, bar(share, 'plain'))
}

function planned({ planned_end_timestamp_seconds: end }: Validator): string {
  return end === null ? '' : `; planned to end ${timeText(end)}`
}

function balance(one: Validator, now: number): Html {
  const { balance_tokens: tokens, depletion_timestamp_seconds: depletion, active } = one
  const has = tokens === null ? UNKNOWN : `${amount(tokens)} tokens`
  if (active === false) return entry('Balance', `${has}: inactive${planned(one)}`, bar(0, 'critical'))
  if (depletion === null) return entry('Balance', `${has}; time left unknown${planned(one)}`)
  const left = Math.max(0, depletion - now)
  const text = `${has}; lasts ${durationText(left)}, until ${timeText(depletion)}${planned(one)}`
  return entry(
    `Balance; a full bar is ${durationText(limits.runwayPlanned)} or more`,
    text,
    bar(left / limits.runwayPlanned, 'plain'),
  )
}

function weight({ stake_tokens: stake, weight: votes }: Validator): Html | undefined {
  if (stake !== null) return entry('Own stake', `${amount(stake)} tokens`)
  return votes === null ? undefined : entry('Weight', amount(votes))
}

function expectations({ expectations: all }: Validator): Html | undefined {
  if (all.length === 0) return undefined
  return entry(
    'Matches the configuration',
    all.map(({ expectation, met }) => `${expectation}: ${yesOrNo(met)}`).join(', '),
  )
}

function entry(term: string, text: string, shown?: Html): Html {
  return markup`<dt>${term}</dt>
    <dd>${text}${shown}</dd>`
}

function observerTable({ observers, kind }: Validator): Html {
  const isVoted = kind !== 'l1'
  return markup`<div class="opinions"><table>
    <caption>
      Reported by each observer
    </caption>
    <thead>
      <tr>
        <th scope="col">observer</th>
        <th scope="col">uptime</th>
        <th scope="col">connected</th>
        ${isVoted && markup`<th scope="col">reward</th>`}
      </tr>
    </thead>
    <tbody>
      ${observers.map((one) => observerRow(one, isVoted))}
    </tbody>
  </table></div>`
}

function observerRow(one: Observer, isVoted: boolean): Html {
  const { source, uptime_ratio: uptime, required_uptime_ratio: required, reward_state: reward } = one
  const needs = required === null ? '' : `, needs ${percent(required)}`
  const reachable = one.reachable_ratio === null ? yesOrNo(one.connected) : `answers ${percent(one.reachable_ratio)}`
  return markup`<tr>
    <th scope="row">${source}</th>
    <td>${percent(uptime, 2)}${needs}</td>
    <td>${reachable}</td>
    ${isVoted && markup`<td>${one.reachable_ratio === null ? (reward?.replaceAll('_', ' ') ?? UNKNOWN) : 'no vote'}</td>`}
  </tr>`
}
