// Faults of the connection: before anything was asked, and while it is.

import { type Answer, type Fault, head, LINE, type Script, whole } from './define.ts'

/** What a TLS server says to a client that does not speak TLS: an alert. */
const TLS_ALERT = Uint8Array.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x0a])

const half = (text: string) => text.slice(0, Math.floor(text.length / 2))

const sent = (write: string, end: 'keep' | 'close' | 'hang'): Script => [{ write }, { end }]
const cutOff = (write: string): Script => [{ write }, { wait: 30 }, { end: 'reset' }]

type Make = NonNullable<Fault['make']>

/** The client gets no proper answer. */
const broken = (phase: Fault['phase'], name: string, make: Make): Fault => ({ name, phase, counts: 'always', make })
/** The client waits in vain: as that takes long, it comes half as often. */
const late = (phase: Fault['phase'], name: string, make: Make): Fault => ({
  name,
  phase,
  counts: 'if given up',
  weight: 0.5,
  make,
})
const disturbed = (phase: Fault['phase'], name: string, onConnection: NonNullable<Fault['onConnection']>): Fault => ({
  name,
  phase,
  counts: 'always',
  onConnection,
})
/** The client gets the answer to another question. */
const mistaken = (phase: Fault['phase'], name: string, made: (proper: Answer, other: string) => Script): Fault => ({
  name,
  phase,
  counts: 'if it reads differently',
  lies: true,
  make: (proper, { other }) => (other === undefined ? undefined : made(proper, other)),
})

