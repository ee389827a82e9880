// Validators that come and go: six duty cycles, in the eyes of one, two and three observers.

import { action, type Incident, type Order, pages, warns } from '../incident.ts'
import type { Scenery } from '../stage.ts'

interface DutyCycle {
  /** Seconds from one outage to the next. */
  period: number
  /** Share of the period in which it is away, 0 to 1. */
  down: number
}

type Orders = ReturnType<Incident['orders']>

/** Seconds of one step of the play. */
const STEP = 12
/** Minutes in which it comes and goes. */
const FLAPPING = 80
/** Seconds: no multiple of a minute, so that polls meet each part of it in turn. */
const PERIOD = 252

/** In steps, rounded: it is away for one of them at least, and back for one. */
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

/** One observer that validates nothing tracked, two or three. */
const OBSERVERS: Readonly<Record<1 | 2 | 3, Scenery>> = { 1: { nodes: 'bystander' }, 2: { nodes: 2 }, 3: { nodes: 3 } }

interface Cycle {
  down: number
  alerts: Incident['alerts']
}

const charlie = [{ validator: 'charlie' }]
const fills = { primary: { flapping: 'validator/Connection by observer' } } as const
/** From the minute on in which six minutes have added up. */
const unsteady = (at: number, until?: number) =>
  warns('StakewatchValidatorUnsteady', charlie, { fills, at, within: 9, ...(until && { until }) })
/** From the minute on in which half an hour has added up. */
const isFlapping = (at: number) => pages('StakewatchValidatorFlapping', charlie, { fills, at, within: 8 })

/** In steps of twelve seconds they are 5, 24, 38, 52, 76 and 95 percent. */
const CYCLES: readonly Cycle[] = [
  { down: 0.05, alerts: [] },
  { down: 0.25, alerts: [unsteady(20)] },
  { down: 0.4, alerts: [unsteady(12)] },
  // The warning makes way for the page, ten minutes after it.
  { down: 0.5, alerts: [unsteady(8, 65), isFlapping(54)] },
  { down: 0.75, alerts: [unsteady(6, 48), isFlapping(37)] },
  // Most polls in a row miss it: that is an outage, and what follows from it is no other alert.
  { down: 0.95, alerts: [pages('StakewatchValidatorDisconnected', charlie)] },
]

function sceneOf({ down, alerts }: Cycle, observers: 1 | 2 | 3): Incident {
  return {
    name: `a validator is away for ${down * 100} % of every ${PERIOD} s, in the eyes of ${observers}`,
    minutes: FLAPPING,
    scenery: OBSERVERS[observers],
    orders: ({ validators: { charlie: nodeId } }) =>
      flapping({ period: PERIOD, down }, action({ kind: 'disconnect', nodeId }), action({ kind: 'reconnect', nodeId })),
    alerts,
  }
}

/** Each duty cycle, in turns with one, two and three observers; the others take too long to be played each time. */
const scenes = CYCLES.flatMap((cycle, at) =>
  ([1, 2, 3] as const).map((observers) => ({
    incident: sceneOf(cycle, observers),
    isFirst: observers === (at % 3) + 1,
  })),
)
const scenesThat = (isFirst: boolean) => scenes.filter((one) => one.isFirst === isFirst).map(({ incident }) => incident)
export const flappingValidators: readonly Incident[] = scenesThat(true)
export const moreFlapping: readonly Incident[] = scenesThat(false)
