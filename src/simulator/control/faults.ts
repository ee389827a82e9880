// What can go wrong between an upstream and its client, on request and per route.

import { setTimeout as timer } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'

/** An answer before it is sent. */
export interface Reply {
  status: number
  headers: Record<string, string>
  text: string
}

export const faultType = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms: z.int().min(0).max(120_000) }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(300).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().default(''),
  }),
  z.strictObject({ kind: z.literal('html') }),
  z.strictObject({ kind: z.literal('malformed') }),
  z.strictObject({ kind: z.literal('truncated') }),
  z.strictObject({ kind: z.literal('drip'), ms: z.int().min(1).max(10_000) }),
  z.strictObject({ kind: z.literal('reset') }),
  z.strictObject({ kind: z.literal('wrong-id') }),
  /** All times in the answer are `seconds` too late. */
  z.strictObject({ kind: z.literal('future'), seconds: z.int().min(1) }),
  /** The clock of the server is `seconds` fast, or slow below 0. */
  z.strictObject({ kind: z.literal('clock'), seconds: z.int() }),
  z.strictObject({ kind: z.literal('oversized'), bytes: z.int().min(1) }),
  /** A repeated request gets the first answer again, as from a cache in front of the server. */
  z.strictObject({ kind: z.literal('cached') }),
])

export type Fault = z.output<typeof faultType>

/** A cache: returns the first answer to a request, with the id of the present one. */
export function createCache(): (question: string, proper: Reply) => Reply {
  const answers = new Map<string, Reply>()
  return (question, proper) => {
    const key = question.replace(/"id":\d+/, '')
    const first = answers.get(key)
    if (!first) {
      answers.set(key, proper)
      return proper
    }
    const [id] = /"id":\d+\}$/.exec(proper.text) ?? []
    return id === undefined ? first : { ...first, text: first.text.replace(/"id":\d+\}$/, id) }
  }
}

/** Resolves after `milliseconds`. */
export type Wait = (milliseconds: number) => Promise<void>

export const realWait: Wait = (milliseconds) => timer(milliseconds, undefined, { ref: false })

/** What the fault makes of a reply; undefined where it breaks the connection. */
export function altered(proper: Reply, fault: Fault | undefined): Reply | undefined {
  const { status, headers, text } = proper
  switch (fault?.kind) {
    case undefined:
    case 'latency':
    // The header says it.
    case 'clock':
    // The reply is the cached one already.
    case 'cached':
      return proper
    case 'status':
      return { status: fault.status, headers: { 'content-type': 'text/plain', ...fault.headers }, text: fault.body }
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html' }, text: '<html><body>Sign in</body></html>' }
    case 'malformed':
      return { status, headers, text: text.slice(0, -1) }
    case 'wrong-id':
      return { status, headers, text: text.replace(/"id":\d+\}$/, '"id":999999999}') }
    case 'future':
      return { status, headers, text: later(text, fault.seconds) }
    case 'oversized':
      return { status, headers, text: text + ' '.repeat(fault.bytes) }
    default:
      return undefined
  }
}

export const breaksConnection = ({ kind }: Fault) => kind === 'reset' || kind === 'truncated' || kind === 'drip'

/** Sends the reply, or breaks the connection as the fault says. */
export async function send(reply: FastifyReply, proper: Reply, fault: Fault | undefined, wait: Wait): Promise<void> {
  const whole = altered(proper, fault)
  if (fault?.kind === 'latency') await wait(fault.ms)
  if (whole) return plain(reply, whole)
  const { status, headers, text } = proper
  reply.hijack()
  switch (fault?.kind) {
    case 'truncated':
      reply.raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) })
      reply.raw.write(text.slice(0, text.length / 2), () => reply.raw.destroy())
      return
    case 'drip':
      reply.raw.writeHead(status, headers)
      for (const letter of text) {
        if (reply.raw.destroyed) return
        reply.raw.write(letter)
        await wait(fault.ms)
      }
      return void reply.raw.end()
    default:
      reply.raw.destroy()
  }
}

/** Unix seconds have ten digits, in hexadecimal eight; texts of a time begin with the year. */
function later(text: string, seconds: number): string {
  return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) {
      return new Date(Date.parse(value) + 1_000 * seconds).toISOString()
    }
    if (!/time(stamp)?$|lastrun/i.test(name)) return value
    if (typeof value === 'number' && /^\d{10}$/.test(String(value))) return value + seconds
    if (typeof value !== 'string') return value
    if (/^\d{10}$/.test(value)) return String(Number(value) + seconds)
    return /^0x[0-9a-f]{8}$/.test(value) ? `0x${(Number(value) + seconds).toString(16)}` : value
  })
}

/** Sends bytes: to a text the server would add a content type of its own. */
async function plain(reply: FastifyReply, { status, headers, text }: Reply): Promise<void> {
  await reply
    .code(status)
    .headers(headers)
    .send(text === '' ? undefined : Buffer.from(text))
}
