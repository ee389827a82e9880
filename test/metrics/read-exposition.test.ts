import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ofDaemon } from '../../src/metrics/define.ts'
import { renderFamilies } from '../../src/metrics/exposition.ts'
import { readSamples } from '../../src/metrics/read-exposition.ts'

const read = (text: string) => readSamples(new TextEncoder().encode(text))

test.each([
  ['', []],
  ['# HELP a b{c="d"} 1\n# TYPE a gauge\n', []],
  ['a 1\n', [{ name: 'a', labels: {}, value: 1 }]],
  // Only a line feed ends a line.
  ['a{b="\r\u2028"} 1\n', [{ name: 'a', labels: { b: '\r\u2028' }, value: 1 }]],
  ['a{} 1\n', [{ name: 'a', labels: {}, value: 1 }]],
  ['a{b="c",d="e"} -2.5e-3\n', [{ name: 'a', labels: { b: 'c', d: 'e' }, value: -0.0025 }]],
  [String.raw`a{b="\\n\"}\n 1"} +Inf` + '\n', [{ name: 'a', labels: { b: '\\n"}\n 1' }, value: Infinity }]],
  [
    'a -Inf\nb Nan\n',
    [
      { name: 'a', labels: {}, value: -Infinity },
      { name: 'b', labels: {}, value: NaN },
    ],
  ],
])('%j holds %o', (text, samples) => {
  expect(read(text)).toEqual(samples)
})

test('what is rendered is read as it was, whatever its labels hold', () => {
  const metric = ofDaemon.gauge('stakewatch_a', { help: '', labels: ['one', 'two'] })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.double(), (one, two, value) => {
      const labels = { one: one.toWellFormed(), two: two.toWellFormed() }
      const [family] = renderFamilies([metric.sample(labels, value)])
      // The exposition has no negative zero.
      // An empty label is none.
      const kept = Object.fromEntries(Object.entries(labels).filter(([, text]) => text !== ''))
      expect(readSamples(Buffer.concat(family!.lines))).toEqual([
        { name: metric.name, labels: kept, value: value === 0 ? 0 : value },
      ])
    }),
  )
})

test('a histogram is its buckets, its sum and its count', () => {
  const metric = ofDaemon.histogram('stakewatch_a', { help: '', buckets: [1] })
  const [family] = renderFamilies([metric.sample({}, { counts: [2, 1], sum: 4 })])
  expect(readSamples(Buffer.concat(family!.lines))).toEqual([
    { name: 'stakewatch_a_bucket', labels: { le: '1' }, value: 2 },
    { name: 'stakewatch_a_bucket', labels: { le: '+Inf' }, value: 3 },
    { name: 'stakewatch_a_sum', labels: {}, value: 4 },
    { name: 'stakewatch_a_count', labels: {}, value: 3 },
  ])
})
