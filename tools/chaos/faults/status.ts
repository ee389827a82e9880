// Faults that speak proper HTTP: statuses that say no, and bodies that are not what was asked for.

import { type Fault, properly, withBody } from './define.ts'

interface Refusal {
  name: string
  status: number
  headers?: Record<string, string>
  body?: string
  weight?: number
}

const HTML = '<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>'

const limited = (name: string, after: string): Refusal => ({ name, status: 429, headers: { 'retry-after': after } })

const refusals: readonly Refusal[] = [
  { name: 'no-content', status: 204 },
  { name: 'moved', status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  { name: 'not-modified', status: 304 },
  { name: 'bad-request', status: 400 },
  { name: 'request-timeout', status: 408 },
  { name: 'teapot', status: 418 },
  { name: 'too-many-requests', status: 429 },
  limited('too-many-requests-for-a-second', '1'),
  limited('retry-after-date', 'Wed, 21 Oct 2015 07:28:00 GMT'),
  limited('retry-after-nonsense', 'soon'),
  limited('retry-after-negative', '-5'),
  { name: 'server-error', status: 500 },
  { name: 'not-implemented', status: 501 },
  { name: 'bad-gateway', status: 502, headers: { 'content-type': 'text/html' }, body: HTML },
  { name: 'unavailable', status: 503 },
  { name: 'unavailable-for-seconds', status: 503, headers: { 'retry-after': '2' } },
  { name: 'gateway-timeout', status: 504 },
  { name: 'status-599', status: 599 },
  // After these the upstream is left alone for long: they are tried, but not often enough to be in the table.
  { name: 'unauthorized', status: 401, weight: 0.1 },
  { name: 'forbidden', status: 403, weight: 0.1 },
  { ...limited('retry-after-years', '999999999'), weight: 0.1 },
]

const texts: Readonly<Record<string, (body: string) => string>> = {
  'login-page': () => '<html><body>Sign in</body></html>',
  'cut-json': (body) => body.slice(0, -1),
  'half-json': (body) => body.slice(0, body.length / 2),
  'trailing-garbage': (body) => `${body} ok`,
  twice: (body) => body + body,
  'trailing-comma': (body) => body.replace(/\}$/, ',}'),
  'single-quotes': (body) => body.replaceAll('"', "'"),
  'nan-literal': (body) => body.replace(/:("?)[\d.]+\1/, ':NaN'),
  'json-null': () => 'null',
  'json-number': () => '42',
  'json-text': (body) => JSON.stringify(body),
  'json-list': (body) => `[${body}]`,
  'empty-object': () => '{}',
  'control-characters': (body) => body.replace(/":"/, '":"\u0001\n'),
  'deep-nesting': () => '['.repeat(100_000),
}

/** So large that reading them here as well would take minutes: no proper answer is found in them. */
const huge: typeof texts = {
  megabytes: () => 'x'.repeat(2_000_000),
  'megabytes-of-json': () => `{"jsonrpc":"2.0","validators":[${'1,'.repeat(1_000_000)}1]}`,
}

const textFaults = (all: typeof texts, counts: Fault['counts'], weight: number) =>
  Object.entries(all).map(([name, text]): Fault => ({
    name,
    phase: 'text of the body',
    counts,
    weight,
    make: (proper) => (proper.status === 200 ? withBody(proper, text(proper.body)) : undefined),
  }))

export const statusFaults: readonly Fault[] = [
  ...refusals.map(({ name, status, headers = {}, body = 'no', weight = 1 }): Fault => ({
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
  ...textFaults(texts, 'if it reads differently', 1),
  ...textFaults(huge, 'always', 0.7),
]
