// Start-up and idle memory of the release build, as start.ts and idle.ts measure them.

import { measureIdle } from '../idle.ts'
import type { Effort, Measured, Row } from '../row.ts'
import { measureStart } from '../start.ts'
import { isBuilt } from './release.ts'

const MINUTES: Readonly<Record<Effort, number>> = { full: 10, quick: 0.05 }
const STARTS: Readonly<Record<Effort, number>> = { full: 15, quick: 3 }

async function measured(compare: () => Promise<readonly { ours: number; bare: number }[]>): Promise<Measured> {
  if (!isBuilt()) return { leftOut: 'there is no release build: npm run build' }
  const runs = await compare()
  return { runs: runs.map(({ ours, bare }) => ours / bare) }
}

export const releasedRows: readonly Row[] = [
  {
    // Time to the first complete `/metrics`, one node, simulator already up: ours / `node -e 0`.
    name: 'start',
    target: { most: 10 },
    unit: 'ratio',
    measure: (effort) => measured(() => measureStart(STARTS[effort])),
  },
  {
    // RSS with one node and one validator after 10 minutes: ours / a bare node process.
    name: 'memory-idle',
    target: { most: 2 },
    unit: 'ratio',
    measure: (effort) => measured(() => measureIdle(MINUTES[effort])),
  },
]
