// What the judge may read: the current samples, by the object that they are about. A unit of samples is replaced as a whole, as it
// was published.

import { entryOf } from '../lib/entry.ts'
import { areSameLabels, type Labels } from '../lib/label-text.ts'
import type { Sample } from '../metrics/define.ts'
import type { Series } from '../metrics/read-exposition.ts'

/** One current sample. A state set has one for each state, or only the one of its current state. */
export interface Reading {
  labels: Labels
  value: number
}

/** By metric. */
export type Readings = ReadonlyMap<string, readonly Series[]>

/** Of a state set, only that of the current state. Distributions have none. */
export function currentSeries(samples: readonly Sample[]): Series[] {
  const all: Series[] = []
  for (const { metric, labels, value } of samples) {
    const { name, states } = metric
    if (typeof value === 'number') all.push({ name, labels, value })
    else if (typeof value === 'string') {
      all.push({ name, labels: { ...labels, state: states!.includes(value) ? value : 'other' }, value: 1 })
    }
  }
  return all
}

/** The labels that identify an object of each kind. */
export const kinds = {
  validator: ['network', 'subnet', 'node_id'],
  run: ['network', 'collector', 'source', 'target'],
  chain: ['network', 'chain'],
  wallet: ['network', 'address'],
  window: ['network', 'window'],
  node: ['network', 'source'],
  subnet: ['network', 'subnet'],
  network: ['network'],
  instance: [],
} as const satisfies Record<string, readonly string[]>

export type Kind = keyof typeof kinds

/** Metrics of nodes whose other labels would make them another object's. */
const aboutNodes: ReadonlySet<string> = new Set(['stakewatch_node_chain_failed'])

const byLabel = [
  ['collector', 'run'],
  ['node_id', 'validator'],
  ['address', 'wallet'],
  ['chain', 'chain'],
  ['subnet', 'subnet'],
  ['source', 'node'],
  ['window', 'window'],
  ['network', 'network'],
] as const

/** The most specific object that the labels name. */
function kindOf(metric: string, labels: Labels): Kind {
  if (aboutNodes.has(metric)) return 'node'
  return byLabel.find(([label]) => labels[label] !== undefined)?.[1] ?? 'instance'
}

/** An object of the configuration, or one that an upstream names, with what is known of it. */
export interface Thing {
  kind: Kind
  key: string
  /** Its identity, and its name if it is a validator. */
  labels: Labels
  /** Of all metrics: a map for each object took more memory than the series themselves. */
  series: Series[]
}

/** A series, and where it was put. */
interface Placed extends Series {
  thing: Thing
}

export interface Board {
  /** Replaces the samples of a unit; without any, the unit is gone. */
  replace(unit: string, series: readonly Series[]): void
  things(kind: Kind): Iterable<Thing>
  /** The object of this kind that the labels name; undefined if nothing is known of it. */
  thing(kind: Kind, labels: Labels): Thing | undefined
  /** All samples of these metrics, by metric. */
  readings(metrics: ReadonlySet<string>): Readings
}

/** The configuration names a validator. */
const NAMING = 'stakewatch_validator_tracked'
const BETWEEN = '\n'

/** With the kind: a chain and a subnet may have the same name. */
export function keyOf(kind: Kind, labels: Labels): string {
  let key = kind + BETWEEN
  for (const name of kinds[kind]) key += (labels[name] ?? '') + BETWEEN
  return key
}

/** The labels that a key has. */
export function labelsOfKey(key: string): Labels {
  const [kind, ...values] = key.split(BETWEEN)
  return Object.fromEntries(kinds[kind as Kind].map((name, at) => [name, values[at]!]))
}

export function createBoard(): Board {
  const things = new Map<Kind, Map<string, Thing>>()
  /** What each unit has put where. */
  const units = new Map<string, Placed[]>()
  /** How much there is that implies a thing: it is there as long, even without samples of its own. */
  const implied = new Map<Thing, number>()

  function thingOf(kind: Kind, labels: Labels): Thing {
    const ofKind = entryOf(things, kind, () => new Map<string, Thing>())
    return entryOf(ofKind, keyOf(kind, labels), () => {
      if (isOfNetwork(kind, labels)) imply(thingOf('network', labels), 1)
      return { kind, key: keyOf(kind, labels), labels: identityOf(kind, labels), series: [] }
    })
  }

  function imply(thing: Thing, more: 1 | -1): void {
    const count = (implied.get(thing) ?? 0) + more
    if (count > 0) implied.set(thing, count)
    else implied.delete(thing)
  }

  function put({ name, labels, value }: Series): Placed {
    const thing = thingOf(kindOf(name, labels), labels)
    const placed = { name, labels, value, thing }
    thing.series.push(placed)
    // After a change of the name, what was polled before still has the old one.
    if (name === NAMING) thing.labels = identityOf(thing.kind, labels)
    if (isOfNode(thing.kind, labels)) imply(thingOf('node', labels), 1)
    return placed
  }

  function take(placed: Placed): void {
    const { thing, labels } = placed
    thing.series.splice(thing.series.indexOf(placed), 1)
    dropIfGone(thing)
    if (isOfNode(thing.kind, labels)) release(thingOf('node', labels))
  }

  function release(thing: Thing): void {
    imply(thing, -1)
    dropIfGone(thing)
  }

  function dropIfGone(thing: Thing): void {
    const { kind, key, labels, series } = thing
    if (series.length > 0 || implied.has(thing)) return
    things.get(kind)!.delete(key)
    if (isOfNetwork(kind, labels)) release(thingOf('network', labels))
  }

  // The instance that judges is always there.
  imply(thingOf('instance', {}), 1)
  return {
    replace(unit, series) {
      const before = units.get(unit) ?? []
      // A poll mostly has the series of the last one.
      if (update(before, series)) return
      const after = series.map(put)
      // Only then, so that an object that stays is the same one.
      for (const one of before) take(one)
      if (after.length > 0) units.set(unit, after)
      else units.delete(unit)
    },
    things: (kind) => things.get(kind)?.values() ?? [],
    thing: (kind, labels) => things.get(kind)?.get(keyOf(kind, labels)),
    readings: (metrics) => readingsIn(things, metrics),
  }
}

function readingsIn(things: ReadonlyMap<Kind, ReadonlyMap<string, Thing>>, metrics: ReadonlySet<string>) {
  const found = new Map<string, Series[]>()
  for (const ofKind of things.values()) {
    for (const { series } of ofKind.values()) {
      for (const one of series) if (metrics.has(one.name)) entryOf(found, one.name, () => []).push(one)
    }
  }
  return found
}

/** Takes over the values, if there are the same series in the same order; false if not. */
function update(before: readonly Placed[], series: readonly Series[]): boolean {
  const isLast = ({ name, labels }: Series, at: number) =>
    before[at]!.name === name && areSameLabels(before[at]!.labels, labels)
  if (before.length !== series.length || !series.every(isLast)) return false
  series.forEach(({ value }, at) => (before[at]!.value = value))
  return true
}

/** Whatever is in a network implies it, and a node is implied by what it reports on chains and subnets. */
const isOfNetwork = (kind: Kind, labels: Labels) => kind !== 'network' && labels['network'] !== undefined
const isOfNode = (kind: Kind, { source }: Labels) => (kind === 'chain' || kind === 'subnet') && source !== undefined

/** The labels of the object among these. */
export function identityOf(kind: Kind, labels: Labels): Labels {
  const names = kind === 'validator' ? [...kinds.validator, 'validator'] : kinds[kind]
  return Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])))
}
