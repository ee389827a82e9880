// Reads the history in chunks: all expressions over some evaluation times, in requests as small as the server demands. Values are
// kept as runs of equal ones, as most series are constant; episodes say for how long something was so without a gap.

import { BaseError, type ErrorCode } from '../../errors.ts'
import type { Prometheus } from '../monitoring/prometheus.ts'
import { entryOf } from '../../lib/entry.ts'
import { labelKey, type Labels, sortedLabels } from '../../lib/label-text.ts'
import type { Reading } from '../../conditions/board.ts'

/** Evaluation times of a chunk at first; Prometheus answers at most 11,000 in one request. */
const TIMES = 5_000
/** Samples of an answer, some megabytes of JSON. */
const SAMPLES = 500_000
/** Runs of a chunk in memory, some hundred bytes each. */
const RUNS = 4_000_000
/** The server has to answer others meanwhile. */
const AT_ONCE = 2

export interface Asking {
  prometheus: Pick<Prometheus, 'queryRange'>
  /** Seconds from one evaluation to the next. */
  step: number
  /** Where the first expression has no sample in a chunk, the others after `always` are not asked. */
  always: readonly string[]
  others: readonly string[]
  /** Takes the share that has been read. */
  report: (done: number) => void
}

export interface Chunk extends Stretch {
  /** By expression. */
  tracks: ReadonlyMap<string, Tracks>
}

/** Throws a BaseError for a failure that smaller requests do not avoid. */
export async function* readHistory(reading: Asking, { from, to }: Stretch): AsyncGenerator<Chunk> {
  const read = createReader(reading)
  let times = TIMES
  for (let at = from; at <= to;) {
    const stretch = { from: at, to: Math.min(to, at + times - 1) }
    const size = stretch.to - at + 1
    const report = (share: number) => reading.report((at - from + share * size) / (to - from + 1))
    const tracks = await readChunk(reading, read, stretch, report)
    if (tracks) {
      yield { ...stretch, tracks }
      at = stretch.to + 1
    } else {
      times = Math.ceil(size / 2)
    }
  }
}

/** Undefined if it does not fit into memory. */
async function readChunk(
  { always, others }: Asking,
  read: ReturnType<typeof createReader>,
  stretch: Stretch,
  report: (share: number) => void,
): Promise<Map<string, Tracks> | undefined> {
  const byExpression = new Map<string, Tracks>()
  let runs = 0
  const fits = () => runs <= RUNS || stretch.from === stretch.to
  async function readAll(some: readonly string[]): Promise<void> {
    const left = [...some]
    let isOver = false
    const work = async () => {
      for (let one = left.shift(); one !== undefined && fits(); one = left.shift()) {
        const tracks = await read(one, stretch)
        if (isOver) return
        byExpression.set(one, tracks)
        for (const track of tracks.values()) runs += track.runs.length
        report(byExpression.size / (always.length + others.length))
      }
    }
    // After a failure nothing more is asked or shown.
    await Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => (isOver = true))
  }
  await readAll(always)
  if (byExpression.get(always[0]!)!.size > 0) await readAll(others)
  return fits() ? byExpression : undefined
}

/** Reads an expression, and remembers how many times it may be asked for at once. */
function createReader({ prometheus, step }: Asking) {
  const most = new Map<string, number>()

  async function readInto(tracks: Map<string, Track>, expression: string, { from, to }: Stretch): Promise<void> {
    const times = to - from + 1
    const allowed = most.get(expression) ?? Infinity
    if (times <= allowed) {
      try {
        const series = await prometheus.queryRange(expression, { start: from * step, end: to * step, step })
        for (const one of series) addSeries(tracks, one, step)
        most.set(expression, Math.min(allowed, Math.max(1, Math.floor(SAMPLES / series.length))))
        return
      } catch (error) {
        if (!isTooMuch(error, times)) throw error
        most.set(expression, Math.ceil(times / 2))
      }
    }
    const middle = from + Math.ceil(times / 2)
    await readInto(tracks, expression, { from, to: middle - 1 })
    await readInto(tracks, expression, { from: middle, to })
  }

  return async (expression: string, stretch: Stretch): Promise<Tracks> => {
    const tracks = new Map<string, Track>()
    await readInto(tracks, expression, stretch)
    return tracks
  }
}

/**
 * From how many times on a smaller request may succeed. Servers refuse in words of their own what is too much. Proxies give up
 * after a minute. A timeout of ours takes minutes: most servers that are too slow say so before.
 */
const splitFrom: Partial<Record<ErrorCode, number>> = {
  rpc_error: 2,
  too_large: 2,
  http_status: TIMES / 4,
  timeout: TIMES,
}

const isTooMuch = (error: unknown, times: number) =>
  error instanceof BaseError && times >= (splitFrom[error.code] ?? Infinity)

/** Evaluation times by their numbers: number × step is the time. Both ends are included. */
export interface Stretch {
  from: number
  to: number
}

interface Run extends Stretch {
  value: number
}

interface Track {
  name: string
  labels: Labels
  runs: Run[]
}

export type Tracks = ReadonlyMap<string, Track>

/** Adds what the server answers for a stretch; what was added before is earlier. */
function addSeries(
  tracks: Map<string, Track>,
  {
    labels: { __name__: name = '', ...rest },
    values,
  }: { labels: Labels; values: readonly (readonly [number, number])[] },
  step: number,
): void {
  const labels = sortedLabels(Object.entries(rest))
  const track = entryOf(tracks, `${name} ${labelKey(labels)}`, () => ({ name, labels, runs: [] }))
  for (const [time, value] of values) {
    const at = Math.round(time / step)
    const last = track.runs.at(-1)
    if (last && last.to === at - 1 && Object.is(last.value, value)) last.to = at
    else track.runs.push({ from: at, to: at, value })
  }
}

/** Gives the samples at each time; times must not go back. The same vector comes again while nothing changes. */
export function readerOf(tracks: Tracks): (at: number) => readonly Reading[] {
  const cursors = Array.from(tracks.values(), (track) => ({ track, next: 0 }))
  let vector: readonly Reading[] = []
  let changesAt = -Infinity
  return (at) => {
    if (at < changesAt) return vector
    changesAt = Infinity
    vector = cursors.flatMap((cursor) => {
      const { name, labels, runs } = cursor.track
      while (cursor.next < runs.length && runs[cursor.next]!.to < at) cursor.next += 1
      const run = runs[cursor.next]
      if (!run) return []
      changesAt = Math.min(changesAt, run.from > at ? run.from : run.to + 1)
      return run.from > at ? [] : { name, labels, value: run.value }
    })
    return vector
  }
}

/** The first and the last evaluation at which an alert fired; its name and severity are among the labels. */
export interface Episode extends Stretch {
  labels: Labels
}

export function createEpisodes() {
  const byLabels = new Map<string, Episode[]>()
  return {
    /** Stretches with the same labels must not go back. */
    add(labels: Labels, { from, to }: Stretch) {
      const some = entryOf(byLabels, labelKey(labels), () => [])
      const last = some.at(-1)
      if (last && last.to === from - 1) last.to = to
      else some.push({ labels, from, to })
    },
    /** The first to begin first. */
    all: () => [...byLabels.values()].flat().toSorted((a, b) => a.from - b.from),
  }
}
