// Subnets, chains, wallets, routes and probes on the page: their values, with the limits that the rules and the configuration
// have for them, and the alerts about them.

import { thresholds as limits } from '../../alerts/thresholds.ts'
import { type Html, markup, type Part } from './markup.ts'
import { alertList, leftOut, type Links, when } from './parts.ts'
import type { Alert, Chain, Status, Subnet, Wallet } from '../value/status-schema.ts'
import { amount, durationText, percent, timeText, UNKNOWN } from './numbers.ts'

/** Cards in a section. */
const MOST = 50

interface Thing {
  network: string
  name: string
  alerts: readonly Alert[]
  /** Routes and probes have none. */
  maintenance?: string | null
}

export function watchedSections(status: Status, links: Links): Html[] {
  const { timestamp_seconds: now } = status
  const section = <T extends Thing>(title: string, thing: string, all: readonly T[], entries: (one: T) => Html[]) =>
    sectionOf({ title, thing, all, entries, now, links })
  return [
    section('Subnets', 'subnet', status.subnets, (one) => subnetEntries(one, now)),
    section('Chains', 'chain', status.chains, (one) => chainEntries(one, now)),
    section('Wallets', 'wallet', status.wallets, walletEntries),
    section('Message routes', 'route', status.routes, ({ oldest_pending_timestamp_seconds: oldest }) => [
      entry('Oldest undelivered message', oldest === null ? 'none known' : when(oldest, now)),
      entry('Alert after', durationText(limits.messagePending)),
    ]),
    section('Signature probes', 'probe', status.probes, ({ signed }) => [
      entry('Enough signatures', signed === null ? UNKNOWN : signed ? 'yes' : 'no'),
    ]),
  ].flatMap((one) => one ?? [])
}

interface Section<T> {
  title: string
  thing: string
  all: readonly T[]
  entries: (one: T) => Html[]
  now: number
  links: Links
}

/** A kind of thing that the configuration does not name has no section. */
function sectionOf<T extends Thing>({ title, thing, all, entries, now, links }: Section<T>): Html | undefined {
  if (all.length === 0) return undefined
  const shown = all.slice(0, MOST)
  return markup`<section aria-labelledby="${thing}s">
    <h2 id="${thing}s">${title}</h2>
    <div class="cards">
      ${shown.map(
        (one, at) => markup`<article class="card" aria-labelledby="${thing}-${at}">
    <h3 id="${thing}-${at}">${one.network}/${one.name}${typeof one.maintenance === 'string' && markup` <span class="state maintenance">in maintenance</span>`}</h3>
    ${alertList(one.alerts, now, links)}
    <dl>${entries(one)}</dl>
  </article> `,
      )}
    </div>
    ${leftOut(all.length - shown.length, thing, 'none with more urgent alerts')}
  </section>`
}

function entry(term: string, value: Part): Html {
  return markup`<dt>${term}</dt>
    <dd>${value}</dd>`
}

function subnetEntries(one: Subnet, now: number): Html[] {
  const { weight_ratio: ratio, first_depletion_timestamp_seconds: depletion } = one
  const needs = `healthy nodes need ${percent(limits.l1Healthy)}, blocks ${percent(limits.l1Blocks)}, messages ${percent(limits.l1Messages)}`
  return [
    ...(ratio === null ? [] : [entry('Weight online', `${percent(ratio, 1)}; ${needs}`)]),
    ...(depletion === null
      ? []
      : [entry('First balance runs out', `in ${durationText(Math.max(0, depletion - now))}, ${timeText(depletion)}`)]),
    ...(ratio === null && depletion === null ? [entry('Weight and balances', 'none known')] : []),
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
