// icm: messages between chains on the configured routes: how many hang, how many arrive, how long they take. List ICM
// messages (document 1, operation 18), or those of an address (operation 17). Each run reads the whole lookback, as any
// message in it may have changed. A message counts once when first listed, and once when first listed as no longer
// pending.

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { emptyHistogram, observe, ofNetwork, type Sample } from '../../metrics/define.ts'
import { listIcmMessages, listIcmMessagesByAddress } from '../../operations/data/messages.ts'
import { believedType, inFuture, refusalOf, updateTotal } from '../counting/believed.ts'
import { defineCollector } from '../define.ts'
import { histogramType } from '../counting/follow.ts'
import { type Listed, readMessages, states } from './icm-messages.ts'
import { countType, momentType } from '../counting/remembered.ts'

const metrics = {
  messagesNow: ofNetwork.gauge('stakewatch_icm_messages', {
    help: 'Messages sent on the route within icm.lookback, by current state (data service).',
    details: 'Pending messages that do not state when they were sent are included.',
    labels: ['route', 'state'],
  }),
  oldestPending: ofNetwork.gauge('stakewatch_icm_oldest_pending_timestamp_seconds', {
    is: 'past',
    help: 'When the oldest pending message within icm.lookback was sent; absent without any that states its time (data service).',
    labels: ['route'],
  }),
  receiptsPending: ofNetwork.gauge('stakewatch_icm_receipts_pending', {
    help: 'Delivered messages of the route within icm.lookback whose receipt has not come back yet (data service).',
    labels: ['route'],
  }),
  incompleteNow: ofNetwork.gauge('stakewatch_icm_messages_incomplete', {
    help: 'Listed messages that other metrics of the route leave out, by reason (data service).',
    details:
      '`untimed`: they state neither sending nor arrival and count at most as pending; `malformed`: they do not have the documented form, may be of other routes, and count nowhere.',
    labels: ['route', 'reason'],
  }),
  transitionsTotal: ofNetwork.counter('stakewatch_icm_transitions_total', {
    help: 'How often messages on the route entered a state since counting began (data service).',
    details: 'Each message enters pending once when it is sent, and once the state that follows.',
    labels: ['route', 'state'],
  }),
  abandonedTotal: ofNetwork.counter('stakewatch_icm_abandoned_total', {
    help: 'Messages that were still pending when icm.lookback ended for them, since counting began (data service).',
    labels: ['route'],
  }),
  deliverySeconds: ofNetwork.histogram('stakewatch_icm_delivery_seconds', {
    help: 'Time from sending to delivery of delivered messages; absent where the data service reports no delivery time.',
    labels: ['route'],
    buckets: [5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400],
  }),
}

const totalsType = z.object({
  states: z.record(z.enum(states), countType),
  abandoned: countType,
  delivery: histogramType(metrics.deliverySeconds),
})
type Totals = z.output<typeof totalsType>

const memory = z.object({
  /** Messages sent before this (seconds) are counted. It falls only to the present, so that none counts again. */
  floor: momentType,
  /** Counted messages: id, last known time, and state. */
  known: z.array(z.tuple([z.string(), momentType, z.enum(states)])),
  newest: believedType.optional(),
  totals: totalsType,
})
type Memory = z.output<typeof memory>

const PAGE = 100

const noTotals: Totals = {
  states: { pending: 0, delivered: 0, delivered_source_not_indexed: 0, other: 0 },
  abandoned: 0,
  delivery: emptyHistogram(metrics.deliverySeconds),
}

export const icm = defineCollector({
  name: 'icm',
  about: 'Messages between chains on the configured routes: pending, delivered, abandoned.',
  every: '5m',
  uses: [listIcmMessages, listIcmMessagesByAddress],
  metrics: Object.values(metrics),
  memory,
  subjects: ({ icm: { routes, lookback }, data_api }) =>
    data_api
      ? routes.map(({ name, from, to, address }) => {
          const id = [from, to, ...(address ? [address.toLowerCase()] : [])].join(' ')
          return { name, id, labels: {}, from, to, address, lookback, network: data_api.network }
        })
      : [],
  partOf: ({ name }) => `route/${name}`,
  // A usual route has some hundred messages within the lookback, and an address a page of them.
  estimate: ({ address }) => ({
    calls: [address === undefined ? { operation: listIcmMessages, times: 3 } : listIcmMessagesByAddress],
    series: 28,
  }),
  async collect({ subject, memory: remembered, now, pages, flawed }) {
    const { name: route, network, from, to, address, lookback } = subject
    const before = remembered ?? { floor: 0, known: [], totals: noTotals }
    const since = Math.floor((now - lookback) / 1_000)
    // A clock that was ahead is no reason to leave out what is sent until then.
    const counted = Math.min(before.floor, Math.floor(now / 1_000))
    const start = { ...before, floor: Math.max(counted, since) }
    const of = { network, pageSize: PAGE }
    const listed = address
      ? pages(listIcmMessagesByAddress, { ...of, address })
      : pages(listIcmMessages, { ...of, sourceBlockchainId: from, destinationBlockchainId: to })
    const reading = await readMessages(subject, listed, depthOf(start, since), now)
    const newest = updateTotal(newestOf(reading.messages), comparableTime(start), now)
    const refused = refusalOf(newest, 'the newest listed message is older than a previous one')
    if (refused) return { samples: [], memory: { ...start, newest }, refused }
    if (reading.isAhead) flawed(inFuture('a time of a listed message'))
    if (reading.isCut) {
      flawed(new BaseError('bad_response', 'more messages than one run reads: choose a shorter icm.lookback'))
    }
    const isFirst = before !== remembered
    // Messages older than the first run could read existed before it.
    if (isFirst && reading.isCut) start.floor = Math.max(start.floor, reading.oldest)
    const { known, totals: sums, ...current } = countMessages(start, reading.messages, since)
    const totals = isFirst ? noTotals : sums
    return {
      samples: [
        ...(reading.isCut ? [] : currentSamples(route, { ...current, malformed: reading.malformed })),
        ...totalSamples(route, totals, current),
      ],
      memory: { ...start, known, totals, newest },
    }
  },
})

