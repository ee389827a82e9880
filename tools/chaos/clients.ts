// Clients of the daemon, well-behaved and rude ones. Times are milliseconds of the machine.

import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { Random } from '../../src/simulator/world/random.ts'
import type { Format } from './oracle/exposition.ts'

export interface Scraped {
  status: number
  contentType: string
  text: string
  /** Milliseconds until the last byte. */
  took: number
}

const ACCEPTS: Readonly<{ [format in Format]: string }> = {
  text: 'text/plain;version=0.0.4',
  openmetrics: 'application/openmetrics-text;version=1.0.0',
}

/** Throws when there is no answer within `patience`. */
export function get(port: number, path: string, format: Format, isPacked: boolean, patience: number): Promise<Scraped> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const asking = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      headers: { accept: ACCEPTS[format], 'accept-encoding': isPacked ? 'gzip' : 'identity' },
      signal: AbortSignal.timeout(patience),
    })
    asking.on('error', reject)
    asking.on('response', (answer) => {
      const pieces: Buffer[] = []
      answer.on('data', (piece: Buffer) => pieces.push(piece))
      answer.on('error', reject)
      answer.on('end', () => {
        const took = performance.now() - began
        const body = Buffer.concat(pieces)
        const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body).toString() : body.toString()
        resolve({ status: answer.statusCode!, contentType: answer.headers['content-type'] ?? '', text, took })
      })
    })
    asking.end()
  })
}

const SCRAPE = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'

/** What rude clients do, each on connections of its own that it lets go in the end. */
const manners = {
  'reads slowly': (open: Open) => {
    const socket = open()
    socket.write(SCRAPE)
    socket.pause()
    const reading = setInterval(() => socket.read(2_000), 50)
    socket.once('close', () => clearInterval(reading))
  },
  'never reads': (open: Open) => {
    const socket = open()
    socket.pause()
    socket.write(SCRAPE)
  },
  'pipelines and never reads': (open: Open) => {
    for (let at = 0; at < 4; at += 1) {
      const socket = open()
      socket.pause()
      socket.write(SCRAPE.repeat(400))
    }
  },
  'pipelines and leaves': (open: Open) => {
    const socket = open()
    socket.write(SCRAPE.repeat(50), () => socket.destroy())
  },
  'sends half a request': (open: Open) => {
    open().write('GET /metrics HT')
  },
  'sends half of the headers': (open: Open) => {
    open().write('GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: text/pl')
  },
  'sends garbage': (open: Open, dice: Random) => {
    open().write(Buffer.from(dice.hex(4_000), 'hex'))
  },
  'sends a long path': (open: Open) => {
    open().write(`GET /${'x'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  },
  'sends a body without end': (open: Open) => {
    open().write(`POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n${'x'.repeat(100_000)}`)
  },
  'sends two lengths': (open: Open) => {
    open().write(
      'POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    )
  },
  'says nothing on many connections': (open: Open) => {
    for (let at = 0; at < 60; at += 1) open()
  },
  'leaves while it is answered': (open: Open) => {
    const socket = open()
    socket.write(SCRAPE)
    socket.once('data', () => socket.resetAndDestroy())
  },
  'asks for what is not there': (open: Open) => {
    open().write(
      'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\nDELETE /metrics HTTP/1.1\r\nHost: x\r\n\r\nGET /metrics?collect[]=nothing HTTP/1.1\r\nHost: x\r\n\r\n',
    )
  },
} satisfies { [name: string]: (open: Open, dice: Random) => void }

type Open = () => Socket

export interface RudeClients {
  /** One more of them; it stays for `lasting` milliseconds. */
  come(port: number, dice: Random, lasting: number): void
  leave(): void
}

export function createRudeClients(): RudeClients {
  const sockets = new Set<Socket>()
  return {
    come(port, dice, lasting) {
      const manner = dice.pick(Object.values(manners))
      const open = () => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        socket.on('close', () => sockets.delete(socket))
        sockets.add(socket)
        setTimeout(() => socket.destroy(), lasting).unref()
        return socket
      }
      manner(open, dice)
    },
    leave() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
