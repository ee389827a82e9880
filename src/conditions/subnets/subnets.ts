// The price of L1 validation, and who decides on a subnet.

import { type Condition, NOT_APPLICABLE, OK, onlyParts, problem } from '../condition.ts'
import { DAY, HOUR, MINUTE } from '../../lib/seconds.ts'
import { growth, valueAgo } from '../track.ts'
import type { Remembered, View } from '../view.ts'

export const PRICE = 'stakewatch_l1_fee_price_tokens_per_second'
const CHANGES = 'stakewatch_subnet_changes_total'

/** The ways to tell the price, the best one first. */
const methods = ['fee_state', 'accrued', 'slope']

const prices: Remembered = {
  name: 'l1_price',
  of: 'network',
  for: DAY,
  every: MINUTE,
  read: (view) => new Map(view.all(PRICE).map(({ labels, value }) => [labels['method']!, value])),
}

/** The price relative to that of a day ago; on the first day, of six hours or an hour ago. */
function riseBy(network: View, method: string): number | undefined {
  const now = network.value(PRICE, { method })
  const track = network.track(prices, method)
  for (const span of [DAY, 6 * HOUR, HOUR]) {
    const before = valueAgo(track, network.now, span)
    if (now !== undefined && before !== undefined) return now / before
  }
  return undefined
}

/** By the best method that is known. */
const best = (read: (method: string) => number | undefined) => methods.map(read).find((one) => one !== undefined)
/** Tokens per second. */
export const priceOf = (network: View) => best((method) => network.value(PRICE, { method }))
const priceRise = (network: View) => best((method) => riseBy(network, method))

export const l1PriceRising: Condition = {
  alert: 'StakewatchL1PriceRising',
  panel: 'l1s: Price of an L1 validator',
  severity: 'info',
  for: 10 * MINUTE,
  reads: [PRICE, prices],
  judge: {
    network(view) {
      const rise = priceRise(view)
      if (rise === undefined) return NOT_APPLICABLE
      return rise > view.limits.l1PriceRise ? problem(rise) : OK
    },
  },
  title: '{{ $labels.network }}: L1 price rises fast',
  summary: 'The price of L1 validation has risen sharply within a day.',
  action: 'Check how long the balances of your L1 validators on {{ $labels.network }} last at the new price.',
  description:
    'A second of L1 validation on {{ $labels.network }} costs {{ humanize $value }} times as much as a day ago (or a few hours ago, if stakewatch has no older price). Balances run out sooner.',
}

/** What may change of a subnet. */
const kinds = ['owner', 'manager']

const changes: Remembered = {
  name: 'subnet_changes',
  of: 'subnet',
  for: HOUR,
  read: (view) => new Map(view.all(CHANGES).map(({ labels, value }) => [labels['what']!, value])),
}

export const subnetChanged: Condition = {
  alert: 'StakewatchSubnetChanged',
  panel: 'l1s: Who decides on subnets',
  // It may mean that an attacker controls the subnet.
  severity: 'critical',
  // Two runs in a row have confirmed it.
  for: 0,
  parts: ['what'],
  reads: [CHANGES, changes],
  judge: {
    subnet(view) {
      return onlyParts(
        kinds.flatMap((what) => {
          const count = growth(view.track(changes, what), view.now, HOUR) ?? 0
          return count > 0 ? [{ labels: { what }, verdict: problem(count) }] : []
        }),
      )
    },
  },
  title: '{{ $labels.subnet }}: {{ $labels.what }} changed',
  summary: 'The owner or the validator manager of the subnet has changed.',
  action: 'Ask who changed the {{ $labels.what }} of {{ $labels.subnet }}; if no one of yours did, warn its operators.',
  description:
    'The {{ $labels.what }} of subnet {{ $labels.network }}/{{ $labels.subnet }} changed within the last hour: who may change the subnet (owner), or which contract decides on its validators (manager). If your team did not do it, someone else has its key.',
}
