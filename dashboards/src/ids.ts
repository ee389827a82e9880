// Ids of panels.

import { hash32 } from '../../src/lib/hash.ts'

/** Derived from the title, so that links and diffs survive when other panels come or go. */
export function idOf(title: string): number {
  return (hash32(title) % 1_000_000_000) + 1
}
