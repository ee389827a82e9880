// The daemon under test: the program itself as a process of its own, in a faster time.

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Time, TIME_VARIABLE } from './time.ts'

export interface Daemon {
  readonly pid: number
  readonly port: number
  /** How it ended; undefined while it runs. */
  ended(): string | undefined
  /** The last lines that it logged. */
  lines(): readonly string[]
  /** How many lines it has logged. */
  logged(): number
  /** Reports to it that its wall clock was set, and waits until it has heard: on a busy machine that takes a moment. */
  sendTime(): Promise<void>
  signal(name: NodeJS.Signals): void
  kill(): Promise<void>
  /** Bytes in memory, and open handles; undefined when it is gone. */
  uses(): { rss: number; handles: number } | undefined
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const FAST_TIME = new URL('./fast-time.ts', import.meta.url).href
const KEPT_LINES = 400

/** Resolves when it listens. */
export async function startDaemon(time: Time, args: readonly string[]): Promise<Daemon> {
  const settings = JSON.stringify(time.settings())
  const flags = ['serve', '--web.listen-address=127.0.0.1:0', '--log.format=json', ...args]
  const child = spawn(process.execPath, ['--import', FAST_TIME, MAIN, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, [TIME_VARIABLE]: settings, NODE_OPTIONS: '' },
  })
  const lines: string[] = []
  let count = 0
  let end: string | undefined
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      end = `ended with ${code === null ? `signal ${signal}` : `code ${code}`}`
      resolve()
    })
  })
  const listening = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      count += 1
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
      const [, port] = /"address":"127\.0\.0\.1:(\d+)"/.exec(line) ?? []
      if (port !== undefined) resolve(Number(port))
    })
    void exited.then(() => reject(new Error(`the daemon ${end}: ${lines.join('\n')}`)))
  })
  const port = await listening
  const pid = child.pid!
  return {
    pid,
    port,
    ended: () => end,
    lines: () => lines,
    logged: () => count,
    async sendTime() {
      if (!child.connected) return
      const heard = new Promise((resolve) => child.once('message', resolve))
      child.send({ offset: time.offset() }, () => {})
      await Promise.race([heard, exited])
    },
    signal: (name) => void child.kill(name),
    async kill() {
      if (end === undefined) child.kill('SIGKILL')
      await exited
    },
    uses: () => usesOf(pid),
  }
}

/**
 * Milliseconds that each thread of a process was ready to run and had no processor, by its id: time that others took, not the
 * process. Empty where the system does not tell.
 */
export function waitsOf(pid: number): ReadonlyMap<string, number> {
  const threads = new Map<string, number>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [, waited] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      threads.set(thread, Number(waited) / 1e6)
    }
  } catch {
    // It has ended, or one of its threads has.
  }
  return threads
}

/** Of the main thread. */
export const waitedFor = (pid: number): number => waitsOf(pid).get(String(pid)) ?? 0

function usesOf(pid: number): { rss: number; handles: number } | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return { rss: Number(kilobytes) * 1_024, handles: readdirSync(`/proc/${pid}/fd`).length }
  } catch {
    return undefined
  }
}
