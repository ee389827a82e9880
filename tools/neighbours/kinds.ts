// Bad neighbours: each uses up one resource that all networks of a process share.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'

interface Neighbour {
  /** Flow maps of YAML. */
  networks: readonly string[]
  flags: readonly string[]
  /** In front of the command of the daemon, for the shell. */
  limits: string
  /** Of who is not the neighbour. */
  headers: Record<string, string>
  /** Begins, against a daemon at this URL. */
  strike: (url: string) => void
  /** Ends, and says what it came to. */
  end: () => Promise<string>
}

export type Kind = (folder: string) => Promise<Neighbour> | Neighbour

const nothing: Neighbour = {
  networks: [],
  flags: [],
  limits: '',
  headers: {},
  strike: () => {},
  end: () => Promise.resolve('nothing'),
}

const many = (count: number, url: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `{ name: bad-${at}, nodes: [{ name: a, url: "${url(at)}" }] }`)

/** A server of the neighbour, and how often it was asked. */
async function serve(listener: RequestListener) {
  let asked = 0
  const server = createServer((incoming, response) => {
    asked += 1
    listener(incoming, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Does the work again and again, `times` at a time, until it is ended. */
function repeat(times: number, work: () => Promise<void>) {
  let done = 0
  const over = new AbortController()
  const one = async () => {
    while (!over.signal.aborted) {
      await work().catch(() => {})
      done += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const all = Promise.all(Array.from({ length: times }, one))
  return {
    end: async () => {
      over.abort()
      await all
      return done
    },
  }
}

async function get(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) })
  await response.arrayBuffer()
}

const HUGE = `{"jsonrpc":"2.0","id":1,"result":{"validators":[${Array.from({ length: 100_000 }, (_, at) => `{"nodeID":"NodeID-${at}","weight":"1"}`).join(',')}]}}`
const COSTLY = '$2y$12$X0h1gDsPszWURQaxFh.zoubFi6DXncSjhoQNJgRrnGs7EsimhC7zG'
/** Its password is `secret`. */
const OURS = '$2b$04$3zooHM18BKkZ4zKMtf7wsOC3u9Qcy6IwDXpk8IJxSlEU5BfSN/2J.'
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

export const kinds: Readonly<Record<string, Kind>> = {
  none: () => nothing,

  /** Lookups. */
  names: () => ({
    ...nothing,
    networks: many(30, (at) => `http://dead-${at}.example:9650`),
    end: () => Promise.resolve('30 names without an answer'),
  }),

  /** Connections and requests under way. */
  sockets: async () => {
    const silent = await serve(() => {})
    return {
      ...nothing,
      networks: many(40, () => silent.url),
      end: () => {
        silent.close()
        return Promise.resolve(`40 networks whose ${silent.asked()} requests were never answered`)
      },
    }
  },

  /** Descriptors: more clients and upstreams than the process may have files. */
  handles: async () => {
    const silent = await serve(() => {})
    const clients: Socket[] = []
    let refused = 0
    return {
      ...nothing,
      limits: 'ulimit -n 256;',
      networks: many(40, () => silent.url),
      strike: (url) => {
        const port = Number(new URL(url).port)
        for (let at = 0; at < 400; at += 1) {
          clients.push(
            connect(port, '127.0.0.1')
              .on('error', () => {})
              .on('close', () => (refused += 1)),
          )
        }
      },
      end: () => {
        for (const client of clients) client.destroy()
        silent.close()
        return Promise.resolve(
          `400 idle clients (${refused} were cut) and ${silent.asked()} silent requests at 256 files`,
        )
      },
    }
  },

  /** The thread pool: passwords that are wrong. */
  threads: (folder) => {
    const file = join(folder, 'web.yml')
    writeFileSync(file, `basic_auth_users:\n  us: ${OURS}\n  them: ${COSTLY}\n`)
    let guesses: ReturnType<typeof repeat> | undefined
    let guess = 0
    return {
      ...nothing,
      flags: [`--web.config.file=${file}`],
      headers: { authorization: basic('us', 'secret') },
      strike: (url) => {
        guesses = repeat(8, () => get(`${url}/metrics`, { authorization: basic('them', String((guess += 1))) }))
      },
      end: async () => `${await guesses?.end()} wrong passwords`,
    }
  },

  /** The loop of the poller: answers of megabytes, as fast as they are asked for. */
  polling: async () => {
    const huge = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(HUGE)
    })
    return {
      ...nothing,
      networks: many(4, () => huge.url),
      end: () => {
        huge.close()
        return Promise.resolve(`${huge.asked()} answers of ${(HUGE.length / 1e6).toFixed(1)} MB`)
      },
    }
  },

  /** The loop that serves: scrapes without a pause, and clients that read nothing. */
  serving: () => {
    let scrapes: ReturnType<typeof repeat> | undefined
    const slow: ReturnType<typeof request>[] = []
    return {
      ...nothing,
      strike: (url) => {
        scrapes = repeat(16, () => get(`${url}/metrics`, { 'accept-encoding': 'gzip' }))
        for (let at = 0; at < 100; at += 1) {
          slow.push(
            request(`${url}/metrics`)
              .on('response', (response) => response.pause())
              .on('error', () => {}),
          )
          slow.at(-1)!.end()
        }
      },
      end: async () => {
        for (const one of slow) one.destroy()
        return `${await scrapes?.end()} scrapes, 100 clients that read nothing`
      },
    }
  },

  /** The disk: a storage where there is no room. */
  disk: () => {
    const disk = process.env['STAKEWATCH_DISK']!
    try {
      writeFileSync(join(disk, 'full'), Buffer.alloc(1_900_000))
    } catch {
      // It is as full as it gets.
    }
    return {
      ...nothing,
      flags: [`--storage.path=${join(disk, 'storage')}`],
      end: () => Promise.resolve('100 kB were left for the storage'),
    }
  },
}
