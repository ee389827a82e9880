// One life of the daemon: started on the same folder each time, scraped all the time, and ended at an instant.

import { spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { scrape } from '../../test/e2e/support/scrape.ts'
import type { Instant, Orders } from './orders.ts'

export interface Place {
  folder: string
  config: string
  /** Milliseconds that the daemon's wall clock is ahead of that of the machine. */
  offset: () => number
  /** Everything that was scraped goes through here. */
  scraped: (text: string) => void
  /** A client got in without a password, while the web configuration was as it says. */
  intruded: (web: string) => void
}

interface Life {
  /** Everything it wrote to its log. */
  log: string
  scrapes: number
  /** Where it was last: see `marks` below. Empty when it had not opened its file yet. */
  mark: string
  signal: NodeJS.Signals | null
}

/** Their password is `secret`. */
const WEB = `# Who may scrape.
basic_auth_users:
  prometheus: $2b$04$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J.
  someone: $2b$04$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J.
rate_limit:
  interval: 1ms
  burst: 100000
`
const PASSWORD = { authorization: `Basic ${btoa('prometheus:secret')}` }
/** Bytes between two cuts of the web configuration; no divisor of its length. */
const STEP = 17

const preload = new URL('preload.ts', import.meta.url).href
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** After it opened its file. An instant that has not come by then does not come: there was nothing to write (milliseconds). */
const LONGEST = 2_500
/** For a life that is not to end before something is so (milliseconds). */
const PATIENCE = 60_000

/** Lives until the instant, or until `until` is true of a scrape. */
export async function live(
  place: Place,
  instant: Instant | undefined,
  until?: (text: string, log: string) => Promise<boolean>,
) {
  const [marks, web] = [`${place.folder}.marks`, `${place.folder}.web.yml`]
  writeFileSync(marks, '')
  writeFileSync(web, WEB)
  const orders: Orders = { offset: place.offset(), instant, marks }
  const args = ['--import', preload, main, `--config.file=${place.config}`, `--storage.path=${place.folder}`]
  const child = spawn(process.execPath, [...args, `--web.config.file=${web}`, '--web.listen-address=127.0.0.1:0'], {
    env: { ...process.env, KILL_ORDERS: JSON.stringify(orders), NODE_COMPILE_CACHE: `${place.folder}.cache` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const life: Life = { log: '', scrapes: 0, mark: '', signal: null }
  child.stderr.setEncoding('utf8').on('data', (text: string) => (life.log += text))
  const exit = new Promise<void>((resolve) =>
    child.once('exit', (_, signal) => {
      life.signal = signal
      resolve()
    }),
  )
  let timer: NodeJS.Timeout | undefined
  const insist = () => void child.kill('SIGKILL')
  try {
    while (child.exitCode === null && child.signalCode === null) {
      const port = /address=127\.0\.0\.1:(\d+)/.exec(life.log)?.[1]
      // However long it takes to start on a machine that has other things to do.
      if (statSync(marks).size > 0)
        timer ??= setTimeout(
          insist,
          until ? PATIENCE : instant?.phase === 'any' ? instant.microseconds / 1_000 : LONGEST,
        )
      const url = `http://127.0.0.1:${port}/metrics`
      const text = port && (await scrape(url, PASSWORD).catch(() => undefined))
      if (text) {
        life.scrapes += 1
        place.scraped(text)
        if (await isOpen(url)) place.intruded(readFileSync(web, 'utf8'))
        // The file is cut off elsewhere each time, and whole again for the next life.
        writeFileSync(web, WEB.slice(0, (life.scrapes * STEP) % WEB.length))
        if (until && (await until(text, life.log))) child.kill('SIGKILL')
        if (instant?.phase === 'close' && life.log.includes('every task has been attempted')) child.kill('SIGTERM')
      }
      await Promise.race([exit, wait(40)])
    }
  } finally {
    // Also when a comparison throws.
    insist()
  }
  await exit
  clearTimeout(timer)
  life.mark = readFileSync(marks, 'utf8').at(-1) ?? ''
  return life
}

/** Whether it answers without a password. */
async function isOpen(url: string): Promise<boolean> {
  return scrape(url).then(
    () => true,
    () => false,
  )
}
