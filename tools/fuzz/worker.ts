// The thread that fuzzes: it can be stopped from outside when a parser never ends, and its memory is bounded.

import { parentPort, workerData } from 'node:worker_threads'
import { type Covered, startCoverage } from './coverage.ts'
import type { Figures } from './parser.ts'

export interface Order {
  cases: number
  seed: number
  /** Parsers whose names hold this. */
  only: string
}

export type Report = { at: string; cases: number } | { figures: Figures } | { covered: readonly Covered[] }

const say = (report: Report) => parentPort!.postMessage(report)
const { cases, seed, only } = workerData as Order

const coverage = await startCoverage(new URL('../../', import.meta.url))
// Only now, so that what runs while it is loaded is counted as well.
const { allParsers, parserFiles } = await import('./all.ts')
const { fuzz } = await import('./parser.ts')
for (const parser of await allParsers()) {
  if (!parser.name.includes(only)) continue
  say({ figures: await fuzz(parser, cases, seed, (tried) => say({ at: parser.name, cases: tried })) })
}
say({ covered: await coverage.of(parserFiles) })
process.exit()
