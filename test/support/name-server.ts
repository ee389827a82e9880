// A DNS server on 127.0.0.1 (RFC 1035), which is silent where a test wants that.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

interface Zone {
  a?: readonly string[]
  /** In full: eight groups. */
  aaaa?: readonly string[]
  /** Seconds. */
  ttl?: number
}

/** `silent`: no answer. `broken`: SERVFAIL. `refused`: REFUSED. Undefined: NXDOMAIN. */
export type Answer = Zone | 'silent' | 'broken' | 'refused' | undefined

const [A, AAAA] = [1, 28]
const NO_ERROR = 0
const NXDOMAIN = 3
const failures = { broken: 2, refused: 5 }

export async function createNameServer(answerTo: (name: string) => Answer, port = 0) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    asked.push(`${name} ${type === A ? 'A' : 'AAAA'}`)
    const zone = answerTo(name)
    if (zone === 'silent') return
    const code = typeof zone === 'string' ? failures[zone] : zone ? NO_ERROR : NXDOMAIN
    const known = typeof zone === 'object' ? zone : {}
    const addresses = type === A ? (known.a ?? []) : type === AAAA ? (known.aaaa ?? []) : []
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80 | code, 0, 1, 0, addresses.length, 0, 0, 0, 0])
    const answers = addresses.map((address) => recordOf(address, type, known.ttl ?? 60))
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), from.port, from.address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function recordOf(address: string, type: number, ttl: number): Buffer {
  const data =
    type === A
      ? Buffer.from(address.split('.').map(Number))
      : Buffer.from(
          address
            .split(':')
            .map((group) => group.padStart(4, '0'))
            .join(''),
          'hex',
        )
  const fixed = Buffer.alloc(12)
  fixed.writeUInt16BE(0xc00c, 0)
  fixed.writeUInt16BE(type, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(ttl, 6)
  fixed.writeUInt16BE(data.length, 10)
  return Buffer.concat([fixed, data])
}
