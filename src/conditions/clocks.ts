// The clocks of upstreams, compared with the clock of this instance.

import { type Condition, NOT_APPLICABLE, OK, problem } from './condition.ts'
import { median } from '../lib/median.ts'
import { MINUTE } from '../lib/seconds.ts'
import type { View } from './view.ts'

/** How far the clock of stakewatch is ahead of the upstream's (seconds). */
const AHEAD = 'stakewatch_upstream_clock_offset_seconds'

const CLOCK_READS = [AHEAD]

const offText = `{{ if gt $value 0.0 }}fast{{ else }}slow{{ end }} by {{ humanizeDuration $value | reReplaceAll "^-" "" }}`

/** The offsets from all upstreams of the instance, in any network. */
const offsets = (instance: View): readonly number[] =>
  [...instance.round.board.things('node')].flatMap(({ readings }) =>
    (readings.get(AHEAD) ?? []).map(({ value }) => value),
  )

/** More than half of the upstreams differ in the same direction. */
function isOwnClockWrong(instance: View): boolean {
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
  title: '{{ $labels.source }}: clock is wrong',
  summary: 'The clock of an upstream is wrong.',
  action: 'Start the time synchronization of the machine of {{ $labels.source }}.',
  description: `The clock of {{ $labels.source }} on {{ $labels.network }} is ${offText}, while most upstreams agree with the clock of stakewatch. A node with a wrong clock may reject blocks and lose uptime.`,
}
