// The template functions of Prometheus.

import type { Reading } from '../conditions/board.ts'

export type Value = string | number | boolean | readonly Reading[] | Reading

/** A whole vector has no text: none of our templates prints one. */
export const textOf = (value: Value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Go's %.4g: four significant digits, and an exponent for very large or small numbers. */
function fourDigits(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return '0'
  const [digits = '', exponent = '0'] = exponential(value).split('e')
  const power = Number(exponent)
  if (power < -4 || power >= 4) {
    const sign = power < 0 ? '-' : '+'
    return `${Number(digits)}e${sign}${String(Math.abs(power)).padStart(2, '0')}`
  }
  return String(Number(exponential(value)))
}

/** Go rounds halves to even; JavaScript rounds them away from 0. */
function exponential(value: number): string {
  const [, even, exponent] = /^(-?\d\.\d\d[02468])50*e(.*)$/.exec(value.toExponential(20)) ?? []
  return even === undefined ? value.toExponential(3) : `${even}e${exponent}`
}

const LARGE = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const SMALL = ['m', 'u', 'n', 'p', 'f', 'a', 'z', 'y']

/** Scales a number by powers of 1,000 and appends its unit prefix. */
function humanize(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return fourDigits(value)
  const isLarge = Math.abs(value) >= 1
  const by = isLarge ? 1 / 1_000 : 1_000
  let [left, prefix] = [value, '']
  for (const next of isLarge ? LARGE : SMALL) {
    if (isLarge ? Math.abs(left) < 1_000 : Math.abs(left) >= 1) break
    prefix = next
    left *= by
  }
  return `${fourDigits(left)}${prefix}`
}

function humanizeDuration(value: number): string {
  if (!Number.isFinite(value)) return fourDigits(value)
  if (Math.abs(value) < 1) return `${humanize(value)}s`
  const sign = value < 0 ? '-' : ''
  const whole = Math.trunc(Math.abs(value))
  const days = Math.floor(whole / 86_400)
  const hours = Math.floor(whole / 3_600) % 24
  const minutes = Math.floor(whole / 60) % 60
  const seconds = `${whole % 60}s`
  if (days > 0) return `${sign}${days}d ${hours}h ${minutes}m ${seconds}`
  if (hours > 0) return `${sign}${hours}h ${minutes}m ${seconds}`
  if (minutes > 0) return `${sign}${minutes}m ${seconds}`
  return `${fourDigits(value)}s`
}

/** The greatest time of Go in nanoseconds, in seconds: beyond it Prometheus has no time. */
const LATEST = 2 ** 63 / 1e9

/** The format in which Go prints a UTC time, to the millisecond. */
function humanizeTimestamp(value: number): string {
  if (!(Math.abs(value) < LATEST)) return fourDigits(value)
  const [day, time = ''] = new Date(Math.round(value * 1_000)).toISOString().split('T')
  return `${day} ${time.replace(/(\.\d*?)0*Z$/, '$1').replace(/\.$/, '')} +0000 UTC`
}

type Of = (...args: readonly Value[]) => Value

const ofNumber =
  (make: (value: number) => string): Of =>
  (value) =>
    make(Number(value))

/** The verbs of Go's printf that the rules use: %s, and %q for quoted text. */
function printf(format: Value, ...args: readonly Value[]): string {
  const left = [...args]
  return textOf(format).replaceAll(/%([sq])/g, (_, verb: string) => {
    const text = textOf(left.shift() ?? '')
    return verb === 'q' ? JSON.stringify(text) : text
  })
}

export const functions: ReadonlyMap<string, Of> = new Map<string, Of>([
  ['eq', (first, ...others) => others.some((one) => one === first)],
  ['ne', (first, other) => first !== other],
  ['gt', (a, b) => Number(a) > Number(b)],
  ['lt', (a, b) => Number(a) < Number(b)],
  ['or', (...all) => all.find(Boolean) ?? all.at(-1)!],
  ['humanize', ofNumber(humanize)],
  ['humanizeDuration', ofNumber(humanizeDuration)],
  ['humanizeTimestamp', ofNumber(humanizeTimestamp)],
  ['humanizePercentage', ofNumber((value) => `${fourDigits(value * 100)}%`)],
  ['printf', printf],
  ['reReplaceAll', (pattern, by, text) => textOf(text).replaceAll(new RegExp(textOf(pattern), 'g'), textOf(by))],
  ['first', (samples) => (samples as readonly Reading[])[0]!],
  ['label', (name, sample) => (sample as Reading).labels[textOf(name)] ?? ''],
  ['value', (sample) => (sample as Reading).value],
])
