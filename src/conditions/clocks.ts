// The clocks of upstreams, compared with the clock of this instance.

import { type Condition, NOT_APPLICABLE, OK, problem } from './condition.ts'
import { MINUTE } from '../lib/seconds.ts'
import type { View } from './view.ts'

/** How far the clock of stakewatch is ahead of the upstream's (seconds). */
const AHEAD = 'stakewatch_upstream_clock_offset_seconds'

const CLOCK_READS = [AHEAD]

/** The offsets from all upstreams of the instance, in any network. */
const offsets = (instance: View): readonly number[] =>
  [...instance.round.board.things('node')].flatMap(({ readings }) =>
    (readings.get(AHEAD) ?? []).map(({ value }) => value),
  )

/** The clock of this instance is wrong: more than half of the upstreams differ in the same direction. */
function isOwnClockWrong(instance: View): boolean {
  const all = instance.fact(offsets)
  const { clockWrong } = instance.limits
  const share = (isOff: (offset: number) => boolean) => all.filter((offset) => isOff(offset)).length / all.length
  return share((offset) => offset > clockWrong) > 0.5 || share((offset) => offset < -clockWrong) > 0.5
}

export const upstreamClockWrong: Condition = {
  alert: 'StakewatchUpstreamClockWrong',
  panel: 'self: Clock ahead of upstreams',
  severity: 'warning',
  for: 5 * MINUTE,
  reads: CLOCK_READS,
  judge: {
    node(view) {
      const ahead = view.value(AHEAD)
      if (ahead === undefined) return NOT_APPLICABLE
      return Math.abs(ahead) > view.limits.clockWrong && !view.of('instance').fact(isOwnClockWrong)
        ? problem(-ahead)
        : OK
    },
  },
  summary: 'The clock of an upstream is wrong.',
  description:
    'The clock of {{ $labels.source }} on {{ $labels.network }} is off by {{ humanizeDuration $value }} (positive: fast, negative: slow), while most upstreams agree with the clock of stakewatch. A node with a wrong clock may reject blocks and lose uptime.',
}
