// Validators and nodes that come and go. The alerts are to be filled in: these scenes are in no list of incidents yet.

import { action, fault, gone, type Incident, type Order, repair } from '../incident.ts'
import type { Scenery, Stage } from '../stage.ts'

interface DutyCycle {
  /** Seconds from one outage to the next. */
  period: number
  /** Share of the period in which it is away, 0 to 1. */
  down: number
}

type Orders = ReturnType<Incident['orders']>

/** Seconds of one step of the play. */
const STEP = 12
/** Minutes in which it comes and goes; then it stays. */
const FLAPPING = 120
/** And minutes in which it is watched then: every alert has to end. */
const CALM = 70

/**
 * In steps, rounded: a period of 80 s takes seven steps, then six, then seven. It is away for one of them at least, and back
 * for one.
 */
function outages({ period, down }: DutyCycle, minutes: number): { from: number; until: number }[] {
  const count = Math.floor((minutes * 60) / period)
  const stepAt = (seconds: number) => Math.round(seconds / STEP)
  return Array.from({ length: count }, (_, at) => {
    const [from, next] = [stepAt(at * period), stepAt((at + 1) * period)]
    const away = Math.min(Math.max(stepAt(down * period), 1), next - from - 1)
    return { from, until: from + away }
  })
}

/** The orders that take something away and bring it back in each period, from minute 0 on. */
export function flapping(cycle: DutyCycle, away: Order, back: Order, minutes = FLAPPING): Orders {
  const minuteOf = (step: number) => (step * STEP) / 60
  return Object.fromEntries(
    outages(cycle, minutes).flatMap(({ from, until }) => [
      [minuteOf(from), [away]],
      [minuteOf(until), [back]],
    ]),
  )
}

/** Who flaps: the validator charlie, the L1 validator golf or the last node. */
const flappers = {
  validator: ({ validators: { charlie } }: Stage) => away(charlie),
  'L1 validator': ({ orchard: [golf] }: Stage) => away(golf),
  node: ({ nodes }: Stage) =>
    [fault(`node-${'abc'[nodes.length - 1]!}`, gone), repair] as const satisfies readonly [Order, Order],
} as const

const away = (nodeId: string | undefined) =>
  [action({ kind: 'disconnect', nodeId }), action({ kind: 'reconnect', nodeId })] as const

/** One observer that validates nothing tracked, two or three. */
const OBSERVERS: Readonly<Record<1 | 2 | 3, Scenery>> = { 1: { nodes: 'bystander' }, 2: { nodes: 2 }, 3: { nodes: 3 } }
const PERIODS = [80, 240, 360]
const SHARES = [0.05, 0.25, 0.4, 0.5, 0.75, 0.95]

interface Scene {
  who: keyof typeof flappers
  cycle: DutyCycle
  observers: 1 | 2 | 3
}

/** A scene to which the alerts are added: `{ ...sceneOf({ … }), alerts: [ … ] }`. */
export function sceneOf({ who, cycle, observers }: Scene): Incident {
  const { period, down } = cycle
  return {
    name: `a ${who} is away for ${down * 100} % of every ${period} s, in the eyes of ${observers}`,
    minutes: FLAPPING + CALM,
    scenery: OBSERVERS[observers],
    orders: (stage) => flapping(cycle, ...flappers[who](stage)),
    alerts: [],
  }
}

/** Each duty cycle at each period, in turns with one, two and three observers. */
export const flappingValidators: readonly Incident[] = PERIODS.flatMap((period, at) =>
  SHARES.map((down, number) =>
    sceneOf({ who: 'validator', cycle: { period, down }, observers: (((at + number) % 3) + 1) as 1 | 2 | 3 }),
  ),
)
