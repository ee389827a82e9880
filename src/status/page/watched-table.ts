// Subnets, chains, wallets, routes and probes on the page: a row each, those with alerts first. Their page has the details.

import { type Html, markup, type Part } from './markup.ts'
import type { Links } from './parts.ts'
import { isFiring } from './verdict.ts'
import { urgency } from '../value/alerts.ts'
import type { Alert, Status } from '../value/status-schema.ts'
import { amount, durationText, percent, UNKNOWN, yesOrNo } from './numbers.ts'

const ROWS = 50

interface Row {
  kind: string
  network: string
  name: string
  text: Part
  alerts: readonly Alert[]
}

export function watchedTable(status: Status, { prefix }: Links): Html | undefined {
  const all = rowsOf(status)
  if (all.length === 0) return undefined
  const sorted = all.toSorted((a, b) => rank(a) - rank(b))
  const more = sorted.length - ROWS
  return markup`<section aria-labelledby="watched">
    <h2 id="watched">What else is watched</h2>
    <table class="rows">
      <thead><tr>${['what', 'value', 'alerts'].map((name) => markup`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${sorted.slice(0, ROWS).map(row)}</tbody>
    </table>
    <p class="small"><a href="${prefix}/watched">Details${more > 0 && ` and ${more} more`}</a></p>
  </section>`
}

function row({ kind, network, name, text, alerts }: Row): Html {
  return markup`<tr>
    <th scope="row">${name} <span class="quiet">${kind} on ${network}</span></th>
    <td>${text}</td>
    <td>${alerts.length === 0 ? markup`<span class="quiet">none</span>` : alerts.map(alertText)}</td>
  </tr>`
}

/** What only may become an alert is not as loud as one. */
const alertText = (one: Alert, at: number): Html =>
  markup`${at > 0 && ', '}<span class="${isFiring(one) ? one.severity : 'quiet'}">${one.title}${!isFiring(one) && ` (${one.state})`}</span>`

const rank = ({ alerts }: Row) => urgency(alerts.filter(isFiring))

function rowsOf({ timestamp_seconds: now, ...status }: Status): Row[] {
  const of = <One extends Omit<Row, 'kind' | 'text'>>(
    kind: string,
    all: readonly One[],
    textOf: (one: One) => Part,
  ): Row[] => all.map((one) => ({ kind, network: one.network, name: one.name, alerts: one.alerts, text: textOf(one) }))
  return [
    ...of('subnet', status.subnets, ({ weight_ratio: ratio, first_depletion_timestamp_seconds: depletion }) => [
      ratio === null ? '' : `${percent(ratio)} of its weight is online`,
      ratio !== null && depletion !== null && ', ',
      depletion !== null && `first balance lasts ${durationText(Math.max(0, depletion - now))}`,
    ]),
    ...of('chain', status.chains, ({ height, head_timestamp_seconds: head }) =>
      head === null ? `height ${amount(height)}` : `newest block ${durationText(Math.max(0, now - head))} old`,
    ),
    ...of('wallet', status.wallets, ({ balances, min_balance_tokens: least }) => [
      balances.length === 0 ? UNKNOWN : balances.map(({ chain, tokens }) => `${amount(tokens)} on ${chain}`).join(', '),
      least !== null && `; at least ${amount(least)}`,
    ]),
    ...of('message route', status.routes, ({ oldest_pending_timestamp_seconds: oldest }) =>
      oldest === null ? 'no message waits' : `a message has waited for ${durationText(Math.max(0, now - oldest))}`,
    ),
    ...of('signature probe', status.probes, ({ signed }) => `enough signatures: ${yesOrNo(signed)}`),
  ]
}
