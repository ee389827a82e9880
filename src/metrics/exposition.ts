// Samples to exposition text. Text 0.0.4 and OpenMetrics 1.0 share the sample lines and differ in headers alone.

import type { HistogramValue, Metric, Sample } from './define.ts'

export type Format = 'text' | 'openmetrics'

/** The sample lines of one metric in one unit, as UTF-8. */
export interface Family {
  name: string
  lines: Uint8Array
  series: number
}

const encoder = new TextEncoder()

/** One family per metric, in the order in which the metrics first appear. */
export function renderFamilies(samples: readonly Sample[]): Family[] {
  const texts = new Map<string, { text: string; series: number }>()
  for (const { metric, labels, value } of samples) {
    let family = texts.get(metric.name)
    if (family === undefined) texts.set(metric.name, (family = { text: '', series: 0 }))
    family.text += renderSample(metric, labels, value)
    family.series += seriesOf({ metric, value })
  }
  return [...texts].map(([name, { text, series }]) => ({ name, lines: encoder.encode(text), series }))
}

/** A histogram is a series for each bound, +Inf among them, with its sum and its count. */
export function seriesOf({ metric: { buckets = [] }, value }: Pick<Sample, 'metric' | 'value'>): number {
  return typeof value === 'number' ? 1 : buckets.length + 3
}

function renderSample(
  metric: Metric,
  labels: Readonly<Record<string, string>>,
  value: number | HistogramValue,
): string {
  const pairs = renderLabels(labels)
  if (typeof value === 'number') return line(metric.name, pairs, value)
  const bounds = [...(metric.buckets ?? []).map(String), '+Inf']
  let count = 0
  let text = ''
  bounds.forEach((bound, at) => {
    count += value.counts[at] ?? 0
    const all = pairs === '' ? `le="${bound}"` : `le="${bound}",${pairs}`
    text += line(`${metric.name}_bucket`, all, count)
  })
  text += line(`${metric.name}_sum`, pairs, value.sum)
  return text + line(`${metric.name}_count`, pairs, count)
}

export function renderLabels(labels: Readonly<Record<string, string | number>>): string {
  let text = ''
  for (const name in labels) {
    text += `${text === '' ? '' : ','}${name}="${escapeLabel(String(labels[name]))}"`
  }
  return text
}

export function line(name: string, pairs: string, value: number): string {
  return pairs === '' ? `${name} ${number(value)}\n` : `${name}{${pairs}} ${number(value)}\n`
}

function number(value: number): string {
  if (Number.isNaN(value)) return 'Nan'
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  return String(value)
}

function escapeLabel(value: string): string {
  return /["\\\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"') : value
}

/** What stands before the sample lines of a metric. */
export function renderHeader({ name, help, type }: Pick<Metric, 'name' | 'help' | 'type'>, format: Format): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  if (format === 'text') return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n`
  const isInfo = type === 'gauge' && name.endsWith('_info')
  const family = isInfo ? name.slice(0, -'_info'.length) : type === 'counter' ? name.slice(0, -'_total'.length) : name
  return `# TYPE ${family} ${isInfo ? 'info' : type}\n# HELP ${family} ${escaped.replaceAll('"', '\\"')}\n`
}
