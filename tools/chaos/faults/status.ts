// Faults that speak proper HTTP: statuses that say no, and bodies that are not what was asked for.

import { type Answer, type Fault, properly, withBody } from './define.ts'

interface Refusal {
  name: string
  status: number
  headers?: Record<string, string>
  body?: string
  weight?: number
}

const HTML = '<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>'

const refusals: readonly Refusal[] = [
  { name: 'no-content', status: 204 },
  { name: 'moved', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  { name: 'not-modified', status: 304 },
  { name: 'bad-request', status: 400 },
  { name: 'request-timeout', status: 408 },
  { name: 'teapot', status: 418 },
  { name: 'too-many-requests', status: 429 },
  {
    name: 'too-many-requests-for-a-second',
    status: 429,
    headers: { 'retry-after': '1' },
  },
  {
    name: 'retry-after-date',
    status: 429,
    headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' },
  },
  {
    name: 'retry-after-nonsense',
    status: 429,
    headers: { 'retry-after': 'soon' },
  },
  {
    name: 'retry-after-negative',
    status: 429,
    headers: { 'retry-after': '-5' },
  },
  { name: 'server-error', status: 500 },
  { name: 'not-implemented', status: 501 },
  {
    name: 'bad-gateway',
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: HTML,
  },
  { name: 'unavailable', status: 503 },
  {
    name: 'unavailable-for-seconds',
    status: 503,
    headers: { 'retry-after': '2' },
  },
  { name: 'gateway-timeout', status: 504 },
  { name: 'status-599', status: 599 },
]

/** Those after which the upstream is left alone for long: they are tried, but not often enough to be in the table. */
const lasting: readonly Refusal[] = [
  { name: 'unauthorized', status: 401, weight: 0.1 },
  { name: 'forbidden', status: 403, weight: 0.1 },
  {
    name: 'retry-after-years',
    status: 429,
    headers: { 'retry-after': '999999999' },
    weight: 0.1,
  },
]

interface Text {
  name: string
  weight?: number
  /** So large that reading it here as well would take minutes: no proper answer is found in it. */
  isHuge?: true
  text: (proper: Answer) => string
}

const texts: readonly Text[] = [
  { name: 'login-page', text: () => '<html><body>Sign in</body></html>' },
  { name: 'cut-json', text: ({ body }) => body.slice(0, -1) },
  { name: 'half-json', text: ({ body }) => body.slice(0, body.length / 2) },
  { name: 'trailing-garbage', text: ({ body }) => `${body} ok` },
  { name: 'twice', text: ({ body }) => body + body },
  { name: 'trailing-comma', text: ({ body }) => body.replace(/\}$/, ',}') },
  {
    name: 'single-quotes',
    text: ({ body }) => body.replaceAll('"', "'"),
  },
  {
    name: 'nan-literal',
    text: ({ body }) => body.replace(/:("?)[\d.]+\1/, ':NaN'),
  },
  { name: 'json-null', text: () => 'null' },
  { name: 'json-number', text: () => '42' },
  { name: 'json-text', text: ({ body }) => JSON.stringify(body) },
  { name: 'json-list', text: ({ body }) => `[${body}]` },
  { name: 'empty-object', text: () => '{}' },
  {
    name: 'control-characters',
    text: ({ body }) => body.replace(/":"/, '":"\u0001\n'),
  },
  { name: 'deep-nesting', text: () => '['.repeat(100_000) },
  { name: 'megabytes', text: () => 'x'.repeat(2_000_000), isHuge: true, weight: 0.7 },
  {
    name: 'megabytes-of-json',
    text: () => `{"jsonrpc":"2.0","validators":[${'1,'.repeat(1_000_000)}1]}`,
    isHuge: true,
    weight: 0.7,
  },
]

export const statusFaults: readonly Fault[] = [
  ...[...refusals, ...lasting].map(({ name, status, headers = {}, body = 'no', weight = 1 }): Fault => ({
    name,
    phase: 'status',
    counts: 'always',
    weight,
    ...(status === 401 || status === 403 ? { isCertain: true } : {}),
    make: () =>
      status === 204 || status === 304
        ? [{ write: `HTTP/1.1 ${status} x\r\n\r\n` }, { end: 'keep' }]
        : properly({ status, headers: { 'content-type': 'text/plain', ...headers }, body }),
  })),
  ...texts.map(({ name, text, isHuge, weight = 1 }): Fault => ({
    name,
    phase: 'text of the body',
    counts: isHuge ? 'always' : 'if it reads differently',
    weight,
    make: (proper) => (proper.status === 200 ? withBody(proper, text(proper)) : undefined),
  })),
]
