// One object as its conditions see it: its current samples, its relations, what is remembered of it, and facts that several
// conditions share.

import type { Thresholds } from '../alerts/thresholds.ts'
import { entryOf } from '../lib/entry.ts'
import { hasLabels, type Labels } from '../lib/label-text.ts'
import type { Series } from '../metrics/read-exposition.ts'
import { type Board, type Kind, type Reading, type Thing, keyOf } from './board.ts'
import type { Track } from './track.ts'

/** Something that conditions remember of an object of a kind. */
export interface Remembered {
  name: string
  of: Kind
  /** Seconds. */
  for: number
  /** It is looked at only this often (seconds): a counter grows with every poll, and what counts dips must not count each flicker. */
  every?: number
  /** The current value, undefined while it is not known; or those of several parts, by name. */
  read: (view: View) => number | undefined | ReadonlyMap<string, number>
}

/** What a condition reads: a metric by its name, or what is remembered. */
export type Input = string | Remembered

/** The metrics among these. */
export const metricsIn = (inputs: readonly Input[]): string[] => inputs.filter((one) => typeof one === 'string')

/** What all views of a round share. */
export interface Round {
  board: Board
  /** Seconds since the epoch. */
  now: number
  limits: Thresholds
  trackOf: (remembered: Remembered, thing: Thing, part: string | undefined) => Track
  /** Whether a condition is a problem of this object, before anything explains it. */
  isProblem: (condition: string, key: string) => boolean
  /** The labels of its problems, one for each part, that had lasted for long enough to page when the last round ended. */
  fired: (condition: string, key: string) => readonly Labels[]
  views: Map<Thing, View>
  /** Objects that are named and of which nothing is known. */
  nothing: Map<string, Thing>
}

const NO_SERIES: Series[] = []
/** Looking through this many series takes 0.1 µs. Finding one in a map takes a quarter of that or less, and the map takes memory. */
const FEW = 24

export class View {
  readonly #facts = new Map<unknown, unknown>()
  readonly #related = new Map<Kind, View>()
  /** Of an object with many. */
  #byMetric: Map<string, Series[]> | undefined
  readonly round: Round
  readonly thing: Thing

  constructor(round: Round, thing: Thing) {
    this.round = round
    this.thing = thing
  }

  get labels(): Labels {
    return this.thing.labels
  }

  /** Seconds since the epoch. */
  get now(): number {
    return this.round.now
  }

  get limits(): Thresholds {
    return this.round.limits
  }

  /** All series of the metric about the object, and others of an object with few. */
  #among(metric: string): readonly Series[] {
    const { series } = this.thing
    if (series.length <= FEW) return series
    this.#byMetric ??= Map.groupBy(series, ({ name }) => name)
    return this.#byMetric.get(metric) ?? NO_SERIES
  }

  /** All samples of the metric about the object. */
  all(metric: string): readonly Reading[] {
    return this.#among(metric).filter((one) => one.name === metric)
  }

  has(metric: string): boolean {
    return this.#among(metric).some((one) => one.name === metric)
  }

  /** The sample with these labels as well; the greatest if there are several. */
  value(metric: string, own?: Labels): number | undefined {
    let found: number | undefined
    for (const { name, labels, value } of this.#among(metric)) {
      if (name !== metric || (own !== undefined && !hasLabels(labels, own))) continue
      if (found === undefined || value > found) found = value
    }
    return found
  }

  /** The current state of a state set. */
  state(metric: string): string | undefined {
    return this.#among(metric).find((one) => one.name === metric && one.value === 1)?.labels['state']
  }

  /** The object of this kind that its labels and these name. It has no samples if nothing is known of it. */
  of(kind: Kind, more?: Labels): View {
    if (more) return this.#find(kind, { ...this.labels, ...more })
    return entryOf(this.#related, kind, () => this.#find(kind, this.labels))
  }

  #find(kind: Kind, labels: Labels): View {
    const { board, nothing } = this.round
    const thing = board.thing(kind, labels)
    if (thing) return viewOf(this.round, thing)
    const key = keyOf(kind, labels)
    const missing = entryOf(nothing, key, () => ({ kind, key, labels, series: NO_SERIES }))
    return viewOf(this.round, missing)
  }

  /** The objects of this kind in the same network. */
  *every(kind: Kind): Iterable<View> {
    for (const thing of this.round.board.things(kind)) {
      if (thing.labels['network'] === this.labels['network']) yield viewOf(this.round, thing)
    }
  }

  /** What is remembered of the object, or of one of its parts. */
  track(remembered: Remembered, part?: string): Track {
    return this.round.trackOf(remembered, this.thing, part)
  }

  /** Computed once for each object and round. */
  fact<Value>(compute: (view: View) => Value): Value {
    const known = this.#facts.get(compute)
    if (known !== undefined || this.#facts.has(compute)) return known as Value
    const value = compute(this)
    this.#facts.set(compute, value)
    return value
  }

  /** The labels of its parts, or its own, for which this condition had been a problem for long enough to page when the last round ended. */
  firedParts(condition: string): readonly Labels[] {
    return this.round.fired(condition, this.thing.key)
  }

  hasFired(condition: string): boolean {
    return this.firedParts(condition).length > 0
  }
}

export const viewOf = (round: Round, thing: Thing): View => entryOf(round.views, thing, () => new View(round, thing))
