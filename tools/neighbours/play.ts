// One daemon, its healthy network in a process of its own, and one bad neighbour for a while.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stakewatch, start, type Started, temporaryFolder } from '../../test/e2e/support/processes.ts'
import type { Kind } from './kinds.ts'

export interface Played {
  /** By task of the healthy network, the times between its runs as shares of its interval. */
  apart: ReadonlyMap<string, readonly number[]>
  /** What the neighbour came to, in its own words. */
  struck: string
}

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
/** Between two looks at the timestamps (milliseconds); the shortest interval is ten seconds. */
const LOOK = 2_000
/** What the start of the daemon asks at once is over by then (milliseconds). */
const SETTLED = 120_000

export async function play(name: string, kind: Kind, seconds: number): Promise<Played> {
  const { path: folder, remove } = await temporaryFolder()
  const started: Started[] = []
  const neighbour = await kind(folder)
  try {
    const simulator = stakewatch('simulate')
    started.push(simulator)
    const healthy = await simulator.said(/^([^]*^collectors:[^]*\n)(?=\S*#|$)/m)
    const file = join(folder, 'stakewatch.yml')
    const networks = neighbour.networks.map((one) => `  - ${one}\n`).join('')
    writeFileSync(
      file,
      healthy.replaceAll('//127.0.0.1:', '//healthy.example:').replace(/^collectors:/m, `${networks}collectors:`),
    )
    const flags = [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', ...neighbour.flags]
    const daemon = start('sh', ['-c', `${neighbour.limits} exec "$0" "$@"`, process.execPath, MAIN, ...flags])
    started.push(daemon)
    const url = `http://${await daemon.said(/msg=listening address=(\S+)/)}`
    neighbour.strike(url)
    return { ...(await measure(url, neighbour.headers, seconds)), struck: await neighbour.end() }
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
  } finally {
    await Promise.all(started.map((one) => one.end()))
    await remove()
  }
}

async function measure(url: string, headers: Record<string, string>, seconds: number): Promise<Pick<Played, 'apart'>> {
  const tasks = new Map<string, { interval: number; last: number; apart: number[] }>()
  const end = performance.now() + seconds * 1_000
  const settled = performance.now() + SETTLED
  while (performance.now() < end) {
    await wait(LOOK)
    const text = await fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(20_000) }).then(
      (response) => response.text(),
      () => '',
    )
    for (const [, kind, labels, value] of text.matchAll(
      /^stakewatch_collector_(interval_seconds|last_success_timestamp_seconds)\{([^}]*network="fuji"[^}]*)\} (\S+)$/gm,
    )) {
      const task = tasks.get(labels!) ?? { interval: Infinity, last: 0, apart: [] }
      tasks.set(labels!, task)
      const number = Number(value)
      // A longer interval is a delay as well.
      if (kind === 'interval_seconds') task.interval = Math.min(task.interval, number)
      else if (number > task.last) {
        if (task.last > 0 && performance.now() > settled) task.apart.push(number - task.last)
        task.last = number
      }
    }
  }
  const shares = [...tasks].map(([labels, { interval, apart }]) => {
    const name = labels.replaceAll(/\w+=|"|network="fuji",/g, '')
    return [name, apart.map((one) => one / interval)] as const
  })
  return { apart: new Map(shares) }
}
