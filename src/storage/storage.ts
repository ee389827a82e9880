// Records that survive the process, in memory and in a file. While the file cannot be written, records stay in memory, with
// a metric and one log line that say so; when it can be written again, all of them are.

import { join } from 'node:path'
import { BaseError } from '../errors.ts'
import type { Moment } from '../lib/clock.ts'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import type { Sample } from '../metrics/define.ts'
import { setAside } from './aside.ts'
import { type Database, type Failure, openDatabase, type Row, StorageError } from './database.ts'
import { noFailures, storageSamples, type StorageState } from './storage-metrics.ts'

export type Storage = ReturnType<typeof openStorage>

export interface StorageOptions {
  folder: string
  now: () => Moment
  log: Logger
}

const FILE = 'stakewatch.db'
const DAY = 86_400_000
/** A record that was not loaded or saved for this long belongs to nothing that is still configured (milliseconds). */
const UNUSED = 30 * DAY
/** By this time after the start all that is configured has loaded its records (milliseconds). */
const ALL_ASKED = 3_600_000
/** Between two attempts to open a file that cannot be used (milliseconds). */
const RETRY = 10_000
/** The new file may fail for another reason: no third attempt at once. */
const ATTEMPTS = 2
/** Failures that another attempt with the same file cannot fix. */
const isUnusable: ReadonlySet<Failure> = new Set(['unreadable', 'foreign', 'newer'])

interface State extends StorageOptions {
  path: string
  /** All records, by key. */
  rows: Map<string, Row>
  /** Keys of rows that differ from the file. */
  changed: Set<string>
  metrics: StorageState
  database?: Database | undefined
  /** Whether the log says that the storage does not work. */
  isSaid: boolean
  isClosed: boolean
  retryAt: number
  pruneAt: number
  committing?: Promise<void> | undefined
}

/** Reads the file, or creates one. Throws BaseError only where another process uses the folder. */
export function openStorage(options: StorageOptions) {
  const state: State = {
    ...options,
    path: join(options.folder, FILE),
    rows: new Map(),
    changed: new Set(),
    metrics: { isUp: false, lastCommit: undefined, failures: noFailures() },
    isSaid: false,
    isClosed: false,
    retryAt: 0,
    pruneAt: options.now().steady + ALL_ASKED,
  }
  attempt(state, () => openFirst(state))
  return {
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
    /** Writes all changes and closes the file. */
    close() {
      // The last chance, however recent the last failure.
      state.retryAt = 0
      commit(state)
      state.isClosed = true
      state.database?.close()
    },
  }
}

/** Never throws for a problem with the file: then memory goes on alone. */
function attempt(state: State, work: () => void): void {
  for (let left = ATTEMPTS; left > 0; left -= 1) {
    try {
      return work()
    } catch (error) {
      if (error instanceof BaseError) throw error
      if (!noteFailure(state, error)) return
    }
  }
}

/** Returns whether another attempt at once makes sense. */
function noteFailure(state: State, thrown: unknown): boolean {
  const error = thrown instanceof StorageError ? thrown : new StorageError('io', thrown)
  state.metrics.failures[error.failure] += 1
  state.database?.close()
  state.database = undefined
  // After a failed write the content of the file is unknown.
  for (const key of state.rows.keys()) state.changed.add(key)
  if (isUnusable.has(error.failure)) return moveAside(state, error)
  degrade(state, error)
  return error.failure === 'moved'
}

function moveAside(state: State, error: StorageError): boolean {
  const { path, now, log } = state
  try {
    const kept = setAside(path, now().wall)
    log.warn({ error, file: path, kept }, 'storage file cannot be used, set it aside and starting a new one')
    return true
  } catch (cause) {
    degrade(state, new StorageError('cannot_open', cause))
    return false
  }
}

function degrade(state: State, error: StorageError): void {
  const { folder, now, log } = state
  state.metrics.isUp = false
  state.retryAt = now().steady + RETRY
  if (!state.isSaid) log.warn({ error, folder }, 'storage does not work, keeping state in memory only')
  state.isSaid = true
}

function openFirst(state: State): void {
  try {
    open(state)
    noteSuccess(state)
  } catch (error) {
    if (!(error instanceof StorageError) || error.failure !== 'in_use') throw error
    const remedy = 'give each process a folder of its own'
    throw new BaseError('config', `another process uses the storage in ${state.folder}: ${remedy}`)
  }
}

function open(state: State): Database {
  const { path, rows, log } = state
  const opened = openDatabase(path)
  state.database = opened
  // The counts of this process are newer than the file.
  for (const row of opened.rows) if (!rows.has(row.key)) rows.set(row.key, row)
  const { damaged } = opened
  if (damaged.length > 0) log.warn({ records: damaged.length, first: damaged[0] }, 'skipped damaged storage records')
  return opened
}

function noteSuccess({ metrics, now }: State): void {
  metrics.isUp = true
  metrics.lastCommit = now().wall
}

function write(state: State, file: Database): void {
  const { rows, changed, folder, log } = state
  if (!file.isInPlace()) throw new StorageError('moved')
  const dropped = outdated(state)
  const batch = [...changed].flatMap((key) => rows.get(key) ?? [])
  file.write(batch, dropped)
  noteSuccess(state)
  for (const key of dropped) rows.delete(key)
  changed.clear()
  if (state.isSaid) log.info({ folder, records: rows.size }, 'storage works again, all records are written')
  state.isSaid = false
}

/** Once a day, after all that is configured was loaded: a clock that was wrong at the start drops nothing. */
function outdated(state: State): string[] {
  const { wall, steady } = state.now()
  if (steady < state.pruneAt) return []
  state.pruneAt = steady + DAY
  return [...state.rows.values()].filter(({ used }) => Math.abs(wall - used) > UNUSED).map(({ key }) => key)
}

function commit(state: State): void {
  const { isClosed, changed, database, now, retryAt } = state
  if (isClosed || changed.size === 0 || (!database && now().steady < retryAt)) return
  attempt(state, () => write(state, state.database ?? open(state)))
}

/** Saves in one turn of the event loop share a transaction; those that come during an fsync share the next. */
function committed(state: State): Promise<void> {
  state.committing ??= new Promise((resolve) => {
    setImmediate(() => {
      state.committing = undefined
      commit(state)
      resolve()
    })
  })
  return state.committing
}

function use({ rows, changed, now }: State, key: string, value: string): void {
  const before = rows.get(key)
  const { wall } = now()
  if (before?.value === value && Math.abs(wall - before.used) < DAY) return
  rows.set(key, { key, value, used: wall })
  changed.add(key)
}
