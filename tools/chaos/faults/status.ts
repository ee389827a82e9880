// Faults that speak proper HTTP: statuses that say no, and bodies that are not what was asked for.

import { type Answer, type Fault, properly, withBody } from './define.ts'

interface Refusal {
  name: string
  status: number
  about: string
  headers?: Record<string, string>
  body?: string
  weight?: number
}

const HTML = '<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>'

const refusals: readonly Refusal[] = [
  { name: 'no-content', status: 204, about: 'status 204: no content' },
  { name: 'moved', status: 302, about: 'a redirect to another address', headers: { location: 'http://127.0.0.1:1/' } },
  { name: 'not-modified', status: 304, about: 'status 304, though nothing was said of a cache' },
  { name: 'bad-request', status: 400, about: 'status 400' },
  { name: 'request-timeout', status: 408, about: 'status 408' },
  { name: 'teapot', status: 418, about: 'an unexpected status' },
  { name: 'too-many-requests', status: 429, about: 'status 429 without a word on how long' },
  {
    name: 'too-many-requests-for-a-second',
    status: 429,
    about: 'status 429 with Retry-After: 1',
    headers: { 'retry-after': '1' },
  },
  {
    name: 'retry-after-date',
    status: 429,
    about: 'status 429 with a date of long ago as Retry-After',
    headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' },
  },
  {
    name: 'retry-after-nonsense',
    status: 429,
    about: 'status 429 with a Retry-After that is neither',
    headers: { 'retry-after': 'soon' },
  },
  {
    name: 'retry-after-negative',
    status: 429,
    about: 'status 429 with a Retry-After below 0',
    headers: { 'retry-after': '-5' },
  },
  { name: 'server-error', status: 500, about: 'status 500' },
  { name: 'not-implemented', status: 501, about: 'status 501' },
  {
    name: 'bad-gateway',
    status: 502,
    about: 'status 502 with the page of a proxy',
    headers: { 'content-type': 'text/html' },
    body: HTML,
  },
  { name: 'unavailable', status: 503, about: 'status 503' },
  {
    name: 'unavailable-for-seconds',
    status: 503,
    about: 'status 503 with Retry-After: 2',
    headers: { 'retry-after': '2' },
  },
  { name: 'gateway-timeout', status: 504, about: 'status 504' },
  { name: 'status-599', status: 599, about: 'the last status there is' },
]

/** Those after which the upstream is left alone for long: they are tried, but not often enough to be in the table. */
const lasting: readonly Refusal[] = [
  { name: 'unauthorized', status: 401, about: 'status 401', weight: 0.1 },
  { name: 'forbidden', status: 403, about: 'status 403', weight: 0.1 },
  {
    name: 'retry-after-years',
    status: 429,
    about: 'status 429 with a Retry-After of thirty years',
    headers: { 'retry-after': '999999999' },
    weight: 0.1,
  },
]

interface Text {
  name: string
  about: string
  weight?: number
  /** So large that reading it here as well would take minutes: no proper answer is found in it. */
  isHuge?: true
  text: (proper: Answer) => string
}

const texts: readonly Text[] = [
  { name: 'login-page', about: 'the page of a captive portal', text: () => '<html><body>Sign in</body></html>' },
  { name: 'cut-json', about: 'JSON without its end', text: ({ body }) => body.slice(0, -1) },
  { name: 'half-json', about: 'the first half of the JSON', text: ({ body }) => body.slice(0, body.length / 2) },
  { name: 'trailing-garbage', about: 'JSON with something behind it', text: ({ body }) => `${body} ok` },
  { name: 'twice', about: 'the JSON twice', text: ({ body }) => body + body },
  { name: 'trailing-comma', about: 'a comma before the last bracket', text: ({ body }) => body.replace(/\}$/, ',}') },
  {
    name: 'single-quotes',
    about: 'single quotes in place of double ones',
    text: ({ body }) => body.replaceAll('"', "'"),
  },
  {
    name: 'nan-literal',
    about: 'NaN, which JSON does not have',
    text: ({ body }) => body.replace(/:("?)[\d.]+\1/, ':NaN'),
  },
  { name: 'json-null', about: 'null', text: () => 'null' },
  { name: 'json-number', about: 'a number', text: () => '42' },
  { name: 'json-text', about: 'a text', text: ({ body }) => JSON.stringify(body) },
  { name: 'json-list', about: 'the answer in a list', text: ({ body }) => `[${body}]` },
  { name: 'empty-object', about: 'an object without anything', text: () => '{}' },
  {
    name: 'control-characters',
    about: 'raw control characters in the JSON',
    text: ({ body }) => body.replace(/":"/, '":"\u0001\n'),
  },
  { name: 'deep-nesting', about: '100,000 brackets', text: () => '['.repeat(100_000) },
  { name: 'megabytes', about: 'two megabytes of text', text: () => 'x'.repeat(2_000_000), isHuge: true, weight: 0.7 },
  {
    name: 'megabytes-of-json',
    about: 'two megabytes of small items in a list',
    text: () => `{"jsonrpc":"2.0","validators":[${'1,'.repeat(1_000_000)}1]}`,
    isHuge: true,
    weight: 0.7,
  },
]

export const statusFaults: readonly Fault[] = [
  ...[...refusals, ...lasting].map(({ name, status, about, headers = {}, body = 'no', weight = 1 }): Fault => ({
    name,
    phase: 'status',
    about,
    counts: 'always',
    weight,
    ...(status === 401 || status === 403 ? { isCertain: true } : {}),
    make: () =>
      status === 204 || status === 304
        ? [{ write: `HTTP/1.1 ${status} x\r\n\r\n` }, { end: 'keep' }]
        : properly({ status, headers: { 'content-type': 'text/plain', ...headers }, body }),
  })),
  ...texts.map(({ name, about, text, isHuge, weight = 1 }): Fault => ({
    name,
    phase: 'text of the body',
    about,
    counts: isHuge ? 'always' : 'if it reads differently',
    weight,
    make: (proper) => (proper.status === 200 ? withBody(proper, text(proper)) : undefined),
  })),
]
