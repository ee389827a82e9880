// Renders samples as exposition text. Text 0.0.4 and OpenMetrics 1.0 share the sample lines; only their headers differ.

import { entryOf } from '../lib/entry.ts'
import type { HistogramValue, Metric, Sample } from './define.ts'

export type Format = 'text' | 'openmetrics'

/** The sample lines of one metric in one unit, as UTF-8 in pieces: one text of many lines would be copied to become whole. */
export interface Family {
  name: string
  lines: readonly Uint8Array[]
  series: number
}

/** A sample whose labels are rendered. */
export interface Labelled extends Pick<Sample, 'metric' | 'value'> {
  /** `network="fuji",chain="c"`, in the order of the metric. */
  pairs: string
}

/** One family per metric, in the order in which the metrics first appear. */
export function renderFamilies(samples: readonly Sample[]): Family[] {
  return renderLines(samples.map(({ metric, labels, value }) => ({ metric, pairs: renderLabels(labels), value })))
}

/** The same for samples whose labels are rendered. */
export function renderLines(samples: readonly Labelled[]): Family[] {
  const sheets = new Map<string, ReturnType<typeof createSheet>>()
  for (const sample of samples) {
    const sheet = entryOf(sheets, sample.metric.name, createSheet)
    sheet.series += seriesOf(sample)
    sheet.add(renderSample(sample))
  }
  return [...sheets].map(([name, { series, end }]) => ({ name, lines: end(), series }))
}

/** Characters that are written at once: texts that fit a processor's cache are written several times faster. */
const AT_ONCE = 16_384
/** Bytes of a piece: the C library gives memory of this size back to the system as soon as it is free. */
const PIECE = 262_144

function createSheet() {
  const pieces: Uint8Array[] = []
  let text = ''
  let piece = Buffer.alloc(0)
  let used = 0

  function write(size: number): void {
    const length = Buffer.byteLength(text)
    if (length > piece.length - used) {
      if (used > 0) pieces.push(piece.subarray(0, used))
      piece = Buffer.allocUnsafeSlow(Math.max(size, length))
      used = 0
    }
    used += piece.write(text, used)
    text = ''
  }

  return {
    series: 0,
    add(more: string) {
      text += more
      if (text.length > AT_ONCE) write(PIECE)
    },
    /** The last piece takes no more memory than it needs. */
    end(): readonly Uint8Array[] {
      write(0)
      return [...pieces, used === piece.length ? piece : new Uint8Array(piece.subarray(0, used))]
    },
  }
}

/** A histogram has a series for each bound, +Inf included, and its sum and count; a state set has one for each state. */
export function seriesOf({ metric, value }: Pick<Sample, 'metric' | 'value'>): number {
  if (typeof value === 'number') return 1
  return typeof value === 'string' ? metric.states!.length : (metric.buckets?.length ?? 0) + 3
}

function renderSample({ metric, pairs, value }: Labelled): string {
  if (typeof value === 'number') return line(metric.name, pairs, value)
  return typeof value === 'string' ? renderStates(metric, pairs, value) : renderHistogram(metric, pairs, value)
}

/** `other` represents any unknown state. */
function renderStates({ name, states = [] }: Metric, pairs: string, current: string): string {
  const known = states.includes(current) ? current : 'other'
  let text = ''
  for (const state of states) {
    const own = `state="${state}"`
    text += line(name, pairs === '' ? own : `${pairs},${own}`, state === known ? 1 : 0)
  }
  return text
}

function renderHistogram({ name, buckets = [] }: Metric, pairs: string, { counts, sum }: HistogramValue): string {
  let count = 0
  let text = ''
  for (const [at, bound] of [...buckets.map(String), '+Inf'].entries()) {
    count += counts[at] ?? 0
    const own = `le="${bound}"`
    text += line(`${name}_bucket`, pairs === '' ? own : `${own},${pairs}`, count)
  }
  return text + line(`${name}_sum`, pairs, sum) + line(`${name}_count`, pairs, count)
}

export function renderLabels(labels: Readonly<Record<string, string | number>>): string {
  let text = ''
  for (const name in labels) {
    const pair = pairOf(name, String(labels[name]))
    text += text === '' ? pair : `,${pair}`
  }
  return text
}

export function pairOf(name: string, value: string): string {
  return `${name}="${escapeLabel(value)}"`
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

export type Described = Pick<Metric, 'name' | 'help' | 'type'>

export function renderHeader({ name, help, type }: Described, format: Format): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  if (format === 'text') return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n`
  const isInfo = type === 'gauge' && name.endsWith('_info')
  const family = isInfo ? name.slice(0, -'_info'.length) : type === 'counter' ? name.slice(0, -'_total'.length) : name
  return `# TYPE ${family} ${isInfo ? 'info' : type}\n# HELP ${family} ${escaped.replaceAll('"', '\\"')}\n`
}
