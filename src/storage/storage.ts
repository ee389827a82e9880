// Records that survive the process, in memory and in a file. While the file cannot be written, records stay in memory, with
// a metric and one log line that say so; when it can be written again, all of them are.

import { join } from 'node:path'
import { BaseError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import type { Sample } from '../metrics/define.ts'
import { type Failed, failures, FILE, type Keeper, type Row } from './messages.ts'
import { noFailures, storageSamples, type StorageState } from './storage-metrics.ts'

export type Storage = ReturnType<typeof createStorage>

export interface StorageOptions {
  folder: string
  keeper: Keeper
  clock: Pick<Clock, 'now' | 'after'>
  log: Logger
}

const DAY = 86_400_000
/**
 * A record that was not loaded or saved for this long belongs to nothing that is still configured: a schedule may run once a year
 * (milliseconds).
 */
const UNUSED = 400 * DAY
/** By this time after the start all that is configured has loaded its records (milliseconds). */
const ALL_ASKED = 3_600_000
/** Between two attempts to open a file that cannot be used (milliseconds). */
const RETRY = 10_000
/** The new file may fail for another reason: no third attempt at once. */
const ATTEMPTS = 2
/** A busy disk takes seconds (milliseconds). */
const HANGS = 60_000

interface State extends StorageOptions {
  /** All records, by key. */
  rows: Map<string, Row>
  /** Keys of rows that may differ from the file. */
  changed: Set<string>
  metrics: StorageState
  /** Whether the log says that the storage does not work. */
  isSaid: boolean
  isClosed: boolean
  retryAt: number
  pruneAt: number
  /** Set while the file is opened for the first time: stakewatch does not start. */
  refuse?: ((error: BaseError) => void) | undefined
  /** Ends with the commit that is under way, or when that hangs. */
  committing: Promise<void>
  /** The commit after it. */
  next?: Promise<void> | undefined
  /** Set while a commit hangs: ends when all is written. */
  hanging?: Promise<void> | undefined
}

export function createStorage(options: StorageOptions) {
  const state: State = {
    ...options,
    rows: new Map(),
    changed: new Set(),
    metrics: { isUp: false, lastCommit: undefined, failures: noFailures() },
    isSaid: false,
    isClosed: false,
    retryAt: -Infinity,
    pruneAt: options.clock.now().steady + ALL_ASKED,
    committing: Promise.resolve(),
  }
  return {
    /** Reads the file, or creates one. Rejects with a BaseError only where another process uses the folder. */
    open: async (): Promise<void> => open(state),
    /** The records of one kind, a single word: keys of two kinds never meet. */
    records: (kind: string): Records => ({
      load(name) {
        const key = `${kind} ${name}`
        const row = state.rows.get(key)
        if (!row) return undefined
        use(state, key, row.value)
        return JSON.parse(row.value) as unknown
      },
      async save(name, value) {
        const key = `${kind} ${name}`
        use(state, key, JSON.stringify(value))
        if (state.changed.has(key)) await committed(state)
      },
    }),
    samples: (): Sample[] => storageSamples(state.metrics),
    /** Writes all changes and closes the file. Takes as long as the disk hangs. */
    async close(): Promise<void> {
      if (state.isClosed) return
      await committed(state)
      await state.hanging
      // The last chance, however recent the last failure.
      state.retryAt = -Infinity
      await committed(state)
      state.isClosed = true
      await state.keeper.close()
    },
  }
}

async function open(state: State): Promise<void> {
  const { promise: refused, reject } = Promise.withResolvers<never>()
  state.refuse = reject
  await Promise.race([refused, committed(state)]).finally(() => (state.refuse = undefined))
}

/** Saves in one turn of the event loop share a transaction; those that come while one is written share the next. */
async function committed(state: State): Promise<void> {
  state.next ??= state.committing.then(async () => {
    state.next = undefined
    if (!state.hanging) state.committing = unlessItHangs(state, commit(state))
    return state.committing
  })
  return state.next
}

/** While it hangs, memory goes on alone. */
async function unlessItHangs(state: State, work: Promise<void>): Promise<void> {
  const { promise: hangs, resolve } = Promise.withResolvers<void>()
  async function end(): Promise<void> {
    await work
    callOff()
    if (!state.hanging) return
    state.hanging = undefined
    await committed(state)
  }
  const ended = end()
  const callOff = state.clock.after(HANGS, () => {
    state.hanging = ended
    noteFailure(state, { failure: 'hanging', message: failures.hanging })
    resolve()
  })
  return Promise.race([ended, hangs])
}

/** Never rejects for a problem with the file: then memory goes on alone. */
async function commit(state: State): Promise<void> {
  const { changed, clock } = state
  if (state.isClosed || (changed.size === 0 && !state.refuse) || clock.now().steady < state.retryAt) return
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    const failed = await write(state)
    if (failed?.kept === undefined && failed?.failure !== 'moved') return
  }
}

