// How long the release build takes from its start to the first complete /metrics, against a Node.js that does nothing.

import { daemon, ended, firstComplete, oneNode, run, spent } from './one-node.ts'
import { median } from './statistics.ts'

export interface StartRun {
  /** Milliseconds. */
  ours: number
  bare: number
  /** Milliseconds of CPU time, of both threads, until then. */
  oursCpu: number
}

/** Milliseconds as medians, and their ratio; `runs` has every one. */
export async function measureStart(
  runs = 15,
): Promise<{ ours: number; bare: number; ratio: number; runs: readonly StartRun[] }> {
  const node = await oneNode()
  const done: StartRun[] = []
  try {
    // The first of each reads its files from the disk.
    for (let at = -1; at < runs; at += 1) {
      const bare = await timed(bareNode)
      const before = performance.now()
      const running = daemon(node)
      let one: StartRun
      try {
        await firstComplete(running)
        one = { ours: performance.now() - before, bare, oursCpu: spent(running).cpu }
      } finally {
        await ended(running)
      }
      if (at >= 0) done.push(one)
    }
  } finally {
    await node.end()
  }
  const [ours, bare] = [median(done.map((one) => one.ours)), median(done.map((one) => one.bare))]
  return { ours, bare, ratio: ours / bare, runs: done }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

function bareNode(): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  run('-e', '0').child.once('exit', resolve)
  return promise
}

if (import.meta.main) {
  const { ours, bare, ratio, runs } = await measureStart()
  const range = (of: (one: StartRun) => number) =>
    `${Math.round(Math.min(...runs.map(of)))} to ${Math.round(Math.max(...runs.map(of)))}`
  console.log(
    `ours ${Math.round(ours)} ms (${range((one) => one.ours)}), CPU ${median(runs.map((one) => one.oursCpu))} ms`,
  )
  console.log(`bare ${Math.round(bare)} ms (${range((one) => one.bare)}), ratio ${ratio.toFixed(1)}`)
}
