// The ids of panels.

import { hash32 } from '../../src/lib/hash.ts'

/** Made of the title, so that links to a panel and the diffs of the others survive a panel that comes or goes. */
export function idOf(title: string): number {
  return (hash32(title) % 1_000_000_000) + 1
}
