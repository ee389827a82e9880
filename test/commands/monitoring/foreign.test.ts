// Answers of other programs that attack the command or the terminal.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  httpUrlText,
  jsonOf,
  lengthOf,
  numberText,
  readYaml,
  samplesOf,
  timeText,
  timestamp,
  withHosts,
} from '../../../src/commands/monitoring/foreign.ts'

describe('JSON', () => {
  test.each([
    ['an escape sequence', String.raw`"a\u001b[2Jb"`, 'a?[2Jb'],
    ['in capitals', String.raw`"\u001B\u009B"`, '??'],
    ['sent as it is', '"a\u009b31mb"', 'a?31mb'],
    ['a carriage return', String.raw`"ok\rfailed"`, 'ok?failed'],
    ['a backspace and a form feed', String.raw`"a\b\f"`, 'a??'],
    ['what turns the direction of writing', String.raw`"a\u202eb\u2066"`, 'a?b?'],
    ['a line end of Unicode', '"a\u2028b"', 'a?b'],
    ['an escaped backslash before u001b is text', String.raw`"\\u001b"`, String.raw`\u001b`],
    ['three backslashes', String.raw`"\\\u001b"`, '\\?'],
    ['lines and tabs stay', String.raw`"a\n\tb"`, 'a\n\tb'],
    ['other escapes stay', String.raw`"\u00e9\u2020\"\/"`, 'é†"/'],
    ['half of a pair of surrogates', String.raw`"a\ud83db\uDE00"`, 'a?b?'],
    ['a pair of surrogates stays', String.raw`"\ud83d\ude00"`, '\u{1f600}'],
    ['a pair after half of one', String.raw`"\ud83d\ud83d\ude00"`, '?\u{1f600}'],
    ['an escaped backslash before ud83d is text', String.raw`"\\ud83d"`, String.raw`\ud83d`],
    ['line ends of the document', '"a"\r\n', 'a'],
  ])('%s', (_, text, expected) => expect(jsonOf(text)).toBe(expected))

  test('names of members, too', () => expect(jsonOf(String.raw`{"a\u001b":1}`)).toEqual({ 'a?': 1 }))
  test('what is no JSON is undefined', () => expect(jsonOf('<html>')).toBeUndefined())
})

describe('YAML', () => {
  const form = z.object({ a: z.string() })
  const deep = (levels: number) => `a: ${'['.repeat(levels)}${']'.repeat(levels)}`
  const bomb = [
    'a: &a0 [x, x]',
    ...Array.from({ length: 30 }, (_, at) => `b${at}: &a${at + 1} [*a${at}, *a${at}]`),
  ].join('\n')

  test.each([
    ['text', 'a: b', 'b'],
    ['a control character', String.raw`a: "b\e[2J"`, 'b?[2J'],
    ['half of a pair of surrogates', String.raw`a: "b\ud83d"`, 'b?'],
    ['lines', 'a: |\n  b\n  c\n', 'b\nc\n'],
  ])('%s', (_, text, expected) => expect(readYaml(form, text, 'it')).toEqual({ a: expected }))

  test.each([
    ['broken', 'a: [', /Flow sequence/],
    ['several documents', 'a: b\n---\na: c\n', /multiple documents/],
    ['an alias bomb', bomb, /[Aa]lias/],
    ['an alias of itself', 'a: &a [*a]', /deeper than 64/],
    ['65 levels', deep(65), /deeper than 64 levels/],
    ['100,000 levels', deep(100_000), /deeper than 64/],
    ['another form', 'a: 1', /a: .*expected string/],
    ['nothing', '', /expected object/],
    ['escape sequences in a key', String.raw`"\e[2J": [`, /^[^\p{Cc}]*$/u],
  ])('refuses %s', (_, text, details) => {
    const error = (() => {
      try {
        return readYaml(form, text, 'the configuration')
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toMatchObject({
      code: 'bad_response',
      message: 'the configuration has another form than documented',
      details: expect.stringMatching(details) as string,
    })
  })
})

test.each<[string, z.ZodType, unknown, boolean]>([
  ['a time', timeText, '2026-12-01T00:00:00.000Z', true],
  ['no time', timeText, 'tomorrow', false],
  ['an empty time', timeText, '', false],
  ['a second', timestamp, 1_790_000_000.25, true],
  ['a second beyond all dates', timestamp, 1e17, false],
  ['a second before all dates', timestamp, -1e17, false],
  ['a URL', httpUrlText, 'http://10.0.0.1:9093/api/v2/alerts', true],
  ['a relative URL', httpUrlText, '/api/v2/alerts', false],
  ['a script', httpUrlText, 'javascript:alert(1)', false],
  ['a URL without a host', httpUrlText, 'http://', false],
])('%s', (_, form, value, isValid) => expect(form.safeParse(value).success).toBe(isValid))

test.each([
  ['Get "http://me:secret@10.0.0.1:19650/metrics?token=secret": EOF', 'Get "10.0.0.1:19650": EOF'],
  ['HTTPS://me:secret@a.example/x, and http://b.example', 'a.example and b.example'],
  ['http://[::1]:9650/secret', '[::1]:9650'],
  ['http://me:p@ss/word@host/secret', 'ss'],
  ['http://%zz/secret', '…'],
  ['no URL: 10.0.0.1:19650', 'no URL: 10.0.0.1:19650'],
])('of URLs only the host is shown: %s', (text, shown) => expect(withHosts(text)).toBe(shown))

test('an exposition cannot move the cursor, and a long word takes linear time', () => {
  const word = 'a'.repeat(200_000)
  expect(samplesOf(`a{b="\u001b[2J\\n"} 1\nc{${word}} 2\n`)).toEqual([
    { name: 'a', labels: { b: '?[2J\n' }, value: 1 },
    { name: 'c', labels: {}, value: 2 },
  ])
})

test('of an exposition, values that Prometheus does not read are left out', () => {
  const lines = ['a 1.5e3', 'b -Inf', 'c NaN', 'd 0x10', 'e abc', 'f 1_000', 'g 1e', 'h +7', 'i .5', 'j 5.']
  expect(samplesOf(`${lines.join('\n')}\n`).map(({ name, value }) => [name, value])).toEqual([
    ['a', 1_500],
    ['b', -Infinity],
    ['c', NaN],
    ['h', 7],
    ['i', 0.5],
    ['j', 5],
  ])
})

test.each<[string, number | undefined]>([
  ['1', 1],
  ['-0.25', -0.25],
  ['1e+06', 1_000_000],
  ['1.5e-7', 1.5e-7],
  ['NaN', NaN],
  ['+Inf', Infinity],
  ['-Inf', -Infinity],
  // No number is unknown, and not 0.
  ['', undefined],
  [' ', undefined],
  ['0x10', undefined],
  ['1_000', undefined],
  ['null', undefined],
  ['Infinity', undefined],
])('the value %j is %d', (text, value) => expect(numberText.safeParse(text).data).toBe(value))

const DAY = 86_400_000

test.each<[string, number | undefined]>([
  ['15s', 15_000],
  ['1h30m', 5_400_000],
  ['1w', 7 * DAY],
  ['1w2d', 9 * DAY],
  ['1y', 365 * DAY],
  ['1y2w3d4h', 365 * DAY + 14 * DAY + 3 * DAY + 14_400_000],
  ['0s', 0],
  ['', undefined],
  ['w', undefined],
  ['1d1w', undefined],
  ['soon', undefined],
  ['9999999999999d', undefined],
  [`${'9'.repeat(400)}y`, undefined],
])('the length of time %j has %d ms', (text, length) => expect(lengthOf(text)).toBe(length))
