// Samples, and label sets as keys. Labels are sorted by name, so equal sets have equal keys.

import type { Labels } from '../lib/label-text.ts'
import { inSteps, type Steps } from '../lib/steps.ts'
import type { Grouping } from './expression.ts'

export interface Sample {
  /** The metric name; '' after an operation has changed the value. */
  name: string
  labels: Labels
  value: number
}

/** Values of one series over time: one run for each change or gap. */
export interface Series {
  name: string
  labels: Labels
  runs: readonly Run[]
}

/** Successive equal samples; times in milliseconds. */
export interface Run {
  value: number
  first: number
  last: number
  count: number
}

export type Vector = readonly Sample[]

const BETWEEN = '\u00ff'

export function keyOf(labels: Labels): string {
  return keyWithout(labels, NONE)
}

const NONE: ReadonlySet<string> = new Set()

/** Joined, because a text made by `+=` stays a chain of its parts, which take more memory than the text. */
function keyWithout(labels: Labels, gone: ReadonlySet<string>): string {
  const parts: string[] = []
  for (const name in labels) if (!gone.has(name)) parts.push(name, labels[name]!)
  return parts.join(BETWEEN)
}

const keyOfSample = ({ name, labels }: Pick<Sample, 'name' | 'labels'>) => name + BETWEEN + keyOf(labels)

/** The key of the remaining labels. */
export function keyBy({ keep, labels: names }: Grouping): (labels: Labels) => string {
  if (keep) return (labels) => names.map((name) => labels[name] ?? '').join(BETWEEN)
  const gone = new Set(names)
  return (labels) => keyWithout(labels, gone)
}

export function groupedLabels(labels: Labels, { keep, labels: names }: Grouping): Labels {
  const left: Record<string, string> = {}
  for (const name in labels) if (names.includes(name) === keep) left[name] = labels[name]!
  return left
}

/** Throws when two samples have the same name and labels. */
export function* proveUnique(vector: Vector): Steps {
  const seen = new Set<string>()
  yield* inSteps(vector, (sample) => {
    const key = keyOfSample(sample)
    if (seen.has(key)) throw new Error(`several samples have the labels ${labelText(sample)}`)
    seen.add(key)
  })
}

export function labelText({ name, labels }: Pick<Sample, 'name' | 'labels'>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)
  return `${name}{${pairs.join(', ')}}`
}
