import { format, inspect } from 'node:util'
import { serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import { type Secret, secret, secretUrl } from '../../src/lib/secret.ts'
import { createLogger, logFormats } from '../../src/logger.ts'

const MARKER = 'MARKER'

/** Everything secret of it holds the marker; `shown` is what may be seen instead. */
const cases: [string, Secret, string][] = [
  ['a key', secret(`${MARKER}-key`), '***'],
  ['a URL with a key in its path', secretUrl(`https://data.example/${MARKER}/rpc`), 'data.example'],
  ['a URL with a key in its query', secretUrl(`https://data.example:8443/?key=${MARKER}`), 'data.example:8443'],
  ['a URL with credentials', secretUrl(`http://${MARKER}:${MARKER}@[::1]:9650/`), '[::1]:9650'],
]

/** Every way by which a value becomes text that people write without thinking of secrets. */
const ways: [string, (value: Secret) => string][] = [
  ['String()', (value) => String(value)],
  ['a template', (value) => `secret: ${value as unknown as string}`],
  ['concatenation', (value) => ''.concat(value as unknown as string)],
  ['join', (value) => [value].join()],
  ['a number', (value) => String(Number(value))],
  ['JSON', (value) => JSON.stringify(value)],
  ['JSON, nested', (value) => JSON.stringify({ node: [{ url: value }] })],
  ['JSON of a copy', (value) => JSON.stringify({ ...value })],
  ['inspect', (value) => inspect(value)],
  ['inspect, nested', (value) => inspect({ node: [{ url: value }] }, { depth: null })],
  ['inspect of a map', (value) => inspect(new Map([[value, value]]))],
  ['inspect beyond its depth', (value) => inspect({ a: { b: { c: { value } } } }, { depth: 0 })],
  ['inspect with everything hidden', (value) => inspect(value, { showHidden: true, getters: true, showProxy: true })],
  ['inspect without custom inspection', (value) => inspect(value, { customInspect: false, showHidden: true })],
  ['inspect of a copy', (value) => inspect({ ...value }, { customInspect: false })],
  ['%s', (value) => format('%s', value)],
  ['%o', (value) => format('%o', value)],
  ['%O', (value) => format('%O', { value })],
  ['%j', (value) => format('%j', value)],
  ['%d', (value) => format('%d', value)],
  ['the cause of an error', (value) => inspect(new Error('failed', { cause: value }))],
  ['a property of an error', (value) => inspect(Object.assign(new Error('failed'), { source: { url: value } }))],
  [
    'our error',
    (value) => inspect(new BaseError('network', 'failed', { cause: { url: value }, details: String(value) })),
  ],
  ['its keys and values', (value) => inspect([Reflect.ownKeys(value), Object.values(value), Object.entries(value)])],
  ['its source', (value) => Object.values(value).join('\n')],
]

describe.each(cases)('%s', (_, value, shown) => {
  test.each(ways)('does not print by way of %s', (_, way) => {
    expect(way(value)).not.toContain(MARKER)
  })

  test('shows what may be seen of it', () => {
    expect([String(value), JSON.stringify([value]), inspect(value), format('%s', value)]).toEqual([
      shown,
      `["${shown}"]`,
      shown,
      shown,
    ])
  })

  test.each([
    ['structuredClone', (one: Secret) => structuredClone({ one })],
    ['serialize', (one: Secret) => serialize({ one })],
  ])('cannot be copied by %s, and the refusal does not tell', (_, copy) => {
    let refusal: unknown
    try {
      copy(value)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(Error)
    expect(inspect(refusal, { showHidden: true })).not.toContain(MARKER)
  })

  test.each(logFormats)('does not print in a log line: %s', (format) => {
    let lines = ''
    const log = createLogger({ level: 'info', format, write: (line) => (lines += line) })
    log.warn({ url: value, source: { url: value }, error: new Error('failed', { cause: value }) }, 'request failed')
    expect(lines).toContain('request failed')
    expect(lines).toContain(shown)
    expect(lines).not.toContain(MARKER)
  })

  test('is revealed to the request that needs it, and cannot be changed', () => {
    expect(value.reveal()).toContain(MARKER)
    expect(Reflect.set(value, 'toString', () => value.reveal())).toBe(false)
  })
})

test('refuses a text that is no URL without repeating it', () => {
  let refusal: unknown
  try {
    secretUrl(`http://user:${MARKER}@10.0.0.5:port`)
  } catch (error) {
    refusal = error
  }
  expect(refusal).toBeInstanceOf(TypeError)
  expect(inspect(refusal, { showHidden: true })).not.toContain(MARKER)
})
