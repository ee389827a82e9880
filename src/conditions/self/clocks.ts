// The clock of this instance, compared with the clocks of upstreams.

import { type Condition, OK, problem } from '../condition.ts'
import { median } from '../../lib/statistics.ts'
import { MINUTE } from '../../lib/seconds.ts'
import { type View, viewOf } from '../view.ts'

/** How far the clock of stakewatch is ahead of the upstream's (seconds). */
export const AHEAD = 'stakewatch_upstream_clock_offset_seconds'

export const CLOCK_READS = [AHEAD]

export const offText = `{{ if gt $value 0.0 }}fast{{ else }}slow{{ end }} by {{ humanizeDuration $value | reReplaceAll "^-" "" }}`

/** The offsets from all upstreams of the instance, in any network. */
const offsets = (instance: View): readonly number[] =>
  [...instance.round.board.things('node')].flatMap((thing) =>
    viewOf(instance.round, thing)
      .all(AHEAD)
      .map(({ value }) => value),
  )

/** More than half of the upstreams differ in the same direction. */
export function isOwnClockWrong(instance: View): boolean {
  const all = instance.fact(offsets)
  const { clockWrong } = instance.limits
  const share = (isOff: (offset: number) => boolean) => all.filter((offset) => isOff(offset)).length / all.length
  return share((offset) => offset > clockWrong) > 0.5 || share((offset) => offset < -clockWrong) > 0.5
}

export const clockWrong: Condition = {
  alert: 'StakewatchClockWrong',
  panel: 'self: Clock ahead of upstreams',
  severity: 'warning',
  for: 5 * MINUTE,
  reads: CLOCK_READS,
  judge: {
    instance: (view) => (view.fact(isOwnClockWrong) ? problem(median(view.fact(offsets))!) : OK),
  },
  title: 'stakewatch has a wrong clock',
  summary: 'The clock of the machine that runs stakewatch is wrong.',
  action: 'Start the time synchronization of the machine of {{ $labels.instance }}.',
  description: `The clock of stakewatch on {{ $labels.instance }} is ${offText}, by most upstreams. Until you correct it, stakewatch uses the time of the upstreams.`,
}
