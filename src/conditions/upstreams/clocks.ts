// The clock of one upstream, while most agree with the clock of this instance.

import { MINUTE } from '../../lib/seconds.ts'
import { type Condition, NOT_APPLICABLE, OK, problem } from '../condition.ts'
import { AHEAD, CLOCK_READS, isOwnClockWrong, offText } from '../self/clocks.ts'

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
  action:
    'Start the time synchronization of the machine of {{ $labels.source }}; if it is a service, tell its operator.',
  description: `The clock of {{ $labels.source }} on {{ $labels.network }} is ${offText}, while most upstreams agree with the clock of stakewatch. A node with a wrong clock may reject blocks and lose uptime.`,
}
