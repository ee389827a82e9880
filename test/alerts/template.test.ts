import { describe, expect, test } from 'vitest'
import { parseTemplate, render } from '../../src/alerts/template.ts'

const said = (text: string, value = 1, labels: Record<string, string> = {}) =>
  render(parseTemplate(text), { labels, value, query })

/** Knows one expression, with the labels that it is asked for. */
const query = (expression: string) => {
  if (expression === 'age{name="a \\"b\\""}') return [{ name: '', labels: { source: 'node-a' }, value: 90 }]
  return expression === 'several' ? ['b', 'c', 'a'].map((name) => ({ name: '', labels: { name }, value: 1 })) : []
}

// As Prometheus documents its functions of numbers.
describe('numbers', () => {
  test.each([
    ['humanize', 0, '0'],
    ['humanize', 1, '1'],
    ['humanize', 1_234_567, '1.235M'],
    ['humanize', 999.96, '1000'],
    ['humanize', 0.12, '120m'],
    ['humanize', 0.00001, '10u'],
    ['humanize', -45_000, '-45k'],
    ['humanizeTimestamp', 1_435_065_584, '2015-06-23 13:19:44 +0000 UTC'],
    ['humanizeTimestamp', 1_435_065_584.128, '2015-06-23 13:19:44.128 +0000 UTC'],
    // int64 nanoseconds end in 2262; Prometheus has no time beyond.
    ['humanizeTimestamp', 9_223_372_036, '2262-04-11 23:47:16 +0000 UTC'],
    ['humanizeTimestamp', 9_223_372_037, '9.223e+09'],
    ['humanizeTimestamp', 8.64e12 + 1, '8.64e+12'],
    ['humanizeTimestamp', -1e300, '-1e+300'],
    ['humanizeTimestamp', NaN, 'NaN'],
    ['humanizeDuration', 0, '0s'],
    ['humanizeDuration', 1, '1s'],
    ['humanizeDuration', 59.4, '59.4s'],
    ['humanizeDuration', 60, '1m 0s'],
    ['humanizeDuration', 3_600, '1h 0m 0s'],
    ['humanizeDuration', 86_400, '1d 0h 0m 0s'],
    ['humanizeDuration', 96_400.7, '1d 2h 46m 40s'],
    ['humanizeDuration', -1, '-1s'],
    ['humanizeDuration', 0.1, '100ms'],
    ['humanizeDuration', 0.0001, '100us'],
    ['humanizeDuration', NaN, 'NaN'],
    ['humanizePercentage', 0, '0%'],
    ['humanizePercentage', 1, '100%'],
    ['humanizePercentage', 0.1234, '12.34%'],
    ['humanizePercentage', 0.123456, '12.35%'],
    ['humanizePercentage', 1234.5, '1.234e+05%'],
  ])('%s of %d is %s', (call, value, text) => {
    expect(said(`{{ ${call} $value }}`, value)).toBe(text)
  })

  test.each([
    [0.5, '0.5'],
    [1e21, '1e+21'],
    [123_456_789, '1.23456789e+08'],
    [999_999.5, '999999.5'],
    [0.00001, '1e-05'],
    [Infinity, '+Inf'],
  ])('a plain %d is %s', (value, text) => {
    expect(said('{{ $value }}', value)).toBe(text)
  })
})

test.each([
  ['{{ $labels.a }}-{{ $labels.none }}', 'A-'],
  ['{{ if $labels.a }}yes{{ else }}no{{ end }}', 'yes'],
  ['{{ if $labels.none }}yes{{ else if eq $value 3.0 }}three{{ else }}no{{ end }}', 'three'],
  ['{{ if $labels.none }}1{{ else if $labels.b }}2{{ else if $labels.a }}3{{ else }}4{{ end }}!', '3!'],
  ['{{ with $labels.a }} of {{ . }}{{ end }}', ' of A'],
  ['{{ with $labels.none }} of {{ . }}{{ else }}nothing{{ end }}', 'nothing'],
  ['{{ or $labels.none "other" }}', 'other'],
  ['{{ if ne $labels.a $labels.b }}1{{ end }}{{ if ne $labels.a $labels.a }}2{{ end }}', '1'],
  ['{{ if gt $value 3.0 }}a{{ end }}{{ if or (lt $value 4.0) $labels.none }}b{{ end }}', 'b'],
  ['{{ $value | humanizePercentage }}', '300%'],
  ['{{ "a-a" | reReplaceAll "^a" "b" }}', 'b-a'],
])('%s', (text, expected) => {
  expect(said(text, 3, { a: 'A' })).toBe(expected)
})

test('a text asks for a label of another series', () => {
  const text = '{{ printf "age{name=%q}" $labels.name | query | first | label "source" }}'
  expect(said(text, 1, { name: 'a "b"' })).toBe('node-a')
})

const AGE =
  '{{ with printf "age{name=%q}" $labels.name | query }}{{ . | first | value | humanizeDuration }}{{ else }}?{{ end }}'
test.each([
  ['a "b"', '1m 30s'],
  ['other', '?'],
])('a text asks for the value of another series: of %s it is %s', (name, text) => {
  expect(said(AGE, 1, { name })).toBe(text)
})

test.each([
  ['{{ range query "up" }}{{ end }}', 'range is not known'],
  ['{{ if $value }}', 'has no end'],
  ['{{ end }}', 'unexpected'],
])('%s is refused', (text, problem) => {
  expect(() => parseTemplate(text)).toThrow(problem)
})
