// A healthy network next to one that uses up a resource which all networks of a process share: its runs must come as they do in a
// daemon without a neighbour, which runs at the same time. Silent names are in test/e2e/names.test.ts.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { start, temporaryFolder } from '../../test/e2e/support/processes.ts'
import type { Judge, Scenario } from './runner.ts'

interface Neighbour {
  /** Further networks of the configuration: their number, and where their node is. */
  networks?: readonly [count: number, url: string]
  flags?: readonly string[]
  /** In front of the command of the daemon, for the shell. */
  limits?: string
  /** Of who is not the neighbour. */
  headers?: Record<string, string>
  /** Begins, against a daemon at this URL. */
  strike?: (url: string) => void
}

/** A server of the neighbour. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Does the work again and again, `times` at a time. */
function repeat(times: number, work: () => Promise<unknown>): void {
  const one = async () => {
    for (;;) {
      await work().catch(() => {})
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  for (let at = 0; at < times; at += 1) void one()
}

async function get(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
  return response.text()
}

const validators = Array.from({ length: 100_000 }, (_, at) => ({ nodeID: `NodeID-${at}`, weight: '1' }))
const HUGE = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { validators } })
const COSTLY = '$2y$12$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG'
/** Its password is `secret`. */
const OURS = '$2b$04$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J.'
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const silent = () => serve(() => {})

const kinds: Readonly<Record<string, (folder: string) => Promise<Neighbour>>> = {
  /** Connections and requests under way: 40 networks whose requests are never answered. */
  sockets: async () => ({ networks: [40, await silent()] }),

  /** Descriptors: more clients and upstreams than the process may have files. */
  handles: async () => ({
    networks: [40, await silent()],
    limits: 'ulimit -n 256;',
    strike(url) {
      for (let at = 0; at < 400; at += 1) connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
    },
  }),

  /** The thread pool: passwords that are wrong. */
  async threads(folder) {
    const file = join(folder, 'web.yml')
    writeFileSync(file, `basic_auth_users:\n  us: ${OURS}\n  them: ${COSTLY}\n`)
    let guess = 0
    return {
      flags: [`--web.config.file=${file}`],
      headers: { authorization: basic('us', 'secret') },
      strike: (url) => repeat(8, () => get(`${url}/metrics`, { authorization: basic('them', String((guess += 1))) })),
    }
  },

  /** The loop that polls: answers of megabytes, as fast as they are asked for. */
  polling: async () => ({
    networks: [
      4,
      await serve((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(HUGE)),
    ],
  }),

  /** The loop that serves: scrapes without a pause, and clients that read nothing. */
  serving: async () => ({
    strike(url) {
      repeat(16, () => get(`${url}/metrics`, { 'accept-encoding': 'gzip' }))
      for (let at = 0; at < 100; at += 1) {
        const slow = request(`${url}/metrics`, (response) => response.pause())
        slow.on('error', () => {}).end()
      }
    },
  }),

  /** The disk: no file may have more than eight blocks. */
  disk: async (folder) => ({ flags: [`--storage.path=${join(folder, 'storage')}`], limits: 'ulimit -f 8;' }),
}

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname

async function startDaemon(folder: string, name: string, config: string, { flags = [], limits = '' }: Neighbour) {
  const file = join(folder, `${name}.yml`)
  writeFileSync(file, config)
  const given = [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', ...flags]
  const daemon = start('sh', ['-c', `${limits} exec "$0" "$@"`, process.execPath, MAIN, ...given])
  return { end: daemon.end, url: `http://${await daemon.said(/msg=listening address=(\S+)/)}` }
}

/** What both serve; '' where one does not answer. */
type Both = readonly [alone: string, disturbed: string]
/** By task of the healthy network: its interval, its last success, and the times between its successes. */
type Tasks = Map<string, { interval: number; last: number; apart: number[] }>

/** What the start of the daemon asks at once is over by then (milliseconds). */
const SETTLED = 120_000
const LASTS = 600_000
/** A task alone is late as well where its upstream's budget makes it wait: what counts is what the neighbour adds. */
const MOST_LATE = 1.2
const ENOUGH = 3

export function createJudge(): Judge<Both> {
  const all: readonly [Tasks, Tasks] = [new Map(), new Map()]
  return {
    see(both, now) {
      for (const [at, tasks] of all.entries()) {
        for (const [, kind, labels, value] of both[at]!.matchAll(
          /^stakewatch_collector_(interval_seconds|last_success_timestamp_seconds)\{([^}]*network="fuji"[^}]*)\} (\S+)$/gm,
        )) {
          const task = tasks.get(labels!) ?? { interval: Infinity, last: 0, apart: [] }
          tasks.set(labels!, task)
          const number = Number(value)
          // A longer interval is a delay as well.
          if (kind === 'interval_seconds') task.interval = Math.min(task.interval, number)
          else if (number > task.last) {
            if (task.last > 0 && now > SETTLED) task.apart.push(number - task.last)
            task.last = number
          }
        }
      }
      return []
    },
    atLast() {
      const [alone, disturbed] = all
      const compared = [...alone].filter(([, { apart }]) => apart.length >= ENOUGH)
      if (compared.length === 0) return [{ rule: 'late', subject: 'every task', says: 'ran too seldom to be compared' }]
      return compared.flatMap(([labels, { interval, apart }]) => {
        const own = disturbed.get(labels)?.apart ?? []
        const [before, worst] = [Math.max(interval, ...apart), own.length === 0 ? Infinity : Math.max(...own)]
        if (worst <= MOST_LATE * before) return []
        return [{ rule: 'late', subject: labels, says: `came after ${worst} s, and alone after ${before} s` }]
      })
    },
  }
}

export async function neighbours(kind: string): Promise<Scenario<Both>> {
  if (!Object.hasOwn(kinds, kind)) throw new Error(`no such neighbour; there are ${Object.keys(kinds).join(', ')}`)
  const { path: folder, remove } = await temporaryFolder()
  const simulator = start(process.execPath, [MAIN, 'simulate'])
  const healthy = await simulator.said(/^([^]*^collectors:[^]*\n)(?=\S*#|$)/m)
  const neighbour = await kinds[kind]!(folder)
  const { networks: [count, at] = [0, ''], headers = {}, strike = () => {} } = neighbour
  const bad = Array.from(
    { length: count },
    (_, one) => `  - { name: bad-${one}, nodes: [{ name: a, url: "${at}" }] }\n`,
  )
  const alone = await startDaemon(folder, 'alone', healthy, {})
  const next = healthy.replace(/^collectors:/m, `${bad.join('')}collectors:`)
  const disturbed = await startDaemon(folder, 'disturbed', next, neighbour)
  const began = performance.now()
  return {
    stage: {
      now: () => performance.now() - began,
      step: () => wait(2_000),
      look: async () =>
        Promise.all([get(`${alone.url}/metrics`), get(`${disturbed.url}/metrics`, headers).catch(() => '')]),
      async end() {
        await Promise.all([alone.end(), disturbed.end(), simulator.end()])
        await remove()
      },
    },
    disturbances: [{ at: 0, name: kind, happen: () => strike(disturbed.url) }],
    judges: [createJudge()],
    until: LASTS,
    every: 0,
    figures: () => ({}),
  }
}
