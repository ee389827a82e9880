// Both sides of a poll, each in a process of its own.

import { YOUNG } from '../../../src/daemon/start-worker.ts'
import { start, type Started } from '../process.ts'
import type { Compared } from './floor.ts'

/** Both sides get the young generation of the daemon's worker; a half-space is a third of it. */
const flags = [`--max-semi-space-size=${YOUNG / 3}`]

export const startSides = async (
  collector: Compared,
  count: number,
): Promise<readonly [ours: Started, floor: Started]> => [
  await start(new URL('side.ts', import.meta.url), ['ours', collector, count], { flags }),
  await start(new URL('side.ts', import.meta.url), ['floor', collector, count], { flags }),
]
