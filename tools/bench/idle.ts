// How much memory the release build holds when it has little to do, against a Node.js that waits.

import { setTimeout as sleep } from 'node:timers/promises'
import { rssOf } from './daemon/release.ts'
import { daemon, ended, firstComplete, oneNode, run, type Running } from './one-node.ts'

/** How often both are looked at in the last minute: a collection of garbage may just have been, or be due. */
const LOOKS = 30

/** Resident memory in the last part of the time (MiB). */
export async function measureIdle(minutes: number): Promise<readonly { ours: number; bare: number }[]> {
  const node = await oneNode()
  const both: Running[] = [daemon(node), run('-e', 'setInterval(() => {}, 1_000)')]
  try {
    await firstComplete(both[0]!)
    const last = Math.min(minutes / 2, 1) * 60_000
    await sleep(minutes * 60_000 - last)
    const runs: { ours: number; bare: number }[] = []
    for (let at = 0; at < LOOKS; at += 1) {
      await sleep(last / LOOKS)
      const [ours, bare] = both.map(({ child }) => rssOf(child) / 2 ** 20)
      runs.push({ ours: ours!, bare: bare! })
    }
    return runs
  } finally {
    for (const one of both) await ended(one)
    await node.end()
  }
}
