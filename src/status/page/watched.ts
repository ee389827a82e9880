// What is watched next to validators: subnets, chains, wallets and messages, in a table and in sections of their own.

import { type Html, markup, type Part } from './markup.ts'
import { cardSection, entry, headRow, type Links, narrowLabel, when } from './parts.ts'
import { isFiring } from './verdict.ts'
import { urgency } from '../value/alerts.ts'
import type { Alert, Chain, Status, Subnet, Wallet } from '../value/status-schema.ts'
import { amount, durationText, percent, timeText, UNKNOWN, yesOrNo } from '../../lib/figures.ts'
import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { type Thresholds, thresholds as defaults } from '../../alerts/thresholds.ts'

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
    <table class="rows stacked">
      ${headRow(['what', 'value', 'alerts'])}
      <tbody>${sorted.slice(0, ROWS).map(row)}</tbody>
    </table>
    <p class="small"><a href="${prefix}/watched">Details${more > 0 && ` and ${more} more`}</a></p>
  </section>`
}

function row({ kind, network, name, text, alerts }: Row): Html {
  return markup`<tr>
    <th scope="row">${name} <span class="quiet">${kind} on ${network}</span></th>
    <td>${text}</td>
    <td>${alerts.length === 0 ? markup`${narrowLabel('alerts')}<span class="quiet">none</span>` : alertTexts(alerts)}</td>
  </tr>`
}

/** What only may become an alert is not as loud as one. Those of one title, such as of several sources, are said once. */
function alertTexts(alerts: readonly Alert[]): Html[] {
  const textOf = (one: Alert) => (isFiring(one) ? one.title : `${one.title} (${one.state})`)
  return Array.from(
    Map.groupBy(alerts, textOf),
    ([text, [first, ...more]], at) =>
      markup`${at > 0 && ', '}<span class="${isFiring(first!) ? first!.severity : 'quiet'}">${text}${more.length > 0 && ` \u00d7 ${more.length + 1}`}</span>`,
  )
}

const rank = ({ alerts }: Row) => urgency(alerts.filter(isFiring))

function rowsOf({ timestamp_seconds: now, ...status }: Status): Row[] {
  const of = <One extends Omit<Row, 'kind' | 'text'>>(
    kind: string,
    all: readonly One[],
    textOf: (one: One) => Part,
  ): Row[] => all.map((one) => ({ kind, network: one.network, name: one.name, alerts: one.alerts, text: textOf(one) }))
  return [
    ...of('subnet', status.subnets, ({ id, weight_ratio: ratio, first_depletion_timestamp_seconds: depletion }) => [
      ratio === null && depletion === null && withoutWeight(id),
      ratio !== null && `${percent(ratio)} of its weight is online`,
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
      oldest === null
        ? 'no waiting message is known'
        : `a message has waited for ${durationText(Math.max(0, now - oldest))}`,
    ),
    ...of('signature probe', status.probes, ({ signed }) => `enough signatures: ${yesOrNo(signed)}`),
  ]
}

const MOST = 50

/** A kind of thing that the configuration does not name has no section. */
export function watchedSections(status: Status, links: Links, limits: Thresholds): Html[] {
  const { timestamp_seconds: now } = status
  const section = <T extends { network: string; name: string; alerts: Alert[]; maintenance?: string | null }>(
    title: string,
    thing: string,
    all: readonly T[],
    entriesOf: (one: T) => Html[],
  ) => {
    const cardOf = (one: T) => ({
      heading: markup`${one.network}/${one.name}${typeof one.maintenance === 'string' && markup` <span class="state maintenance">in maintenance</span>`}`,
      entries: entriesOf(one),
    })
    return all.length === 0 ? [] : [cardSection({ title, thing, all, most: MOST, cardOf }, status, links)]
  }
  return [
    section('Subnets', 'subnet', status.subnets, (one) => subnetEntries(one, now)),
    section('Chains', 'chain', status.chains, (one) => chainEntries(one, now)),
    section('Wallets', 'wallet', status.wallets, walletEntries),
    section('Message routes', 'route', status.routes, ({ oldest_pending_timestamp_seconds: oldest }) => [
      entry('Oldest undelivered message', oldest === null ? 'none known' : when(oldest, now)),
      entry('Alert after', durationText(limits.messagePending)),
    ]),
    section('Signature probes', 'probe', status.probes, ({ signed }) => [entry('Enough signatures', yesOrNo(signed))]),
  ].flat()
}

const withoutWeight = (id: string) => (id === PRIMARY_NETWORK_ID ? 'not an L1' : 'no weight or balance known')

function subnetEntries(one: Subnet, now: number): Html[] {
  const { weight_ratio: ratio, first_depletion_timestamp_seconds: depletion } = one
  const needs = `healthy nodes need ${percent(defaults.l1Healthy)}, blocks ${percent(defaults.l1Blocks)}, messages ${percent(defaults.l1Messages)}`
  return [
    ...(ratio === null ? [] : [entry('Weight online', `${percent(ratio, 1)}; ${needs}`)]),
    ...(depletion === null
      ? []
      : [entry('First balance runs out', `in ${durationText(Math.max(0, depletion - now))}, ${timeText(depletion)}`)]),
    ...(ratio === null && depletion === null ? [entry('Weight and balances', withoutWeight(one.id))] : []),
  ]
}

function chainEntries(one: Chain, now: number): Html[] {
  const { height, head_timestamp_seconds: head, stall_threshold_seconds: threshold } = one
  return [
    entry('Height', amount(height)),
    entry('Newest block', head === null ? UNKNOWN : `${durationText(Math.max(0, now - head))} old`),
    entry('Stalled', threshold === null ? 'never: stall_after is not configured' : `after ${durationText(threshold)}`),
  ]
}

function walletEntries({ balances, min_balance_tokens: least }: Wallet): Html[] {
  return [
    ...(balances.length === 0 ? [entry('Balance', UNKNOWN)] : []),
    ...balances.map(({ chain, tokens }) => entry(`Spendable on ${chain}`, `${amount(tokens)} tokens`)),
    ...(least === null ? [] : [entry('Minimum on each chain', `${amount(least)} tokens`)]),
  ]
}
