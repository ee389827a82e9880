import { describe, expect, test } from 'vitest'
import { BaseError } from '../src/errors.ts'
import { secretUrl } from '../src/lib/secret.ts'
import { createLogger, logFormats, type LogOptions } from '../src/logger.ts'

const utc = '2026-01-02T03:04:05.678Z'
const now = Date.parse(utc)

function open(format: LogOptions['format'], level: LogOptions['level'] = 'info') {
  const lines: string[] = []
  const log = createLogger({ level, format, write: (line) => lines.push(line), now: () => now })
  return { log, lines }
}

describe('each format writes one event as one write', () => {
  const details = { network: 'fuji', tasks: 3, reason: 'no answer' }
  test.each<[LogOptions['format'], string]>([
    ['logfmt', `ts=${utc} level=warn msg="collector fails" network=fuji tasks=3 reason="no answer"\n`],
    [
      'json',
      `{"level":"warn","ts":"${utc}","network":"fuji","tasks":3,"reason":"no answer","msg":"collector fails"}\n`,
    ],
  ])('%s', (format, expected) => {
    const { log, lines } = open(format)
    log.warn(details, 'collector fails')
    expect(lines).toEqual([expected])
  })
})

test.each<[string, unknown, string]>([
  ['a word', 'node-a:9650/ext', ' v=node-a:9650/ext'],
  ['letters of any language', 'Zürich', ' v=Zürich'],
  ['nothing', '', ' v=""'],
  ['spaces', 'a b', ' v="a b"'],
  ['quotes', 'say "a"', String.raw` v="say \"a\""`],
  ['what looks like another pair', 'a=b', ' v="a=b"'],
  ['a backslash', 'a\\b', String.raw` v="a\\b"`],
  ['line breaks', 'a\r\nlevel=info', String.raw` v="a\r\nlevel=info"`],
  ['what a terminal obeys', '\u001b[31m\u009b2J\u007f', String.raw` v="\u001b[31m\u009b2J\u007f"`],
  ['undefined', undefined, ''],
  ['null', null, ' v=null'],
  ['the word null', 'null', ' v="null"'],
  ['half of a character', 'a\ud800', String.raw` v="a\ud800"`],
  ['bytes that were no text', '\ufffd', ' v="\ufffd"'],
  ['a number', 1.5, ' v=1.5'],
  ['a big integer', 2n ** 64n, ' v=18446744073709551616'],
  ['a boolean', false, ' v=false'],
  ['an object', { a: [1, 'b c'] }, String.raw` v="{\"a\":[1,\"b c\"]}"`],
  ['a list of numbers', [1, 2], ' v=[1,2]'],
])('logfmt of %s', (_, v, expected) => {
  const { log, lines } = open('logfmt')
  log.info({ v }, 'm')
  expect(lines).toEqual([`ts=${utc} level=info msg=m${expected}\n`])
})

describe('characters that a terminal or a reader of lines would obey', () => {
  const hostile = [0x00, 0x07, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0x2028, 0x2029]
  const logged = (format: LogOptions['format'], code: number) => {
    const { log, lines } = open(format)
    const character = String.fromCharCode(code)
    log.warn({ plain: character, deep: { value: `a${character}b` }, list: [character] }, 'm')
    return lines.join('')
  }

  test.each(logFormats.flatMap((format) => hostile.map((code) => [format, code] as const)))(
    'are escaped: %s, %i',
    (format, code) => {
      const line = logged(format, code)
      expect(line.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      expect(line).toMatch(/\\u00|\\u202|\\r/)
    },
  )

  test.each(hostile)('stay what they are for who parses the JSON: %i', (code) => {
    const character = String.fromCharCode(code)
    expect(JSON.parse(logged('json', code))).toMatchObject({ plain: character, list: [character] })
  })

  test.each(logFormats)('line feeds of values are escaped: %s', (format) => {
    const { log, lines } = open(format)
    log.warn({ value: 'a\nlevel=error' }, 'm')
    expect(lines.join('')).not.toMatch(/^level=error/m)
  })
})

describe('errors and secrets', () => {
  test.each(logFormats)('are logged without stack, cause and key: %s', (format) => {
    const cause = new Error('connect http://u:KEY@127.0.0.1/KEY')
    const error = new BaseError('network', 'the connection failed', { cause, details: 'ECONNREFUSED' })
    const { log, lines } = open(format)
    const url = secretUrl('http://u:KEY@127.0.0.1:9650/KEY?key=KEY')
    log.warn({ err: error, error, nested: { error, cause }, url, urls: [url] }, 'collector fails')
    log.warn(error, 'collector fails')
    const all = lines.join('')
    expect(all).not.toContain('KEY')
    expect(all).not.toContain('logger.test')
    expect(all.split('network: the connection failed')).toHaveLength(4)
    expect(all.split('127.0.0.1:9650')).toHaveLength(3)
  })

  test('an error of the platform is its message', () => {
    const { log, lines } = open('logfmt')
    log.warn({ error: new TypeError('not a function') }, 'm')
    expect(lines).toEqual([`ts=${utc} level=warn msg=m error="not a function"\n`])
  })
})

test.each<[LogOptions['level'], string[]]>([
  ['debug', ['info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
])('the level %s lets %j through', (level, expected) => {
  const { log, lines } = open('json', level)
  log.info({}, 'm')
  log.warn({}, 'm')
  log.error({}, 'm')
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(expected)
})
