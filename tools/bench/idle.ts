// How much memory the release build holds when it has little to do, against a Node.js that waits.

import { setTimeout as sleep } from 'node:timers/promises'
import { daemon, ended, firstComplete, oneNode, run, type Running, spent } from './one-node.ts'
import { median } from './statistics.ts'

/** How often both are looked at in the last minute: a collection of garbage may just have been, or be due. */
const LOOKS = 30

/** Medians of the resident memory in the last part of the time (MiB), and their ratio. */
export async function measureIdle(
  minutes: number,
): Promise<{ ours: number; bare: number; ratio: number; runs: readonly { ours: number; bare: number }[] }> {
  const node = await oneNode()
  const both: Running[] = [daemon(node), run('-e', 'setInterval(() => {}, 1_000)')]
  try {
    await firstComplete(both[0]!)
    const last = Math.min(minutes / 2, 1) * 60_000
    await sleep(minutes * 60_000 - last)
    const runs: { ours: number; bare: number }[] = []
    for (let at = 0; at < LOOKS; at += 1) {
      await sleep(last / LOOKS)
      const [ours, bare] = both.map((one) => spent(one).rss)
      runs.push({ ours: ours!, bare: bare! })
    }
    const [ours, bare] = [median(runs.map((one) => one.ours)), median(runs.map((one) => one.bare))]
    return { ours, bare, ratio: ours / bare, runs }
  } finally {
    for (const one of both) await ended(one)
    await node.end()
  }
}

if (import.meta.main) {
  const minutes = Number(process.argv[2] ?? 10)
  const { ours, bare, ratio, runs } = await measureIdle(minutes)
  const all = runs.map((one) => one.ours)
  console.log(
    `after ${minutes} minutes: ours ${ours.toFixed(1)} MiB (${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)}), bare ${bare.toFixed(1)} MiB, ratio ${ratio.toFixed(2)}`,
  )
}
