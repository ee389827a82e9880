// The drill that is going on: at most one, which ends by itself.

import { type Clock, isOver, later, type Moment } from '../lib/clock.ts'
import type { Logger } from '../logger.ts'
import { drillMetric } from '../self/daemon-metrics.ts'
import { type Family, renderFamilies } from '../metrics/exposition.ts'
import type { Begun, Drill } from '../server/drill.ts'

export type DrillState = ReturnType<typeof createDrills>

interface DrillsOptions {
  clock: Clock
  log: Logger
  /** Publishes what is going on now. */
  show: () => Promise<void>
}

interface Going {
  families: readonly Family[]
  began: string
  endsAt: Moment
}

export function createDrills({ clock, log, show }: DrillsOptions) {
  let going: Going | undefined

  function goingOn(now: Moment): Going | undefined {
    if (going && isOver(going.endsAt, now)) {
      log.info({ began: going.began }, 'the drill has ended by itself')
      going = undefined
    }
    return going
  }

  return {
    /** Served with the daemon's own metrics, so that a stalled scheduler does not end a drill. */
    families: (now: Moment): readonly Family[] => goingOn(now)?.families ?? [],
    async begin({ labels, lasts }: Drill): Promise<Begun> {
      const now = clock.now()
      const before = goingOn(now)
      if (before) return begunOf(before, now, false)
      const began = new Date(now.wall).toISOString()
      const families = renderFamilies([drillMetric.sample({ ...labels, began }, 1)])
      const begun = (going = { families, began, endsAt: later(now, lasts) })
      log.info({ ...labels, began }, 'a drill has begun')
      await show()
      return begunOf(begun, now, true)
    },
    async end(): Promise<void> {
      if (going) log.info({ began: going.began }, 'the drill was ended')
      going = undefined
      await show()
    },
  }
}

function begunOf({ began, endsAt }: Going, now: Moment, isNew: boolean): Begun {
  return { isNew, began, seconds: Math.ceil((endsAt.steady - now.steady) / 1_000) }
}
