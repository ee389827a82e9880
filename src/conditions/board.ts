// What the judge may read: the current samples, by the object that they are about. A unit of samples is replaced as a whole, as it
// was published.

import { entryOf } from '../lib/entry.ts'
import type { Labels } from '../lib/label-text.ts'

/** One current sample. A state set has one for each state, or only the one of its current state. */
export interface Reading {
  labels: Labels
  value: number
}

export type Readings = ReadonlyMap<string, readonly Reading[]>

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
  readings: Map<string, Reading[]>
}

export interface Board {
  /** Replaces the samples of a unit; without any, the unit is gone. */
  replace(unit: string, readings: Readings): void
  things(kind: Kind): Iterable<Thing>
  /** The object of this kind that the labels name; undefined if nothing is known of it. */
  thing(kind: Kind, labels: Labels): Thing | undefined
}

const BETWEEN = '\n'

/** With the kind: a chain and a subnet may have the same name. */
export function keyOf(kind: Kind, labels: Labels): string {
  let key = kind + BETWEEN
  for (const name of kinds[kind]) key += (labels[name] ?? '') + BETWEEN
  return key
}

export function createBoard(): Board {
  const things = new Map<Kind, Map<string, Thing>>()
  /** What each unit has put where. */
  const units = new Map<string, { thing: Thing; metric: string; reading: Reading }[]>()

  function put(metric: string, reading: Reading) {
    const { labels } = reading
    const kind = kindOf(metric, labels)
    const key = keyOf(kind, labels)
    const thing = entryOf(
      entryOf(things, kind, () => new Map<string, Thing>()),
      key,
      () => ({ kind, key, labels: identityOf(kind, labels), readings: new Map() }),
    )
    entryOf(thing.readings, metric, () => []).push(reading)
    return { thing, metric, reading }
  }

  function take({ thing, metric, reading }: ReturnType<typeof put>): void {
    const left = thing.readings.get(metric)!
    left.splice(left.indexOf(reading), 1)
    if (left.length > 0) return
    thing.readings.delete(metric)
    if (thing.readings.size === 0) things.get(thing.kind)!.delete(thing.key)
  }

  return {
    replace(unit, readings) {
      const before = units.get(unit) ?? []
      const after = []
      for (const [metric, some] of readings) for (const reading of some) after.push(put(metric, reading))
      // Only then, so that an object that stays is the same one.
      for (const one of before) take(one)
      if (after.length > 0) units.set(unit, after)
      else units.delete(unit)
    },
    things: (kind) => things.get(kind)?.values() ?? [],
    thing: (kind, labels) => things.get(kind)?.get(keyOf(kind, labels)),
  }
}

/** The labels of the object among these. */
export function identityOf(kind: Kind, labels: Labels): Labels {
  const names = kind === 'validator' ? [...kinds.validator, 'validator'] : kinds[kind]
  return Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])))
}
