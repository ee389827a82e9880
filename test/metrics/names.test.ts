// Names are the public API: every metric there is, held against the rules of Prometheus and our own.

import { NEVER } from '../../src/lib/clock.ts'
import { describe, expect, test } from 'vitest'
import { collectors } from '../../src/collectors/index.ts'
import { daemonMetrics } from '../../src/self/daemon-metrics.ts'
import { emptyHistogram, type Metric } from '../../src/metrics/define.ts'
import { renderFamilies } from '../../src/metrics/exposition.ts'
import { createSelf } from '../../src/self/instance.ts'
import { createSnapshot } from '../../src/metrics/snapshot.ts'
import { configurationMetrics } from '../../src/self/known.ts'
import { storageMetrics } from '../../src/storage/storage-metrics.ts'
import { momentAt } from '../support/clock.ts'

const ours: readonly Metric[] = [
  ...collectors.flatMap(({ metrics }) => metrics),
  ...configurationMetrics,
  ...daemonMetrics,
  ...storageMetrics,
]
const self = createSelf('1.2.3').metrics
const all = [...ours, ...self]

const types = 'gauge|counter|histogram|summary|untyped|info|stateset'
const abbreviations = 's|ms|us|ns|sec|b|kb|mb|gb|tb|pb|m|h|d'
const multiples = 'micro|milli|centi|deci|deca|hecto|kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi|pebi'
const bases = 'amperes?|bytes?|celsius|grams?|joules?|kelvins?|meters?|metres?|moles?|seconds?|volts?'
const others =
  'minutes?|hours?|days?|weeks?|bits?|inch(es)?|feet|miles?|pounds?|fahrenheit|rankine|percent|nanoavax|navax'
/** Set by the scraper about its target, taken by the format, or too general to join on. */
const forbidden = 'job|instance|namespace|pod|service|container|endpoint|node|cluster|env|type|le|quantile'

