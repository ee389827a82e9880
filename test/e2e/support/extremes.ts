// Extreme values in the place of real ones.

import { MappingType, type Panel, type ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Dataquery } from '@grafana/grafana-foundation-sdk/prometheus'
import type { Answer, Drawn } from '../eyes/seen.ts'

/** What an operator may call things, and what chains call them. Some look like numbers. */
const names = [
  'NodeID-KpNC8K2pY9wTmFf91JbsQCjjTeZS23Xn5',
  'NodeID-GzHUtZBWWJeeBJLqvdw7QWfqD4qJ1yKzi',
  '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
  '0x9857971828271189000000000000000000000000',
  '0xAbC4567890AbcDEF1234567890aBCdeF12345678',
  'P-avax1k8d2pj4z3h6m0w9q7r5t8y2u4i6o0p3a5s7d9f',
  'the-validator-of-the-second-rack-in-the-cellar-of-our-office',
  'MAINNET-VALIDATOR-OF-THE-WEST-WING-IN-AMSTERDAM-NUMBER-SEVEN',
  '123',
  '1e5',
  '0x10',
  'Infinity',
] as const

/** By unit, where the greatest there can be is less than 1e15: times of three centuries, heights, ids, shares, counts. */
const greatest: Readonly<Record<string, number>> = {
  s: 1e10,
  locale: 1e11 - 1,
  string: 2 ** 32 - 1,
  percentunit: 99.9,
  none: 99_999,
}

/** What Grafana writes with most letters, such as -10.00 weeks, and next to nothing. */
const longest = [
  1e-9, -1e-9, -0.000_012_3, -0.001_234_5, -0.009_99, 0.999_73, -9.996, -599.96, -999.96, -3_599, -9_999, -56_160,
  -839_400, -6_045_500, -9_999_000, -31_535_999, -9.999e9, -9.999e12,
]

/** A tile shows the first of them. */
function extremesOf(unit: string): (number | null)[] {
  const most = greatest[unit] ?? 1e15
  if (['locale', 'string', 'none'].includes(unit)) return [most, 0, null, NaN, Math.floor(most / 4)]
  const least = unit === 'bytes' ? 1 : 0
  return [most, -most, null, NaN, 0, ...longest.filter((one) => Math.abs(one) <= most && Math.abs(one) > least)]
}

function propertiesOf({ fieldConfig }: Panel, title: string | undefined): Map<string, unknown> {
  const own = fieldConfig!.overrides.filter(({ matcher }) => matcher.options === title)
  return new Map(own.flatMap(({ properties }) => properties).map(({ id, value }) => [id, value as unknown]))
}

/** What a query of the panel may give: of states all there are. */
function valuesOf(panel: Panel, refId: string): readonly (number | null)[] {
  const { renameByName = {} } = (panel.transformations?.find(({ id }) => id === 'organize')?.options ?? {}) as {
    renameByName?: Record<string, string>
  }
  const own = propertiesOf(panel, renameByName[`Value #${refId}`])
  const mappings = (panel.type === 'table' ? own.get('mappings') : panel.fieldConfig!.defaults.mappings) ?? []
  const states = (mappings as ValueMapping[])
    .filter(({ type }) => type === MappingType.ValueToText)
    .flatMap(({ options }) => Object.keys(options).map(Number))
  // One alone is the mark of a row without data.
  const unit = (panel.type === 'table' ? own.get('unit') : panel.fieldConfig!.defaults.unit) as string
  return states.length > 1 ? [...states, null] : [...extremesOf(unit), ...states]
}

/** Labels of a closed set, which no operator and no chain names. */
const closed = ['alertname', 'severity']

/** Queries of tiles shorten names themselves. */
function shortened(name: string, label: string, expr: string): string {
  const [, pattern] = new RegExp(`"${label}", "\\$1…\\$2", "${label}", "([^"]+)"`).exec(expr) ?? []
  return pattern === undefined ? name : name.replace(new RegExp(`^(?:${pattern})$`), '$1…$2')
}

/** The panel with these values for each query; every name is a row or a series. */
function filled(drawn: Drawn, named: readonly string[], valueOf: (refId: string, at: number) => number | null): Drawn {
  const queries = (drawn.panel.targets ?? []) as Dataquery[]
  const answers = queries.map(({ refId = '', expr }): readonly [string, Answer] => {
    const labels = Object.entries(drawn.answers[refId]?.[0]?.labels ?? {})
    const row = (name: string, at: number) => ({
      labels: Object.fromEntries(
        labels.map(([label, value]) => [label, closed.includes(label) ? value : shortened(name, label, expr)]),
      ),
      value: valueOf(refId, at),
    })
    return [refId, named.map(row)]
  })
  return { ...drawn, answers: Object.fromEntries(answers) }
}

/** The panel with all extremes. A tile shows one after the other. */
export function extremesIn(drawn: Drawn): Drawn[] {
  const valueOf = (refId: string, at: number) => {
    const values = valuesOf(drawn.panel, refId)
    return values[at % values.length]!
  }
  if (drawn.panel.type === 'table') return [filled(drawn, [...names, ...longest.map((_, at) => `row-${at}`)], valueOf)]
  if (drawn.panel.type !== 'stat') return [filled(drawn, names, valueOf)]
  return names.map((name, at) => filled(drawn, [name], (refId) => valueOf(refId, at)))
}

/** The panel with the least and with the greatest values. */
export function endsOf(drawn: Drawn): [least: Drawn, greatest: Drawn] {
  return [filled(drawn, ['a'], () => -1e10), filled(drawn, ['a'], () => 1e10)]
}
