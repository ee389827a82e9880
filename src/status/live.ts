// The status at this moment, from the snapshot and the configuration.

import { collectors } from '../collectors/index.ts'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../lib/clock.ts'
import type { Snapshot } from '../metrics/snapshot.ts'
import { plan, upstreams } from '../scheduler/plan.ts'
import { metricNames } from './metrics.ts'
import { createReader } from './readings.ts'
import type { Status } from './schema.ts'
import { statusOf } from './status.ts'

export interface LiveOptions {
  /** The one in force. */
  config: () => Config
  snapshot: Pick<Snapshot, 'body' | 'status' | 'errors' | 'isStalled'>
  version: string
  isSimulated: boolean
  clock: Pick<Clock, 'now'>
}

/** However many look at it, it is put together at most this often (milliseconds), and again when a series has expired. */
const REBUILD_AFTER = 1_000

export function liveStatus({ config, snapshot, version, isSimulated, clock }: LiveOptions): () => Status {
  const read = createReader()
  const startedAt = clock.now().wall / 1_000
  let planned = plannedOf(config())
  let ready: { status: Status; builtAt: number; pieces: readonly Uint8Array[] } | undefined

  return () => {
    const now = clock.now()
    const pieces = snapshot.body('text', now, metricNames)
    const isReady = ready && now.steady - ready.builtAt < REBUILD_AFTER && planned.config === config()
    if (ready && isReady && isSame(ready.pieces, pieces)) return ready.status
    if (planned.config !== config()) planned = plannedOf(config())
    const status = statusOf({
      ...planned,
      version,
      isSimulated,
      readings: read(pieces),
      rows: snapshot.status(),
      errors: snapshot.errors(),
      isStalled: snapshot.isStalled(now),
      now: now.wall / 1_000,
      startedAt,
    })
    ready = { status, builtAt: now.steady, pieces }
    return status
  }
}

function plannedOf(config: Config) {
  return { config, tasks: plan(config, collectors), sources: config.networks.flatMap(upstreams) }
}

/** Pieces are never changed, only replaced. */
function isSame(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((piece, at) => piece === b[at])
}
