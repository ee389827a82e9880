// Subnets, chains, wallets, routes and probes on the page: their values, with the limits that the rules and the configuration
// have for them, and the alerts about them.

import { thresholds as limits } from '../../alerts/thresholds.ts'
import { type Html, markup } from './markup.ts'
import { cardSection, entry, type Links, when } from './parts.ts'
import type { Alert, Chain, Status, Subnet, Wallet } from '../value/status-schema.ts'
import { amount, durationText, percent, timeText, UNKNOWN, yesOrNo } from './numbers.ts'

const MOST = 50

/** A kind of thing that the configuration does not name has no section. */
export function watchedSections(status: Status, links: Links): Html[] {
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
