// Both sides of a poll, each in a process of its own.

import { flags } from '../environment.ts'
import { start, type Started } from '../process.ts'
import type { Compared } from './floor.ts'

export const startSides = async (
  collector: Compared,
  count: number,
): Promise<readonly [ours: Started, floor: Started]> => [
  await start(new URL('side.ts', import.meta.url), ['ours', collector, count], { flags }),
  await start(new URL('side.ts', import.meta.url), ['floor', collector, count], { flags }),
]
