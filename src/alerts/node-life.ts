// Recording rules about nodes that bootstrap or keep going down.

import { rateLimited, refusing, STARTING, UNSTEADY, UNSTEADY_NODES } from './causes.ts'
import { lastSuccessOf, latest, type Recorded } from './rule.ts'
import { ALL_UNPLANNED, kinds, quiet, UNPLANNED } from './quiet.ts'
import type { Thresholds } from './thresholds.ts'

const askedState = lastSuccessOf('node-state')

/** Nodes that have been bootstrapping for longer than this. */
export const startingFor = (seconds: number) =>
  `(${STARTING} and on (job, network, source) ${askedState} - ${latest('stakewatch_node_state_since_timestamp_seconds')} > ${seconds})`

/**
 * Share of the last hour, or else of the last day, without an answer. One restart or one long outage does not count: it takes
 * several outages, and for the day, one in the last three hours.
 */
const shareAway = (up: string, { unsteadyHour, unsteadyDay, unsteadyOutages }: Thresholds) => `(
    (1 - avg_over_time(${up}[1h])) >= ${unsteadyHour} and resets(${up}[1h]) >= ${unsteadyOutages}
    or (1 - avg_over_time(${up}[1d])) >= ${unsteadyDay} and resets(${up}[1d]) >= ${unsteadyOutages} and resets(${up}[3h]) > 0
  )
  unless max_over_time(${up}[15m]) == 0`

/** Starts of a node within an hour, if there are too many. */
const restarting = ({ nodeRestarts }: Thresholds) =>
  `round(${latest('increase(stakewatch_node_restarts_total[1h])')}) >= ${nodeRestarts}
  unless on (${kinds.node.labels}) max_over_time(${quiet('node')}[1h])`

export const recordedOfNodeLife = (limits: Thresholds): readonly Recorded[] => [
  /** Below 1: share of the time without an answer. From 1 on: number of starts. */
  {
    record: UNSTEADY,
    expr: `${restarting(limits)}
or ${shareAway(UNPLANNED, limits)}
  unless on (job, network, source) (${refusing()} or ${rateLimited(limits)})`,
  },
  /** Share of the time in which no node of the network answered. */
  { record: UNSTEADY_NODES, expr: shareAway(ALL_UNPLANNED, limits) },
]
