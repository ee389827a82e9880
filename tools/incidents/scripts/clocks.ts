// What happens to clocks.

import { fault, type Incident, warns } from '../incident.ts'

const MINUTES = 60_000
const fast = (seconds: number) => fault('node-b', { kind: 'clock', seconds })

const ours = (name: string, skew: number): Incident => ({
  name,
  minutes: 25,
  orders: () => ({ 0: [{ skew }] }),
  alerts: [
    warns('StakewatchClockWrong', [{ instance: 'stakewatch:19650' }], {
      fills: { self: { contradicted: 'self/Clock ahead of upstreams' } },
    }),
  ],
})

const theirs = (name: string, seconds: number): Incident => ({
  name,
  minutes: 25,
  orders: () => ({ 0: [fast(seconds)] }),
  alerts: [
    warns('StakewatchUpstreamClockWrong', [{ source: 'node-b' }], {
      fills: { node: { unhealthy: 'self/Clock ahead of upstreams' } },
    }),
  ],
})

export const clocks: readonly Incident[] = [
  ours('the clock of stakewatch is ten minutes fast', 10 * MINUTES),
  ours('the clock of stakewatch is ten minutes slow', -10 * MINUTES),
  theirs('the clock of one node is ten minutes fast', 600),
  theirs('the clock of one node is ten minutes slow', -600),
]
