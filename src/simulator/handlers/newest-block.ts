// The time of the newest block of the P-Chain: what has happened since is in no block yet, and nodes do not report it.

import type { World } from '../world/world.ts'

/** Unix seconds. */
export function newestBlockTime({ chains }: World): number {
  return chains.P.time(chains.P.head())!
}
