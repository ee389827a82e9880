// How long the release build takes from its start to the first complete /metrics, against a Node.js that does nothing.

import { daemon, ended, firstComplete, oneNode, run } from './one-node.ts'

interface StartRun {
  /** Milliseconds. */
  ours: number
  bare: number
}

export async function measureStart(runs: number): Promise<readonly StartRun[]> {
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
        one = { ours: performance.now() - before, bare }
      } finally {
        await ended(running)
      }
      if (at >= 0) done.push(one)
    }
  } finally {
    await node.end()
  }
  return done
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
