// A validator on a page of its own, with all that is known of it.

import { bar, type Html, markup, type Shown } from './markup.ts'
import type { Thresholds } from '../../alerts/thresholds.ts'
import { isExcused, withWindow } from './maintenance.ts'
import { cardSection, entry, headRow, type Links } from './parts.ts'
import type { Observer, Status, Validator } from '../value/status-schema.ts'
import { isRewardLost, turnsText } from './words.ts'
import { amount, durationText, percent, timeText, UNKNOWN, yesOrNo } from '../../lib/figures.ts'

/** A name may be that of a validator of several networks and subnets. */
const MOST = 100

export function validatorSection(status: Status, name: string, links: Links, limits: Thresholds): Html | undefined {
  const { validators, timestamp_seconds: now } = status
  const all = validators.filter((one) => one.name === name || one.node_id === name)
  if (all.length === 0) return undefined
  const cardOf = (one: Validator) => {
    const { text, tone } = withWindow(states[one.state], one.maintenance, isExcused(one))
    return {
      heading: markup`${one.name} <span class="state ${tone}">${text}</span>`,
      identity: markup`${one.node_id}<br />${one.network}/${one.subnet}${one.kind !== null && `, ${one.kind}`}`,
      entries: [
        isPaid(one) ? balance(one, now, limits) : [downtime(one), term(one, now)],
        weight(one),
        turns(one),
        expectations(one),
      ],
      more:
        one.observers.length > 0 ? observerTable(one) : markup`<p class="quiet small">No observer reports on it.</p>`,
    }
  }
  return cardSection({ title: 'Validator', thing: 'validator', all, most: MOST, cardOf }, status, links)
}

export const states: Readonly<Record<Validator['state'], Shown & { short: string }>> = {
  connected: { text: 'connected', short: 'connected', tone: 'good' },
  disputed: { text: 'disputed: some observers are disconnected from it', short: 'disputed', tone: 'warning' },
  disconnected: { text: 'disconnected', short: 'disconnected', tone: 'critical' },
  in_set: { text: 'in the set, connection unknown', short: 'in the set, connection unknown', tone: 'plain' },
  inactive: { text: 'inactive: no balance left', short: 'inactive', tone: 'critical' },
  not_in_set: { text: 'not in the set', short: 'not in the set', tone: 'critical' },
  unknown: { text: UNKNOWN, short: UNKNOWN, tone: 'plain' },
}

/** L1 validators pay from a balance; others stake for a fixed time. */
const isPaid = ({ kind, active }: Validator) => kind === 'l1' || active !== null

function downtime(one: Validator): Html {
  const { downtime_budget_seconds: budget, downtime_allowed_seconds: allowed } = one
  const what = 'Downtime left before the reward is lost'
  if (budget === null) return entry(what, UNKNOWN)
  if (budget < 0 && !isRewardLost(one)) return entry(what, 'none for half of the observers', bar(0, 'warning'))
  if (budget < 0) return entry(what, `none: exceeded by ${durationText(budget)}`, bar(0, 'critical'))
  const share = allowed === null || allowed <= 0 ? null : budget / allowed
  const of = share === null ? '' : ` of ${durationText(allowed!)} (${percent(share)})`
  return entry(what, `${durationText(budget)}${of}`, bar(share, 'plain'))
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

function balance(one: Validator, now: number, { runwayPlanned: full }: Thresholds): Html {
  const { balance_tokens: tokens, depletion_timestamp_seconds: depletion, active } = one
  const has = tokens === null ? UNKNOWN : `${amount(tokens)} tokens`
  if (active === false) return entry('Balance', `${has}: inactive${planned(one)}`, bar(0, 'critical'))
  if (depletion === null) return entry('Balance', `${has}; time left unknown${planned(one)}`)
  const left = Math.max(0, depletion - now)
  const text = `${has}; lasts ${durationText(left)}, until ${timeText(depletion)}${planned(one)}`
  return entry(`Balance; a full bar is ${durationText(full)} or more`, text, bar(left / full, 'plain'))
}

function weight({ stake_tokens: stake, weight: votes }: Validator): Html | undefined {
  if (stake !== null) return entry('Own stake', `${amount(stake)} tokens`)
  return votes === null ? undefined : entry('Weight', amount(votes))
}

function turns({ turns: all }: Validator): Html | undefined {
  if (all === null) return undefined
  const lines = all.chains.map((one) => markup`<li>${one.chain}: ${turnsText(one)}</li>`)
  return entry('Turns to build blocks', markup`<ul>${lines}</ul>`)
}

function expectations({ expectations: all }: Validator): Html | undefined {
  if (all.length === 0) return undefined
  return entry(
    'Matches the configuration',
    all.map(({ expectation, met }) => `${expectation}: ${yesOrNo(met)}`).join(', '),
  )
}

function observerTable({ observers, kind }: Validator): Html {
  const isVoted = kind !== 'l1'
  return markup`<div class="opinions"><table>
    <caption>
      Reported by each observer
    </caption>
    ${headRow(['observer', 'uptime', 'connected', ...(isVoted ? ['reward'] : [])])}
    <tbody>
      ${observers.map((one) => observerRow(one, isVoted))}
    </tbody>
  </table></div>`
}

function observerRow(one: Observer, isVoted: boolean): Html {
  const { source, uptime_ratio: uptime, required_uptime_ratio: required, reward_state: reward } = one
  const needs = required === null ? '' : `, needs ${percent(required)}`
  const reachable = one.reachable_ratio === null ? yesOrNo(one.connected) : `answers ${percent(one.reachable_ratio)}`
  const without = isVoted || one.votes ? '' : ', no vote'
  return markup`<tr>
    <th scope="row">${source}</th>
    <td>${percent(uptime, 2)}${needs}</td>
    <td>${reachable}${without}</td>
    ${isVoted && markup`<td>${one.votes ? (reward?.replaceAll('_', ' ') ?? UNKNOWN) : 'no vote'}</td>`}
  </tr>`
}