const word = (words: string) => new RegExp(`(^|_)(${words})(_|$)`)
const rules: Record<string, (metric: Metric) => boolean> = {
  'no help': ({ help }) => help.trim() === '',
  'help is no sentence': ({ help }) => !/^[A-Z0-9].*[^.]\.$/.test(help),
  'help has several sentences': ({ help }) => /[.!?] /.test(help),
  'help has more than 25 words': ({ help }) => help.split(/\s+/).length > 25,
  'details are no single sentence': ({ details }) =>
    details !== undefined && (!/^[A-Z0-9`].*\.$/.test(details) || /[.!?] /.test(details)),
  'counter without _total': ({ name, type }) => type === 'counter' && !name.endsWith('_total'),
  '_total on what is no counter': ({ name, type }) => type !== 'counter' && name.endsWith('_total'),
  'reserved suffix': ({ name }) => /_(bucket|count|sum|created|gcount|gsum)$/.test(name),
  'type in the name': ({ name, type }) =>
    word(types).test(type === 'gauge' && name.endsWith('_info') ? name.slice(0, -'_info'.length) : name),
  'abbreviated unit': ({ name }) => word(abbreviations).test(name),
  'not a base unit': ({ name }) => word(`((${multiples})(${bases})|${others})`).test(name),
  'name of another form': ({ name }) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name),
  'label of another form': ({ labels }) => !labels.every((label) => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(label)),
  'forbidden label': ({ labels }) => labels.some((label) => new RegExp(`^(${forbidden})$`).test(label)),
  'label twice': ({ labels }) => new Set(labels).size < labels.length,
  'buckets not finite and ascending': ({ buckets = [] }) =>
    !buckets.every((bound, at) => Number.isFinite(bound) && (at === 0 || bound > buckets[at - 1]!)),
}
const broken = (metric: Metric) => Object.keys(rules).filter((rule) => rules[rule]!(metric))

describe('the rules', () => {
  const good: Metric = { name: 'stakewatch_a_seconds', help: 'A thing.', type: 'gauge', labels: ['network'] }
  test.each<[string, Partial<Metric>]>([
    ['no help', { help: ' ' }],
    ['help is no sentence', { help: 'a thing' }],
    ['help has several sentences', { help: 'A thing. Always 1.' }],
    ['help has more than 25 words', { help: `A${' thing'.repeat(25)}.` }],
    ['details are no single sentence', { details: 'One sentence. Two sentences.' }],
    ['details are no single sentence', { details: 'no full stop' }],
    ['counter without _total', { type: 'counter' }],
    ['_total on what is no counter', { name: 'stakewatch_a_total' }],
    ['reserved suffix', { name: 'stakewatch_a_count' }],
    ['type in the name', { name: 'stakewatch_gauge_seconds' }],
    ['type in the name', { name: 'stakewatch_info_total', type: 'counter' }],
    ['abbreviated unit', { name: 'stakewatch_a_ms' }],
    ['not a base unit', { name: 'stakewatch_a_days' }],
    ['not a base unit', { name: 'stakewatch_kilobytes_free' }],
    ['name of another form', { name: 'stakewatch_aThing' }],
    ['name of another form', { name: 'stakewatch:a' }],
    ['label of another form', { labels: ['nodeId'] }],
    ['forbidden label', { labels: ['type'] }],
    ['label twice', { labels: ['network', 'network'] }],
    ['buckets not finite and ascending', { type: 'histogram', buckets: [1, 1] }],
    ['buckets not finite and ascending', { type: 'histogram', buckets: [1, Infinity] }],
  ])('notice: %s (%o)', (rule, change) => {
    expect(broken(good)).toEqual([])
    expect(broken({ ...good, ...change })).toContain(rule)
  })
})

test.each(all)('$name keeps the rules', (metric) => {
  // Help texts of prom-client are its own.
  const isOurs = metric.name.startsWith('stakewatch_')
  expect(broken(metric).filter((rule) => isOurs || !rule.startsWith('help'))).toEqual([])
})

describe('the catalogue', () => {
  test('has one owner for each metric', () => {
    const names = all.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('carries our prefix on all that is ours', () => {
    expect(ours.filter(({ name }) => !name.startsWith('stakewatch_'))).toEqual([])
    expect(self.filter(({ name }) => !/^(stakewatch|process|nodejs)_/.test(name))).toEqual([])
  })

  test('begins each label set with the identity of the object; an opinion adds its source', () => {
    // docs: validator and what is only shown of one, also on a chain, subnet, chain, address, address on a chain, upstream, run, runs, and what there is once in a network.
    const identities = [
      'network,subnet,node_id,validator',
      'network,subnet,node_id,validator,chain',
      'network,subnet,validator',
      'network,subnet,validator,chain',
      'network,subnet',
      'network,chain',
      'network,address',
      'network,address,chain',
      'network,source',
      'network,collector,source,target',
      'network,collector,source',
      'network',
      // What a drill pretends to be about.
      'network,subnet,node_id,validator,source,chain,address',
      '',
    ]
    const identityLabels = new Set(identities.flatMap((labels) => labels.split(',')))
    const opinions = new Set(collectors.filter(({ observer }) => observer === 'each').flatMap(({ metrics }) => metrics))
    const astray = ours.filter((metric) => {
      // A condition is about any object.
      if (metric.name.startsWith('stakewatch_condition')) return false
      const own = metric.labels.findLastIndex((label) => identityLabels.has(label)) + 1
      const identity = metric.labels.slice(0, own).join(',')
      return !identities.some((labels) => identity === (opinions.has(metric) ? `${labels},source` : labels))
    })
    expect(astray).toEqual([])
  })

  test('is valid OpenMetrics: families apart and in one piece, the samples named as their type demands', () => {
    const snapshot = createSnapshot(all, 'self')
    const samples = all.map((metric) => ({
      metric,
      labels: Object.fromEntries(metric.labels.map((label) => [label, 'x'])),
      value: metric.type === 'histogram' ? emptyHistogram({ buckets: metric.buckets ?? [] }) : 1,
    }))
    snapshot.accept({
      kind: 'publish',
      key: 'all',
      families: renderFamilies(samples),
      expiresAt: NEVER,
    })
    const body = Buffer.concat(snapshot.body('openmetrics', momentAt(0))).toString()
    expect(body.endsWith('\n# EOF\n')).toBe(true)
    const suffixes = { gauge: [''], counter: ['_total'], info: ['_info'], histogram: ['_bucket', '_sum', '_count'] }
    const taken = new Set<string>()
    const families = body.slice(0, -'# EOF\n'.length).split(/^(?=# TYPE )/m)
    expect(families).toHaveLength(all.length)
    for (const family of families) {
      const form = /^# TYPE (\S+) (\w+)\n# HELP \1 [^\n]+\n((?:\w+(?:\{[^\n]*\})? \S+\n)+)$/
      expect(family).toMatch(form)
      const [, name = '', type = '', lines = ''] = form.exec(family)!
      const allowed = suffixes[type as keyof typeof suffixes].map((suffix) => `${name}${suffix}`)
      expect([...new Set(lines.match(/^\w+/gm))]).toEqual(allowed)
      // A family takes its own name and those of its samples; no other may have one of them.
      const claimed = new Set([name, ...allowed])
      expect([...claimed].filter((one) => taken.has(one))).toEqual([])
      for (const one of claimed) taken.add(one)
    }
  })
})
