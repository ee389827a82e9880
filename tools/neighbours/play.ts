// One daemon, its healthy network in a process of its own, and one bad neighbour for a while.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
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
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-neighbour-'))
  const children: ChildProcess[] = []
  const begin = (command: string, args: readonly string[]) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }
  const neighbour = await kind(folder)
  try {
    const simulator = begin(process.execPath, [MAIN, 'simulate'])
    const healthy = await said(simulator, /^collectors:[^]*\n(?=\S*#|$)/m)
    const file = join(folder, 'stakewatch.yml')
    const networks = neighbour.networks.map((one) => `  - ${one}\n`).join('')
    writeFileSync(
      file,
      healthy.replaceAll('//127.0.0.1:', '//healthy.example:').replace(/^collectors:/m, `${networks}collectors:`),
    )
    const flags = [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', ...neighbour.flags]
    const daemon = begin('sh', ['-c', `${neighbour.limits} exec "$0" "$@"`, process.execPath, MAIN, ...flags])
    const listening = /msg=listening address=(\S+)/
    const [, address] = listening.exec(await said(daemon, listening))!
    const url = `http://${address}`
    daemon.stdout.resume()
    daemon.stderr.resume()
    neighbour.strike(url)
    return { ...(await measure(url, neighbour.headers, seconds)), struck: await neighbour.end() }
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
  } finally {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** All that the process has said, as soon as it fits the pattern. */
async function said(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`ended: ${text}`)))
  ended.catch(() => {})
  const found = new Promise<string>((resolve) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more
        if (pattern.test(text)) resolve(text)
      })
    }
  })
  const late = wait(60_000).then(() => Promise.reject(new Error(`says nothing of ${pattern}: ${text}`)))
  late.catch(() => {})
  return Promise.race([found, ended, late])
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
