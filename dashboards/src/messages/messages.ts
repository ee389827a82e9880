// Messages between chains: whether they arrive, and whether enough validators sign.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { dashboard } from '../dashboard.ts'
import { toPanel } from '../links.ts'
import { bars, graph, NONE, RATHER_NONE, tile, timeline } from '../panels.ts'
import { ofNetwork, ROUTE, whole } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { COUNT, SECONDS } from '../units.ts'

const { age, came, grown, least, one } = ofNetwork
const STATES = `${ROUTE}, state`
const PROBE = 'network, probe'
const oldest = age(ROUTE, 'icm_oldest_pending_timestamp_seconds')
const pending = one(ROUTE, 'icm_messages', 'state="pending"')
const incomplete = `sum by (${ROUTE}) (${one(`${ROUTE}, reason`, 'icm_messages_incomplete')})`
const abandoned = whole(grown(ROUTE, 'icm_abandoned_total'))
const signed = least(PROBE, 'signature_aggregation_success')
const PENDING = ['green', [thresholds.messagePending, 'red']] as const

/** Messages that came into one of the states in the time shown. */
const moved = (states: string) =>
  `sum by (${ROUTE}) (${whole(grown(STATES, 'icm_transitions_total', `state=~"${states}"`))})`
const delivered = (quantile: number) =>
  `histogram_quantile(${quantile}, ${grown(`${ROUTE}, le`, 'icm_delivery_seconds_bucket')})`
const toRoutes = toPanel('messages', 'Routes')

const first = [
  tile(
    {
      title: 'Message age',
      description: 'Time since the oldest message was sent that is not delivered yet.',
      unit: SECONDS,
    },
    {
      expr: `topk(1, ${oldest})`,
      marks: PENDING,
      legend: '{{network}} {{route}}',
      to: toPanel('messages', 'Oldest pending message of routes', 'network'),
    },
  ),
  tile(
    { title: 'Pending', description: 'Messages that are not delivered yet, on all routes.', unit: COUNT },
    { expr: `sum(${pending})`, marks: ['blue'], to: toRoutes },
  ),
  tile(
    {
      title: 'Abandoned',
      description: 'Messages in the time shown that were still not delivered when icm.lookback was over.',
      unit: COUNT,
    },
    { expr: `sum(${abandoned})`, marks: NONE, to: toRoutes },
  ),
  tile(
    {
      title: 'Receipts due',
      description: 'Messages that were delivered and of which the sending chain has no receipt yet.',
      unit: COUNT,
    },
    { expr: `sum(${one(ROUTE, 'icm_receipts_pending')})`, marks: ['blue'], to: toRoutes },
  ),
  tile(
    {
      title: 'Incomplete',
      description: 'Messages that are listed without a time or not in the documented form, and are in no other number.',
      unit: COUNT,
    },
    { expr: `sum(${incomplete})`, marks: RATHER_NONE, to: toRoutes },
  ),
  tile(
    {
      title: 'Not signed',
      description: 'Probes for whose message too few validators signed.',
      unit: COUNT,
    },
    { expr: `sum(${signed} == bool 0)`, marks: NONE, to: toPanel('messages', 'Signatures of validators') },
  ),
  table({
    text: {
      title: 'Routes',
      description:
        'Messages on each configured route. Pending and receipts: of those that were sent within icm.lookback. Incomplete: listed without a time or not in the documented form, so that other columns leave them out. The rest: of the time shown; half of the deliveries took no longer than p50, nineteen of twenty no longer than p95.',
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
  }),
]

const overTime = [
  graph(
    {
      title: 'Oldest pending message of routes',
      description: 'Time since it was sent. A line that climbs is a relayer that does nothing, or cannot.',
      unit: SECONDS,
    },
    [['{{network}} {{route}}', oldest]],
    { limits: [[thresholds.messagePending, 'red']] },
  ).min(0),
  graph(
    {
      title: 'Messages by state',
      description: 'Messages that were sent on each route within icm.lookback, by the state they are in.',
      unit: COUNT,
    },
    [['{{network}} {{route}} {{state}}', one(STATES, 'icm_messages')]],
    { isStacked: true },
  ).decimals(0),
  bars(
    {
      title: 'Messages that change their state',
      description: 'Messages that were sent (into pending) or came into another state, in each step of the graph.',
      unit: COUNT,
    },
    '10m',
    [['{{network}} {{route}} {{state}}', whole(came(STATES, 'icm_transitions_total'))]],
  ),
  timeline(
    {
      title: 'Signatures of validators',
      description:
        'Whether validators of enough weight signed the message of each probe. A gap: it could not be tried.',
    },
    { 1: ['enough', 'green'], 0: ['TOO FEW', 'red'] },
    [['{{network}} {{probe}}', signed]],
    { columns: 12 },
  ),
  graph(
    {
      title: 'Time to gather signatures',
      description: 'How long the data service took for the message of each probe; empty when they were too few.',
      unit: SECONDS,
    },
    [['{{network}} {{probe}}', one(PROBE, 'signature_aggregation_duration_seconds')]],
  ).min(0),
]

export const messages = dashboard(
  {
    page: 'messages',
    subjects: ['route', 'probe'],
    title: 'Messages',
    description: 'Messages between chains: whether they arrive, and whether enough validators sign them.',
  },
  ofNetwork,
  { 'What needs attention': first, 'How it developed': overTime },
)