/** When the newest message was sent; 0 without any. */
function newestOf(messages: ReadonlyMap<string, Listed>): bigint {
  return BigInt(messages.values().reduce((newest, { sent = 0 }) => Math.max(newest, sent), 0))
}

/** Pending messages are followed until they are done, and read once more then. */
function depthOf({ known }: Memory, since: number): number {
  return known.reduce((depth, [, at, state]) => (state === 'pending' ? Math.min(depth, at - 1) : depth), since)
}

/** Once the newest message is outside the lookback, an empty list is no step back. */
function comparableTime({ newest, floor }: Memory) {
  return newest && Number(newest.total) > floor ? newest : undefined
}

/** The messages of a route as they are now. */
interface Current {
  /** Sent within the lookback. */
  within: readonly Listed[]
  /** Messages without any known time. */
  untimed: readonly Listed[]
}

/** Messages between `since` and the floor, after a longer lookback for example, are part of the current ones only. */
function countMessages({ floor, known: before, totals }: Memory, messages: ReadonlyMap<string, Listed>, since: number) {
  const known = new Map(before.map((one) => [one[0], one]))
  const sums = { ...totals, states: { ...totals.states } }
  const [within, untimed]: [Listed[], Listed[]] = [[], []]
  const delivered: number[] = []
  for (const [id, message] of messages) {
    const [, until = 0, was] = known.get(id) ?? []
    // A message that is no longer pending stays so: a service that says otherwise lags.
    const state = message.state === 'pending' && was ? was : message.state
    // The last known time of a pending message is when it was sent.
    const time = message.time ?? (was === 'pending' ? until : undefined)
    if (time === undefined) {
      untimed.push({ ...message, state })
      continue
    }
    if (time > since) within.push({ ...message, time, state })
    if (!was && time <= floor) continue
    if (!was) sums.states.pending += 1
    if ((was ?? 'pending') === 'pending' && state !== 'pending') {
      sums.states[state] += 1
      if (isMeasured(message)) delivered.push(deliveryTime(message))
    }
    // The arrival counts as well: after a re-index it may be the only time that the service knows.
    known.set(id, [id, Math.max(until, time, message.arrived ?? 0), state])
  }
  sums.delivery = observe(metrics.deliverySeconds, totals.delivery, delivered)
  const over = [...known.values()].filter(([, until]) => until <= floor)
  sums.abandoned += over.filter(([, , state]) => state === 'pending').length
  return { known: [...known.values()].filter(([, until]) => until > floor), within, untimed, totals: sums }
}

type Measured = Listed & { sent: number; arrived: number }

/** The clocks of two chains differ, but no message arrives before it is sent. */
function deliveryTime({ sent, arrived }: Measured): number {
  return Math.max(0, arrived - sent)
}

function isMeasured(message: Listed): message is Measured {
  return message.sent !== undefined && message.arrived !== undefined
}

function currentSamples(route: string, { within, untimed, malformed }: Current & { malformed: number }): Sample[] {
  // A pending message hangs, whenever it was sent. Without a time, other messages may lie outside the lookback.
  const current = [...within, ...untimed.filter(isPending)]
  const sent = within.filter(isPending).flatMap(({ time }) => time ?? [])
  return [
    ...states.map((state) =>
      metrics.messagesNow.sample({ route, state }, current.filter((one) => one.state === state).length),
    ),
    ...metrics.oldestPending.ifKnown({ route }, sent.toSorted((a, b) => a - b)[0]),
    ...receiptSamples(route, within.filter(isDelivered)),
    metrics.incompleteNow.sample({ route, reason: 'untimed' }, untimed.length),
    metrics.incompleteNow.sample({ route, reason: 'malformed' }, malformed),
  ]
}

function isPending({ state }: Listed): boolean {
  return state === 'pending'
}

function isDelivered({ state }: Listed): boolean {
  return state === 'delivered' || state === 'delivered_source_not_indexed'
}

function receiptSamples(route: string, delivered: readonly Listed[]): Sample[] {
  if (delivered.some(({ isReceiptDelivered }) => isReceiptDelivered === undefined)) return []
  return [metrics.receiptsPending.sample({ route }, delivered.filter((one) => !one.isReceiptDelivered).length)]
}

function totalSamples(route: string, totals: Totals, { within, untimed }: Current): Sample[] {
  const delivered = [...within, ...untimed].filter(({ state }) => state === 'delivered')
  const isKnown = delivered.length === 0 || delivered.some(isMeasured)
  return [
    ...states.map((state) => metrics.transitionsTotal.sample({ route, state }, totals.states[state])),
    metrics.abandonedTotal.sample({ route }, totals.abandoned),
    ...(isKnown ? [metrics.deliverySeconds.sample({ route }, totals.delivery)] : []),
  ]
}