async function write(state: State): Promise<Failed | undefined> {
  const { rows, changed, keeper, clock, log } = state
  const batch = [...changed].flatMap((key) => rows.get(key) ?? [])
  const outdated = outdatedRows(state)
  const dropped = outdated.map(({ key }) => key)
  const { found, damaged, failed } = await keeper.write({ rows: batch, dropped, at: clock.now().wall })
  // The counts of this process are newer than the file.
  for (const row of found) if (!rows.has(row.key)) rows.set(row.key, row)
  if (damaged.length > 0) log.warn({ records: damaged.length, first: damaged[0] }, 'skipped damaged storage records')
  if (!failed) noteSuccess(state, batch, outdated)
  else {
    // What the file has is unknown.
    for (const key of rows.keys()) changed.add(key)
    noteFailure(state, failed)
  }
  return failed
}

/** A row that was used meanwhile is another one. */
function noteSuccess(state: State, written: readonly Row[], dropped: readonly Row[]): void {
  const { rows, changed, metrics, clock, folder, log } = state
  for (const row of written) if (rows.get(row.key) === row) changed.delete(row.key)
  for (const row of dropped) if (rows.get(row.key) === row) rows.delete(row.key)
  metrics.isUp = true
  metrics.lastCommit = clock.now().wall
  state.retryAt = -Infinity
  if (!state.isSaid || changed.size > 0) return
  log.info({ folder, records: rows.size }, 'storage works again, all records are written')
  state.isSaid = false
}

function noteFailure(state: State, { failure, message, kept }: Failed): void {
  const { metrics, clock, folder, log } = state
  if (failure === 'in_use' && state.refuse) {
    const remedy = 'give each process a folder of its own'
    return state.refuse(new BaseError('config', `another process uses the storage in ${folder}: ${remedy}`))
  }
  metrics.failures[failure] += 1
  if (kept !== undefined) {
    const file = join(folder, FILE)
    log.warn({ error: message, file, kept }, 'storage file cannot be used, set it aside and starting a new one')
    return
  }
  metrics.isUp = false
  state.retryAt = clock.now().steady + RETRY
  if (!state.isSaid) log.warn({ error: message, folder }, 'storage does not work, keeping state in memory only')
  state.isSaid = true
}

/** Once a day, after all that is configured was loaded: a clock that was wrong at the start drops nothing. */
function outdatedRows(state: State): readonly Row[] {
  const { wall, steady } = state.clock.now()
  if (steady < state.pruneAt) return []
  state.pruneAt = steady + DAY
  return [...state.rows.values()].filter(({ used }) => Math.abs(wall - used) > UNUSED)
}

function use({ rows, changed, clock }: State, key: string, value: string): void {
  const before = rows.get(key)
  const { wall } = clock.now()
  if (before?.value === value && Math.abs(wall - before.used) < DAY) return
  rows.set(key, { key, value, used: wall })
  changed.add(key)
}
