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
  return {
    runs: runs.map(({ ours, bare }) => ours / bare),
    figures: { ours: runs.map(({ ours }) => ours), bare: runs.map(({ bare }) => bare) },
  }
}

export const releasedRows: readonly Row[] = [
  {
    name: 'start',
    what: 'start of the release build to the first complete `/metrics`, one node, simulator already up',
    how: 'time / time of `node -e 0`',
    target: { most: 10 },
    unit: 'ratio',
    measure: (effort) => measured(() => measureStart(STARTS[effort])),
  },
  {
    name: 'memory-idle',
    what: 'memory of the release build, one node and one validator, after 10 minutes',
    how: 'RSS / RSS of a bare node process',
    target: { most: 2 },
    unit: 'ratio',
    measure: (effort) => measured(() => measureIdle(MINUTES[effort])),
  },
]
