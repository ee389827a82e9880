// The current status of the public page, from the snapshot and the configuration.

import { ageOf, type Moment } from '../../lib/clock.ts'
import { ownConfig } from '../../scheduler/shard.ts'
import type { LiveOptions } from './live.ts'
import { publicMetricNames, type PublicStatus, publicStatusOf } from './public.ts'

/** Milliseconds between rebuilds, however many visitors there are; a reload or a withdrawal of data rebuilds at once. */
const REBUILD_AFTER = 5_000

/** Undefined where the configuration has no public page. */
export function livePublicStatus(
  options: Omit<LiveOptions, 'version' | 'judged' | 'instance'>,
): () => PublicStatus | undefined {
  const { config, shard, snapshot, readings, turnsOf, isSimulated, clock } = options
  let ready: { status: PublicStatus; state: readonly unknown[]; builtAt: Moment } | undefined

  return () => {
    const now = clock.now()
    const whole = config()
    const state = [whole, snapshot.isStalled(now), snapshot.withdrawals(now)]
    if (!whole.public) return undefined
    const isSame = ready?.state.every((one, at) => one === state[at])
    if (ready && isSame && ageOf(ready.builtAt, now) < REBUILD_AFTER) return ready.status
    const published = snapshot.isStalled(now) ? new Map() : readings(publicMetricNames)
    const status = publicStatusOf({
      config: ownConfig(whole, shard),
      page: whole.public,
      readings: published,
      turnsOf,
      isSimulated,
      now: now.wall / 1_000,
    })
    ready = { status, state, builtAt: now }
    return status
  }
}
