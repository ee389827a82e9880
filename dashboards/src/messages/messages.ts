// Messages between chains: whether they arrive, and whether enough validators sign them.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { dashboard } from '../dashboard.ts'
import { toPanel } from '../links.ts'
import { countBad, bars, byState, graph, NONE, RATHER_NONE, tile, timeline } from '../panels.ts'
import { ofNetwork, quantileOf, ROUTE, whole } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { firingTable, texts } from '../firing.ts'
import { messageLag } from './lag.ts'
import { COUNT, SECONDS } from '../units.ts'

const { age, came, grown, least, one } = ofNetwork
const STATES = `${ROUTE}, state`
const COLOURS = {
  pending: 'purple',
  delivered: 'green',
  delivered_source_not_indexed: 'yellow',
  other: 'orange',
} as const
const PROBE = 'network, probe'
const oldest = age(ROUTE, 'icm_oldest_pending_timestamp_seconds')
const pending = one(ROUTE, 'icm_messages', 'state="pending"')
const incomplete = `sum by (${ROUTE}) (${one(`${ROUTE}, reason`, 'icm_messages_incomplete')})`
const abandoned = whole(grown(ROUTE, 'icm_abandoned_total'))
const signed = least(PROBE, 'signature_aggregation_success')

/** Messages that entered one of the states in the time shown. */
const moved = (states: string) =>
  `sum by (${ROUTE}) (${whole(grown(STATES, 'icm_transitions_total', `state=~"${states}"`))})`
const delivered = (quantile: number) => quantileOf(quantile, grown(`${ROUTE}, le`, 'icm_delivery_seconds_bucket'))
const toRoutes = toPanel('messages', 'Routes')

const first = [
  firingTable({
    title: 'Alerts about messages',
    about: 'messages between chains',
    height: 6,
    of: [['route!=""'], ['probe!=""']],
  }),
  messageLag(ofNetwork, toPanel('messages', 'Oldest pending message of routes', 'network')),
  tile(
    { title: 'Pending', description: 'Undelivered messages on all routes.', unit: COUNT },
    { expr: `sum(${pending})`, marks: ['purple'], to: toRoutes },
  ),
  tile(
    {
      title: 'Abandoned',
      description: 'Messages that were still undelivered when icm.lookback ended, in the time shown.',
      unit: COUNT,
    },
    { expr: `sum(${abandoned})`, marks: NONE, to: toRoutes },
  ),
  tile(
    {
      title: 'Receipts due',
      description: 'Delivered messages whose receipt has not reached the sending chain.',
      unit: COUNT,
    },
    { expr: `sum(${one(ROUTE, 'icm_receipts_pending')})`, marks: ['purple'], to: toRoutes },
  ),
  tile(
    {
      title: 'Incomplete',
      description: 'Messages listed without a time or in an unreadable form, which no other number includes.',
      unit: COUNT,
    },
    { expr: `sum(${incomplete})`, marks: RATHER_NONE, to: toRoutes },
  ),
  tile(
    {
      title: 'Not signed',
      description: 'Probes whose message too few validators signed.',
      unit: COUNT,
    },
    {
      expr: countBad(`${signed} == bool 0`),
      names: ['probe'],
      marks: NONE,
      to: toPanel('messages', 'Signatures of validators'),
    },
  ),
  table({
    text: {
      title: 'Routes',
      description:
        'Messages on each configured route. Pending and receipts: sent within icm.lookback. Incomplete: listed without a time or unreadable, so that other columns leave them out. Other columns: in the time shown; p50 and p95 are percentiles of the delivery time.',
    },
    height: 8,
    keys: [{ label: 'route', title: 'Route' }, NETWORK_KEY],
    rows: pending,
    columns: [
      { title: 'Pending', expr: pending, unit: COUNT },
      { title: 'Oldest', expr: oldest, unit: SECONDS, marks: ['text', [thresholds.messagePending, 'red']] },
      { title: 'Receipts due', expr: one(ROUTE, 'icm_receipts_pending'), unit: COUNT },
      { title: 'Incomplete', expr: incomplete, unit: COUNT, marks: ['text', [1, 'orange']] },
      { title: 'Sent', expr: moved('pending'), unit: COUNT },
      { title: 'Delivered', expr: moved('delivered.*'), unit: COUNT },
      { title: 'Abandoned', expr: abandoned, unit: COUNT, marks: ['text', [1, 'red']] },
      { title: 'p50', expr: delivered(0.5), unit: SECONDS },
      { title: 'p95', expr: delivered(0.95), unit: SECONDS },
    ],
    sortBy: ['Route'],
    first: ['Route', 'Pending', 'Oldest'],
  }),
]

const overTime = [
  graph(
    {
      title: 'Oldest pending message of routes',
      description: 'Time since it was sent. A climbing line means that the relayer does not or cannot work.',
      unit: SECONDS,
    },
    [['{{route}} {{network}}', oldest]],
    { limits: [[thresholds.messagePending, 'red']] },
  ).min(0),
  graph(
    {
      title: 'Messages by state',
      description: 'Messages sent on each route within icm.lookback, by current state.',
      unit: COUNT,
    },
    [['{{route}} {{network}} {{state}}', one(STATES, 'icm_messages')]],
    { isStacked: true, colours: COLOURS },
  ).decimals(0),
  byState(
    bars(
      {
        title: 'Message state changes',
        description: 'Messages that were sent (pending) or entered another state, per step of the graph.',
        unit: COUNT,
      },
      '10m',
      [['{{route}} {{network}} {{state}}', whole(came(STATES, 'icm_transitions_total'))]],
    ),
    COLOURS,
  ),
  timeline(
    {
      title: 'Signatures of validators',
      description:
        'Whether validators of enough weight signed the message of each probe. A gap: it could not be tried.',
    },
    { 1: ['enough', 'green'], 0: ['TOO FEW', 'red'] },
    [['{{probe}} {{network}}', signed]],
    { columns: 12 },
  ),
  graph(
    {
      title: 'Time to gather signatures',
      description: "Time that the data service took for each probe's message; empty if there were too few signatures.",
      unit: SECONDS,
    },
    [['{{probe}} {{network}}', one(PROBE, 'signature_aggregation_duration_seconds')]],
    { columns: 24 },
  ).min(0),
]

export const messages = dashboard(
  {
    page: 'messages',
    subjects: ['route', 'probe'],
    title: 'Messages',
    description: 'Messages between chains: whether they arrive and are signed.',
    texts,
  },
  ofNetwork,
  { 'What needs attention': first, History: overTime },
)
