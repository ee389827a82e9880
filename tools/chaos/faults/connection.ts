// Faults of the connection: before anything was asked, and while it is.

import { type Answer, type Fault, head, LINE, whole } from './define.ts'

/** What a TLS server says to a client that does not speak TLS: an alert. */
const TLS_ALERT = Uint8Array.from([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x0a])

const half = (text: string) => text.slice(0, Math.floor(text.length / 2))

export const connectionFaults: readonly Fault[] = [
  {
    name: 'connection-refused',
    phase: 'connecting',
    counts: 'always',
    onConnection: 'refuse',
  },
  {
    name: 'reset-when-accepted',
    phase: 'accepting',
    counts: 'always',
    onConnection: 'reset',
  },
  {
    name: 'closed-when-accepted',
    phase: 'accepting',
    counts: 'always',
    onConnection: 'close',
  },
  {
    name: 'never-reads',
    phase: 'accepting',
    counts: 'always',
    weight: 0.5,
    onConnection: 'hang',
  },
  {
    name: 'speaks-first',
    phase: 'accepting',
    counts: 'always',
    onConnection: { greet: `220 mail.example ESMTP${LINE}` },
  },
  {
    name: 'tls-alert',
    phase: 'accepting',
    counts: 'always',
    onConnection: { greet: TLS_ALERT },
  },
  {
    name: 'reset-after-request',
    phase: 'request',
    counts: 'always',
    make: () => [{ end: 'reset' }],
  },
  {
    name: 'closed-after-request',
    phase: 'request',
    counts: 'always',
    make: () => [{ end: 'close' }],
  },
  {
    name: 'no-answer',
    phase: 'request',
    counts: 'if given up',
    weight: 0.5,
    make: () => [{ end: 'hang' }],
  },
  {
    name: 'late-answer',
    phase: 'request',
    counts: 'if given up',
    weight: 0.5,
    make: (proper) => [{ wait: 60_000 }, { write: whole(proper) }, { end: 'keep' }],
  },
  {
    name: 'garbage-for-a-status-line',
    phase: 'status line',
    counts: 'always',
    make: (proper) => [{ write: `lorem ipsum dolor${LINE}${LINE}${proper.body}` }, { end: 'close' }],
  },
  {
    name: 'no-status-line',
    phase: 'status line',
    counts: 'always',
    make: ({ body }) => [{ write: body }, { end: 'close' }],
  },
  {
    name: 'unknown-version',
    phase: 'status line',
    counts: 'always',
    make: (proper) => [{ write: whole(proper).replace('HTTP/1.1', 'HTTP/9.7') }, { end: 'close' }],
  },
  {
    name: 'status-not-a-number',
    phase: 'status line',
    counts: 'always',
    make: (proper) => [{ write: whole(proper).replace(/ \d+ /, ' OK0 ') }, { end: 'close' }],
  },
  {
    name: 'status-line-cut',
    phase: 'status line',
    counts: 'always',
    make: () => [{ write: 'HTTP/1.1 2' }, { end: 'close' }],
  },
  {
    name: 'continue-for-ever',
    phase: 'status line',
    counts: 'always',
    weight: 0.5,
    make: () => [
      ...Array.from({ length: 20 }, () => [{ write: `HTTP/1.1 100 Continue${LINE}${LINE}` }, { wait: 500 }]).flat(),
      { end: 'hang' },
    ],
  },
  {
    name: 'reset-in-headers',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [{ write: half(head(proper, {})) }, { wait: 30 }, { end: 'reset' }],
  },
  {
    name: 'hang-in-headers',
    phase: 'headers',
    counts: 'if given up',
    weight: 0.5,
    make: (proper) => [{ write: half(head(proper, {})) }, { end: 'hang' }],
  },
  {
    name: 'slow-headers',
    phase: 'headers',
    counts: 'if given up',
    weight: 0.5,
    make: (proper) => [
      { write: `HTTP/1.1 ${proper.status} x${LINE}` },
      ...Array.from({ length: 60 }, (_, at) => [{ write: `x-${at}: y${LINE}` }, { wait: 2_000 }]).flat(),
      { end: 'hang' },
    ],
  },
  {
    name: 'huge-header',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [{ write: whole(withHeaders(proper, { 'x-huge': 'x'.repeat(200_000) })) }, { end: 'keep' }],
  },
  {
    name: 'many-headers',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [
      {
        write: whole(
          withHeaders(
            proper,
            Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x-header-${at}`, 'some value'])),
          ),
        ),
      },
      { end: 'keep' },
    ],
  },
  {
    name: 'header-without-colon',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [{ write: whole(proper).replace(LINE, `${LINE}no colon here${LINE}`) }, { end: 'close' }],
  },
  {
    name: 'two-lengths',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [{ write: whole(proper).replace(LINE, `${LINE}Content-Length: 3${LINE}`) }, { end: 'close' }],
  },
  {
    name: 'length-not-a-number',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [{ write: head(proper, { 'content-length': 'many' }) + proper.body }, { end: 'close' }],
  },
  {
    name: 'negative-length',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [{ write: head(proper, { 'content-length': '-1' }) + proper.body }, { end: 'close' }],
  },
  {
    name: 'length-and-chunks',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [
      { write: `${head(proper, { 'content-length': '5', 'transfer-encoding': 'chunked' })}0${LINE}${LINE}` },
      { end: 'close' },
    ],
  },
  {
    name: 'compressed',
    phase: 'headers',
    counts: 'always',
    make: (proper) => [{ write: whole(withHeaders(proper, { 'content-encoding': 'gzip' })) }, { end: 'keep' }],
  },
  {
    name: 'unsolicited-answer',
    phase: 'after the answer',
    counts: 'if it reads differently',
    lies: true,
    make: (proper, { other }) =>
      other === undefined ? undefined : [{ write: whole({ ...proper, body: other }) + whole(proper) }, { end: 'keep' }],
  },
  {
    name: 'reset-on-reuse',
    phase: 'reuse of a connection',
    counts: 'always',
    make: (_, { isReused }) => (isReused ? [{ end: 'reset' }] : undefined),
  },
  {
    name: 'closed-on-reuse',
    phase: 'reuse of a connection',
    counts: 'always',
    make: (_, { isReused }) => (isReused ? [{ end: 'close' }] : undefined),
  },
  {
    name: 'hang-on-reuse',
    phase: 'reuse of a connection',
    counts: 'if given up',
    weight: 0.5,
    make: (_, { isReused }) => (isReused ? [{ end: 'hang' }] : undefined),
  },
  {
    name: 'answer-of-another-request',
    phase: 'reuse of a connection',
    counts: 'if it reads differently',
    lies: true,
    make: (proper, { other }) =>
      other === undefined ? undefined : [{ write: whole({ ...proper, body: other }) }, { end: 'keep' }],
  },
  {
    name: 'reset-before-body',
    phase: 'start of the body',
    counts: 'always',
    make: (proper) => [{ write: head(proper, lengthOf(proper)) }, { wait: 30 }, { end: 'reset' }],
  },
  {
    name: 'hang-before-body',
    phase: 'start of the body',
    counts: 'if given up',
    weight: 0.5,
    make: (proper) => [{ write: head(proper, lengthOf(proper)) }, { end: 'hang' }],
  },
  {
    name: 'empty-body',
    phase: 'start of the body',
    counts: 'always',
    make: (proper) => [{ write: whole({ ...proper, status: 200, body: '' }) }, { end: 'keep' }],
  },
  {
    name: 'reset-in-body',
    phase: 'middle of the body',
    counts: 'always',
    make: (proper) => [{ write: head(proper, lengthOf(proper)) + half(proper.body) }, { wait: 30 }, { end: 'reset' }],
  },
  {
    name: 'closed-in-body',
    phase: 'middle of the body',
    counts: 'always',
    make: (proper) => [{ write: head(proper, lengthOf(proper)) + half(proper.body) }, { end: 'close' }],
  },
  {
    name: 'hang-in-body',
    phase: 'middle of the body',
    counts: 'if given up',
    weight: 0.5,
    make: (proper) => [{ write: head(proper, lengthOf(proper)) + half(proper.body) }, { end: 'hang' }],
  },
  {
    name: 'drip',
    phase: 'middle of the body',
    counts: 'if given up',
    weight: 0.5,
    make: (proper) => [
      { write: head(proper, lengthOf(proper)) },
      ...proper.body
        .slice(0, 40)
        .split('')
        .flatMap((letter) => [{ write: letter }, { wait: 1_000 }]),
      { end: 'hang' },
    ],
  },
  {
    name: 'bad-chunk-size',
    phase: 'middle of the body',
    counts: 'always',
    make: (proper) => [{ write: `${head(proper, CHUNKED)}zz${LINE}${proper.body}${LINE}` }, { end: 'close' }],
  },
  {
    name: 'chunk-too-short',
    phase: 'middle of the body',
    counts: 'always',
    make: (proper) => [{ write: `${head(proper, CHUNKED)}5${LINE}${proper.body}${LINE}` }, { end: 'close' }],
  },
  {
    name: 'reset-before-last-byte',
    phase: 'end of the body',
    counts: 'always',
    make: (proper) => [{ write: whole(proper).slice(0, -1) }, { wait: 30 }, { end: 'reset' }],
  },
  {
    name: 'hang-before-last-byte',
    phase: 'end of the body',
    counts: 'if given up',
    weight: 0.5,
    make: (proper) => [{ write: whole(proper).slice(0, -1) }, { end: 'hang' }],
  },
  {
    name: 'no-last-chunk',
    phase: 'end of the body',
    counts: 'always',
    make: (proper) => [{ write: head(proper, CHUNKED) + chunk(proper.body) }, { end: 'close' }],
  },
  {
    name: 'hang-before-last-chunk',
    phase: 'end of the body',
    counts: 'if given up',
    weight: 0.5,
    make: (proper) => [{ write: head(proper, CHUNKED) + chunk(proper.body) }, { end: 'hang' }],
  },
  {
    name: 'length-too-long',
    phase: 'end of the body',
    counts: 'always',
    make: (proper) => [{ write: head(proper, { 'content-length': '1000000000000' }) + proper.body }, { end: 'close' }],
  },
  {
    name: 'length-too-short',
    phase: 'end of the body',
    counts: 'always',
    make: (proper) => [
      {
        write:
          head(proper, { 'content-length': String(Math.max(1, Buffer.byteLength(proper.body) - 7)) }) + proper.body,
      },
      { end: 'close' },
    ],
  },
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
