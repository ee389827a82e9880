// Messages between chains: whether they arrive, and whether enough validators sign.

import { graph, table, timeline } from '../panels.ts'
import { ofFleet, one, ROUTE, select } from '../select.ts'

const STATES = `${ROUTE}, state`
const PROBE = 'network, probe'
const DELIVERY = 'stakewatch_icm_delivery_seconds_bucket'
const oldest = ofFleet.age(ROUTE, 'stakewatch_icm_oldest_pending_timestamp_seconds')

/** Messages that came into one of the states in the time shown. */
const came = (states: string) =>
  `sum by (${ROUTE}) (${ofFleet.grown(STATES, 'stakewatch_icm_transitions_total', `state=~"${states}"`)})`
const delivered = (quantile: number) => `histogram_quantile(${quantile}, ${ofFleet.grown(`${ROUTE}, le`, DELIVERY)})`

export const messages = [
  table({
    text: {
      title: 'Routes',
      description:
        'Messages on each configured route. Pending and receipts: of those that were sent within icm.lookback. Incomplete: listed without a time or not in the documented form, so that other columns leave them out. The rest: of the time shown; half of the deliveries took no longer than p50, nineteen of twenty no longer than p95.',
    },
    height: 6,
    keys: [
      ['route', 'Route'],
      ['network', 'Network'],
    ],
    columns: [
      { title: 'Pending', expr: one(ROUTE, 'stakewatch_icm_messages', 'state="pending"') },
      { title: 'Oldest', expr: oldest, unit: 's' },
      { title: 'Receipts missing', expr: one(ROUTE, 'stakewatch_icm_receipts_pending') },
      {
        title: 'Incomplete',
        expr: `sum by (${ROUTE}) (${one(`${ROUTE}, reason`, 'stakewatch_icm_messages_incomplete')})`,
        marks: ['text', [1, 'orange']],
      },
      { title: 'Sent', expr: came('pending'), unit: 'short' },
      { title: 'Delivered', expr: came('delivered.*'), unit: 'short' },
      {
        title: 'Abandoned',
        expr: ofFleet.grown(ROUTE, 'stakewatch_icm_abandoned_total'),
        unit: 'short',
        marks: ['text', [0.5, 'red']],
      },
      { title: 'Delivery p50', expr: delivered(0.5), unit: 's' },
      { title: 'Delivery p95', expr: delivered(0.95), unit: 's' },
    ],
    sortBy: ['Route'],
  }),
  graph(
    {
      title: 'Messages by state',
      description: 'Messages that were sent on each route within icm.lookback, by the state they are in.',
      unit: 'none',
    },
    8,
    [['{{network}} {{route}} {{state}}', one(STATES, 'stakewatch_icm_messages')]],
  ).min(0),
  graph(
    {
      title: 'Oldest pending message of routes',
      description: 'Time since it was sent. A line that climbs is a relayer that does nothing, or cannot.',
      unit: 's',
    },
    8,
    [['{{network}} {{route}}', oldest]],
  ).min(0),
  graph(
    {
      title: 'Messages that change their state',
      description: 'Messages per minute that were sent (into pending) and that came into another state.',
      unit: 'short',
    },
    8,
    [['{{network}} {{route}} {{state}}', `${ofFleet.perSecond(STATES, 'stakewatch_icm_transitions_total')} * 60`]],
  ).min(0),
  timeline(
    {
      title: 'Signatures of validators',
      description:
        'Whether validators of enough weight signed the message of each probe. A gap: it could not be tried.',
    },
    12,
    { 1: ['enough', 'green'], 0: ['TOO FEW', 'red'] },
    [['{{network}} {{probe}}', `min by (${PROBE}) (${select('stakewatch_signature_aggregation_success')})`]],
  ),
  graph(
    {
      title: 'Time to gather signatures',
      description: 'How long the data service took for the message of each probe; empty when they were too few.',
      unit: 's',
    },
    12,
    [['{{network}} {{probe}}', one(PROBE, 'stakewatch_signature_aggregation_duration_seconds')]],
  ).min(0),
]