export const connectionFaults: readonly Fault[] = [
  disturbed('connecting', 'connection-refused', 'refuse'),
  disturbed('accepting', 'reset-when-accepted', 'reset'),
  disturbed('accepting', 'closed-when-accepted', 'close'),
  { ...disturbed('accepting', 'never-reads', 'hang'), weight: 0.5 },
  disturbed('accepting', 'speaks-first', { greet: `220 mail.example ESMTP${LINE}` }),
  disturbed('accepting', 'tls-alert', { greet: TLS_ALERT }),
  broken('request', 'reset-after-request', () => [{ end: 'reset' }]),
  broken('request', 'closed-after-request', () => [{ end: 'close' }]),
  late('request', 'no-answer', () => [{ end: 'hang' }]),
  late('request', 'late-answer', (proper) => [{ wait: 60_000 }, { write: whole(proper) }, { end: 'keep' }]),
  broken('status line', 'garbage-for-a-status-line', (proper) =>
    sent(`lorem ipsum dolor${LINE}${LINE}${proper.body}`, 'close'),
  ),
  broken('status line', 'no-status-line', ({ body }) => sent(body, 'close')),
  broken('status line', 'unknown-version', (proper) => sent(whole(proper).replace('HTTP/1.1', 'HTTP/9.7'), 'close')),
  broken('status line', 'status-not-a-number', (proper) => sent(whole(proper).replace(/ \d+ /, ' OK0 '), 'close')),
  broken('status line', 'status-line-cut', () => sent('HTTP/1.1 2', 'close')),
  {
    ...broken('status line', 'continue-for-ever', () => [
      ...Array.from({ length: 20 }, () => [{ write: `HTTP/1.1 100 Continue${LINE}${LINE}` }, { wait: 500 }]).flat(),
      { end: 'hang' },
    ]),
    weight: 0.5,
  },
  broken('headers', 'reset-in-headers', (proper) => cutOff(half(head(proper, {})))),
  late('headers', 'hang-in-headers', (proper) => sent(half(head(proper, {})), 'hang')),
  late('headers', 'slow-headers', (proper) => [
    { write: `HTTP/1.1 ${proper.status} x${LINE}` },
    ...Array.from({ length: 60 }, (_, at) => [{ write: `x-${at}: y${LINE}` }, { wait: 2_000 }]).flat(),
    { end: 'hang' },
  ]),
  broken('headers', 'huge-header', (proper) =>
    sent(whole(withHeaders(proper, { 'x-huge': 'x'.repeat(200_000) })), 'keep'),
  ),
  broken('headers', 'many-headers', (proper) =>
    sent(
      whole(
        withHeaders(
          proper,
          Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x-header-${at}`, 'some value'])),
        ),
      ),
      'keep',
    ),
  ),
  broken('headers', 'header-without-colon', (proper) =>
    sent(whole(proper).replace(LINE, `${LINE}no colon here${LINE}`), 'close'),
  ),
  broken('headers', 'two-lengths', (proper) =>
    sent(whole(proper).replace(LINE, `${LINE}Content-Length: 3${LINE}`), 'close'),
  ),
  broken('headers', 'length-not-a-number', (proper) =>
    sent(head(proper, { 'content-length': 'many' }) + proper.body, 'close'),
  ),
  broken('headers', 'negative-length', (proper) =>
    sent(head(proper, { 'content-length': '-1' }) + proper.body, 'close'),
  ),
  broken('headers', 'length-and-chunks', (proper) =>
    sent(`${head(proper, { 'content-length': '5', 'transfer-encoding': 'chunked' })}0${LINE}${LINE}`, 'close'),
  ),
  broken('headers', 'compressed', (proper) => sent(whole(withHeaders(proper, { 'content-encoding': 'gzip' })), 'keep')),
  mistaken('after the answer', 'unsolicited-answer', (proper, other) =>
    sent(whole({ ...proper, body: other }) + whole(proper), 'keep'),
  ),
  broken('reuse of a connection', 'reset-on-reuse', (_, { isReused }) => (isReused ? [{ end: 'reset' }] : undefined)),
  broken('reuse of a connection', 'closed-on-reuse', (_, { isReused }) => (isReused ? [{ end: 'close' }] : undefined)),
  late('reuse of a connection', 'hang-on-reuse', (_, { isReused }) => (isReused ? [{ end: 'hang' }] : undefined)),
  mistaken('reuse of a connection', 'answer-of-another-request', (proper, other) =>
    sent(whole({ ...proper, body: other }), 'keep'),
  ),
  broken('start of the body', 'reset-before-body', (proper) => cutOff(head(proper, lengthOf(proper)))),
  late('start of the body', 'hang-before-body', (proper) => sent(head(proper, lengthOf(proper)), 'hang')),
  broken('start of the body', 'empty-body', (proper) => sent(whole({ ...proper, status: 200, body: '' }), 'keep')),
  broken('middle of the body', 'reset-in-body', (proper) => cutOff(head(proper, lengthOf(proper)) + half(proper.body))),
  broken('middle of the body', 'closed-in-body', (proper) =>
    sent(head(proper, lengthOf(proper)) + half(proper.body), 'close'),
  ),
  late('middle of the body', 'hang-in-body', (proper) =>
    sent(head(proper, lengthOf(proper)) + half(proper.body), 'hang'),
  ),
  late('middle of the body', 'drip', (proper) => [
    { write: head(proper, lengthOf(proper)) },
    ...proper.body
      .slice(0, 40)
      .split('')
      .flatMap((letter) => [{ write: letter }, { wait: 1_000 }]),
    { end: 'hang' },
  ]),
  broken('middle of the body', 'bad-chunk-size', (proper) =>
    sent(`${head(proper, CHUNKED)}zz${LINE}${proper.body}${LINE}`, 'close'),
  ),
  broken('middle of the body', 'chunk-too-short', (proper) =>
    sent(`${head(proper, CHUNKED)}5${LINE}${proper.body}${LINE}`, 'close'),
  ),
  broken('end of the body', 'reset-before-last-byte', (proper) => cutOff(whole(proper).slice(0, -1))),
  late('end of the body', 'hang-before-last-byte', (proper) => sent(whole(proper).slice(0, -1), 'hang')),
  broken('end of the body', 'no-last-chunk', (proper) => sent(head(proper, CHUNKED) + chunk(proper.body), 'close')),
  late('end of the body', 'hang-before-last-chunk', (proper) =>
    sent(head(proper, CHUNKED) + chunk(proper.body), 'hang'),
  ),
  broken('end of the body', 'length-too-long', (proper) =>
    sent(head(proper, { 'content-length': '1000000000000' }) + proper.body, 'close'),
  ),
  broken('end of the body', 'length-too-short', (proper) =>
    sent(
      head(proper, { 'content-length': String(Math.max(1, Buffer.byteLength(proper.body) - 7)) }) + proper.body,
      'close',
    ),
  ),
]

const CHUNKED = { 'transfer-encoding': 'chunked' }

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}${LINE}${text}${LINE}`
}

function lengthOf({ body }: Answer): Record<string, string> {
  return { 'content-length': String(Buffer.byteLength(body)) }
}

function withHeaders(proper: Answer, headers: Record<string, string>): Answer {
  return { ...proper, headers: { ...proper.headers, ...headers } }
}
