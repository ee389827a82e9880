// What stakewatch says about itself. These metrics do not expire: they disappear with what they are about.

import { type Jump, jumps } from '../lib/clock.ts'
import { ofDaemon, ofDrill, type Sample } from '../metrics/define.ts'
import { judgeMetrics } from './judge-metrics.ts'
import { requestMetrics } from './request-metrics.ts'
import { runMetrics } from './run-metrics.ts'

/** Of the poller as a whole. */
const ofPoller = {
  seriesDropped: ofDaemon.counter('stakewatch_series_dropped_total', {
    help: "Series dropped as duplicates within a run or beyond a collector's max_series.",
  }),
  clockJumps: ofDaemon.counter('stakewatch_clock_jumps_total', {
    help: "Clock jumps: the machine's clock was set (back, forward), or everything stood still (pause).",
    details: 'A sleep of the machine can also look like `forward`; everything is polled again after a jump.',
    labels: ['direction'],
  }),
}

export const drillMetric = ofDrill.gauge('stakewatch_drill', {
  help: 'Always 1 while a drill is going on, which tests that pages arrive; nothing is wrong.',
  details: 'Has only the labels that the drill was given; each drill has its own `began`.',
  labels: ['severity', 'began'],
})

export const daemonMetrics = [
  ...runMetrics,
  ...requestMetrics,
  ...Object.values(ofPoller),
  drillMetric,
  ...judgeMetrics,
]

export function noPolling() {
  return { seriesDropped: 0, jumps: { back: 0, forward: 0, pause: 0 } satisfies Record<Jump, number> }
}

export function pollerSamples(state: ReturnType<typeof noPolling>): Sample[] {
  return [
    ofPoller.seriesDropped.sample({}, state.seriesDropped),
    ...jumps.map((direction) => ofPoller.clockJumps.sample({ direction }, state.jumps[direction])),
  ]
}
