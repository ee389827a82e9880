// The figures of an L1: what its validators paid, the price, and whether enough weight was connected.

import { greatest, least } from '../../../lib/statistics.ts'
import type { Answers } from '../ask.ts'
import { HOUR } from '../../../lib/seconds.ts'
import type { Month } from '../month.ts'
import { type At, countsBy, having, knownOf, knownWith, totalOf } from './series.ts'
import { minutesIn, minutesOf, observed, timesOf } from './timeline.ts'
import { dailyOf, tokens } from './values.ts'
import { labelsOfId, type ValidatorId } from './validators.ts'

export type L1Report = ReturnType<typeof l1Reports>[number]

/** Subnets whose validators pay from a balance. */
export function l1Reports(validators: readonly ValidatorId[], answers: Answers, month: Month) {
  const keyOf = ({ network, subnet }: ValidatorId) => JSON.stringify([network, subnet])
  return [...Map.groupBy(validators, keyOf).values()].flatMap((some) => {
    const { network, subnet } = some[0]!
    const balances = some.flatMap((one) => balanceOf(one, answers, month) ?? [])
    const liveness = livenessOf(network, subnet, answers, month)
    if (balances.length + liveness.length === 0) return []
    return [{ network, subnet, balances, price: priceOf(network, answers, month), liveness }]
  })
}

function balanceOf(validator: ValidatorId, answers: Answers, month: Month) {
  const labels = labelsOfId(validator)
  const known = knownWith(answers.l1Balance, labels, month)
  const [begin, end] = [known[0], known.at(-1)]
  if (!begin || !end) return undefined
  const span = { ...month, start: begin.time, until: end.time }
  const counted = { ...answers.l1TopUps, series: having(answers.l1TopUps, labels) }
  // A counter is withdrawn once something is missed, and begins with its first poll.
  const times = counted.series.flatMap((one) => knownOf(one, counted.grid, span).map(({ time }) => time))
  const isCounted = least(times) <= begin.time + HOUR && greatest(times) >= end.time - HOUR
  const [topUps] = isCounted ? countsBy(counted, span, ['network']) : []
  const paidIn = topUps ? tokens(totalOf(topUps.rises)) : risesOf(known)
  const [first, last] = [tokens(begin.value), tokens(end.value)]
  const [active] = having(answers.l1Active, labels)
  return {
    validator,
    /** The first and the last time at which the balance is known. */
    from: begin.time,
    until: end.time,
    first,
    last,
    paidIn,
    spent: first - last + paidIn,
    /** Whether the payments are counted; else they are the rises of the balance. */
    isCounted,
    /** With a balance, without one, or unknown. */
    active: timesOf(
      active ? observed(minutesOf(active, answers.l1Active.grid, month)) : new Uint8Array(minutesIn(month)),
    ),
    byDay: dailyOf(known, month, tokens),
  }
}

/** How much a balance rose between two looks, all together. */
function risesOf(known: readonly At<number>[]): bigint {
  const steps = known.slice(1).map(({ value }, at) => tokens(value) - tokens(known[at]!.value))
  return steps.reduce((sum, step) => (step > 0n ? sum + step : sum), 0n)
}

/** The first is the best: what the node states. */
const METHODS = ['fee_state', 'accrued', 'slope']

function priceOf(network: string, answers: Answers, month: Month) {
  for (const method of METHODS) {
    const known = knownWith(answers.l1Price, { network, method }, month)
    const values = known.map(({ value }) => value)
    if (values.length === 0) continue
    return {
      method,
      first: values[0]!,
      last: values.at(-1)!,
      lowest: least(values),
      highest: greatest(values),
      /** Of its hourly values. */
      mean: values.reduce((sum, value) => sum + value, 0) / values.length,
      byDay: dailyOf(known, month, Number),
    }
  }
  return undefined
}

/** By the share that is needed: for blocks, for messages, and for a healthy node. The best view of all nodes decides. */
function livenessOf(network: string, subnet: string, { l1Margin }: Answers, month: Month) {
  const own = having(l1Margin, { network, subnet })
  return [...Map.groupBy(own, ({ labels }) => labels['threshold'] ?? '')].flatMap(([threshold, some]) => {
    const views = some.map((one) => minutesOf(one, l1Margin.grid, month))
    const margins = Float64Array.from({ length: minutesIn(month) }, (_, at) => {
      const known = views.flatMap((one) => (Number.isNaN(one[at]!) ? [] : one[at]!))
      return known.length === 0 ? NaN : greatest(known)
    })
    const lowestMargin = margins.reduce((lowest, one) => (one < lowest ? one : lowest), Infinity)
    if (lowestMargin === Infinity) return []
    // A share that is just reached is enough.
    const times = timesOf(observed(margins.map((one) => (one >= 0 ? 1 : Number.isNaN(one) ? NaN : 0))))
    return [{ threshold, times, lowestMargin }]
  })
}
