// prom-client is the oracle: the same samples must come out as the same text.

import * as fc from 'fast-check'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { emptyHistogram, observe, ofDaemon, ofUpstream, type Sample } from '../../src/metrics/define.ts'
import { renderFamilies, renderHeader } from '../../src/metrics/exposition.ts'

const letters = [
  '"',
  '\\',
  '\n',
  '\\n',
  '\r',
  '\u0000',
  ',',
  '=',
  '}',
  ' ',
  'a',
  'é',
  '\u2028',
  '𝒳',
  '\ud835',
  '\udcb3',
]
const text = fc.oneof(fc.string({ unit: fc.constantFrom(...letters) }), fc.string({ unit: 'binary' }))
const amounts = [0, 5e-324, 1e-7, 0.1 + 0.2, 1e21, 2 ** 53 + 2, Number.MAX_VALUE]
const amount = fc.oneof(fc.constantFrom(...amounts), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }))
const anyNumber = fc.oneof(fc.constantFrom(...amounts, NaN, Infinity, -Infinity, -0, -1e21), fc.double())

const labels = fc.record({ network: text, source: text, state: text })
/** Label sets that prom-client can distinguish: it joins names and values without escaping. */
const labelSets = <T>(value: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.record({ labels, value }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ labels: { network, source, state } }) => `network:${network},source:${source},state:${state},`,
  })
const bounds = fc
  .uniqueArray(amount, { minLength: 1, maxLength: 4, comparator: 'SameValueZero' })
  .map((values) => values.toSorted((a, b) => a - b))
const help = text.filter((words) => words !== '')
const names = ['network', 'source', 'state'] as const

const gaugeCase = fc.record({ type: fc.constant('gauge' as const), help, sets: labelSets(anyNumber), bare: anyNumber })
const counterCase = fc.record({ type: fc.constant('counter' as const), help, sets: labelSets(amount), bare: amount })
const histogramCase = fc.record({
  type: fc.constant('histogram' as const),
  help,
  buckets: bounds,
  sets: labelSets(fc.array(amount)),
  bare: fc.array(amount),
})
const cases = fc.array(fc.oneof(gaugeCase, counterCase, histogramCase), { minLength: 1, maxLength: 4 })

type Case = typeof cases extends fc.Arbitrary<(infer T)[]> ? T : never

/** The case as our samples, and the same given to prom-client; each metric once with labels and once without. */
function both(one: Case, at: number, register: Registry): Sample[] {
  const name = `stakewatch_m${at}` as const
  const registers = [register]
  const { help } = one
  if (one.type === 'gauge') {
    const theirs = new Gauge({ name, help, registers, labelNames: names })
    const theirBare = new Gauge({ name: `${name}_bare`, help, registers })
    const ours = ofUpstream.gauge(name, { help, labels: ['state'] })
    for (const { labels, value } of one.sets) theirs.set(labels, value)
    theirBare.set(one.bare)
    const bare = ofDaemon.gauge(`${name}_bare`, { help }).sample({}, one.bare)
    return [...one.sets.map(({ labels, value }) => ours.sample(labels, value)), bare]
  }
  if (one.type === 'counter') {
    const total = `${name}_total` as const
    const bareTotal = `${name}_bare_total` as const
    const theirs = new Counter({ name: total, help, registers, labelNames: names })
    const theirBare = new Counter({ name: bareTotal, help, registers })
    const ours = ofUpstream.counter(total, { help, labels: ['state'] })
    for (const { labels, value } of one.sets) theirs.inc(labels, value)
    theirBare.inc(one.bare)
    const bare = ofDaemon.counter(bareTotal, { help }).sample({}, one.bare)
    return [...one.sets.map(({ labels, value }) => ours.sample(labels, value)), bare]
  }
  const { buckets } = one
  const theirs = new Histogram({ name, help, registers, buckets, labelNames: names })
  const theirBare = new Histogram({ name: `${name}_bare`, help, registers, buckets })
  const ours = ofUpstream.histogram(name, { help, buckets, labels: ['state'] })
  const oursBare = ofDaemon.histogram(`${name}_bare`, { help, buckets })
  const observed = (values: readonly number[]) => observe(ours, emptyHistogram(ours), values)
  for (const { labels, value } of one.sets) {
    theirs.zero(labels)
    for (const seen of value) theirs.observe(labels, seen)
  }
  for (const seen of one.bare) theirBare.observe(seen)
  const bare = oursBare.sample({}, observed(one.bare))
  return [...one.sets.map(({ labels, value }) => ours.sample(labels, observed(value))), bare]
}

