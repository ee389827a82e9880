// Start-up and idle memory of the release build, as start.ts and idle.ts measure them.

import { existsSync } from 'node:fs'
import type { Effort, Row } from '../row.ts'
import { isBuilt } from './release.ts'

/** What both of them give. */
interface Compared {
  runs: readonly { ours: number; bare: number }[]
}

const MINUTES: Readonly<Record<Effort, number>> = { full: 10, quick: 0.1 }
const STARTS: Readonly<Record<Effort, number>> = { full: 15, quick: 3 }

const measures = {
  start: (module: Record<string, (times: number) => Promise<Compared>>, effort: Effort) =>
    module['measureStart']!(STARTS[effort]),
  idle: (module: Record<string, (minutes: number) => Promise<Compared>>, effort: Effort) =>
    module['measureIdle']!(MINUTES[effort]),
}

async function measured(name: keyof typeof measures, effort: Effort) {
  const file = new URL(`../${name}.ts`, import.meta.url)
  if (!existsSync(file)) return { leftOut: `there is no tools/bench/${name}.ts` }
  if (!isBuilt()) return { leftOut: 'there is no release build: npm run build' }
  const { runs } = await measures[name]((await import(file.href)) as never, effort)
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
    measure: (effort) => measured('start', effort),
  },
  {
    name: 'memory-idle',
    what: 'memory of the release build, one node and one validator, after 10 minutes',
    how: 'RSS / RSS of a bare node process',
    target: { most: 2 },
    unit: 'ratio',
    measure: (effort) => measured('idle', effort),
  },
]