/** Families in the order of their first sample, a blank line between them, which prom-client puts there. */
function exposition(samples: readonly Sample[]): Buffer {
  const metrics = new Map(samples.map(({ metric }) => [metric.name, metric]))
  const families = renderFamilies(samples).map(({ name, lines }) =>
    Buffer.concat([Buffer.from(renderHeader(metrics.get(name)!, 'text')), ...lines]),
  )
  return Buffer.concat(families.flatMap((family, at) => (at === 0 ? [family] : [Buffer.from('\n'), family])))
}

describe('the text format', () => {
  test('is, byte for byte, what prom-client makes of the same samples', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (all) => {
        const register = new Registry()
        const samples = all.flatMap((one, at) => both(one, at, register))
        expect(exposition(samples).toString()).toBe(Buffer.from(await register.metrics()).toString())
      }),
      { numRuns: 300 },
    )
  })

  test('gathers the samples of a metric, however they come, in their order', () => {
    const a = ofUpstream.gauge('stakewatch_a', { help: 'A.' })
    const b = ofDaemon.gauge('stakewatch_b', { help: 'B.' })
    const of = (source: string) => ({ network: 'fuji', source })
    const families = renderFamilies([a.sample(of('z'), 1), b.sample({}, 2), a.sample(of('y'), 3)])
    expect(families.map(({ name, lines, series }) => [name, Buffer.concat(lines).toString(), series])).toEqual([
      ['stakewatch_a', 'stakewatch_a{network="fuji",source="z"} 1\nstakewatch_a{network="fuji",source="y"} 3\n', 2],
      ['stakewatch_b', 'stakewatch_b 2\n', 1],
    ])
  })

  test.each([
    ['none of its characters takes more than a byte', 'node-a', 20_000],
    ['most of them take three', '\u20ac'.repeat(80), 4_000],
    ['one line is longer than a piece', 'x'.repeat(300_000), 3],
  ])('has all lines of a text that takes several pieces: %s', (_, source, count) => {
    const metric = ofUpstream.gauge('stakewatch_a', { help: 'A.' })
    const labels = { network: 'fuji', source }
    const [family] = renderFamilies(Array.from({ length: count }, (__, at) => metric.sample(labels, at)))
    const lines = Array.from({ length: count }, (__, at) => `stakewatch_a{network="fuji",source="${source}"} ${at}\n`)
    expect(family!.lines.length).toBeGreaterThan(1)
    expect(Buffer.concat(family!.lines).equals(Buffer.from(lines.join('')))).toBe(true)
  })

  test('counts each line of a histogram as a series', () => {
    const metric = ofDaemon.histogram('stakewatch_h', { help: 'H.', buckets: [1, 2] })
    const [family] = renderFamilies([metric.sample({}, { counts: [3, 0, 4], sum: 50 })])
    expect(Buffer.concat(family!.lines).toString()).toBe(
      [
        'stakewatch_h_bucket{le="1"} 3',
        'stakewatch_h_bucket{le="2"} 3',
        'stakewatch_h_bucket{le="+Inf"} 7',
        'stakewatch_h_sum 50',
        'stakewatch_h_count 7',
        '',
      ].join('\n'),
    )
    expect(family!.series).toBe(5)
  })
})

describe('headers', () => {
  // OpenMetrics 1.0: TYPE before HELP, counters and infos named without their suffix, quotes escaped as well.
  test.each([
    [
      { name: 'x_total', type: 'counter' },
      '# HELP x_total "a\\\\b"\\nc\n# TYPE x_total counter\n',
      '# TYPE x counter\n# HELP x \\"a\\\\b\\"\\nc\n',
    ],
    [
      { name: 'x_info', type: 'gauge' },
      '# HELP x_info "a\\\\b"\\nc\n# TYPE x_info gauge\n',
      '# TYPE x info\n# HELP x \\"a\\\\b\\"\\nc\n',
    ],
    [
      { name: 'x_seconds', type: 'histogram' },
      '# HELP x_seconds "a\\\\b"\\nc\n# TYPE x_seconds histogram\n',
      '# TYPE x_seconds histogram\n# HELP x_seconds \\"a\\\\b\\"\\nc\n',
    ],
  ] as const)('of %o', (metric, inText, inOpenMetrics) => {
    const help = '"a\\b"\nc'
    expect(renderHeader({ ...metric, help }, 'text')).toBe(inText)
    expect(renderHeader({ ...metric, help }, 'openmetrics')).toBe(inOpenMetrics)
  })
})
