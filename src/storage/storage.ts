// What has to survive the process: named records, in memory and in a file. While the file cannot be written, memory goes
// on alone, and says so by a metric and one line; when it can be written again, everything is.

import { join } from 'node:path'
import { BaseError } from '../errors.ts'
import type { Moment } from '../lib/clock.ts'
import type { Records } from '../lib/records.ts'
import type { Logger } from '../logger.ts'
import { type Family, renderFamilies } from '../metrics/exposition.ts'
import { setAside } from './aside.ts'
import { type Database, type Failure, openDatabase, type Row, StorageError } from './database.ts'
import { noFailures, storageSamples } from './storage-metrics.ts'

export interface Storage {
  /** The records of one kind, a single word: keys of two kinds never meet. */
  records(kind: string): Records
  /** The metrics of the storage itself. */
  families(): Family[]
  /** Writes what is not yet written, and gives the file back. */
  close(): void
}

export interface StorageOptions {
  folder: string
  now: () => Moment
  log: Logger
}

const FILE = 'stakewatch.db'
const DAY = 86_400_000
/** A record that nobody has asked for or saved this long belongs to nothing that is still configured (milliseconds). */
const UNUSED = 30 * DAY
/** After the start whatever is configured has been asked for by then (milliseconds). */
const ALL_ASKED = 3_600_000
/** Between two attempts to open a file that cannot be used (milliseconds). */
const RETRY = 10_000
/** The new file may fail for another reason: no third attempt at once. */
const ATTEMPTS = 2
/** Of the file: it will not be better the next time. */
const isUnusable: ReadonlySet<Failure> = new Set(['unreadable', 'foreign', 'newer'])

/** Reads the file, or begins a new one. Throws BaseError only where another process has the folder. */
export function openStorage({ folder, now, log }: StorageOptions): Storage {
  const path = join(folder, FILE)
  /** All that is known, by key. */
  const rows = new Map<string, Row>()
  /** Keys of rows that are not in the file, or not like that. */
  const changed = new Set<string>()
  const state = { isUp: false, lastCommit: undefined as number | undefined, failures: noFailures() }
  let database: Database | undefined
  let isSaid = false
  let isClosed = false
  let retryAt = 0
  let pruneAt = now().steady + ALL_ASKED
  let committing: Promise<void> | undefined

  /** Whether another attempt at once makes sense. */
  function failed(thrown: unknown): boolean {
    const error = thrown instanceof StorageError ? thrown : new StorageError('io', thrown)
    state.failures[error.failure] += 1
    database?.close()
    database = undefined
    // After a failed write nobody knows what is in the file.
    for (const key of rows.keys()) changed.add(key)
    if (isUnusable.has(error.failure)) return moveAside(error)
    degrade(error)
    return error.failure === 'moved'
  }

  function moveAside(error: StorageError): boolean {
    try {
      const kept = setAside(path, now().wall)
      log.warn({ error, file: path, kept }, 'the storage file cannot be used and was set aside: a new one begins')
      return true
    } catch (cause) {
      degrade(new StorageError('cannot_open', cause))
      return false
    }
  }

  function degrade(error: StorageError): void {
    state.isUp = false
    retryAt = now().steady + RETRY
    if (!isSaid) log.warn({ error, folder }, 'the storage does not work: what is counted is in memory alone')
    isSaid = true
  }

  function open(): Database {
    const opened = openDatabase(path)
    database = opened
    // What this process has counted is newer than the file.
    for (const row of opened.rows) if (!rows.has(row.key)) rows.set(row.key, row)
    const { damaged } = opened
    if (damaged.length > 0) {
      log.warn({ records: damaged.length, first: damaged[0] }, 'damaged records of the storage are left out')
    }
    return opened
  }

  /** Never throws for what is wrong with the file: then memory goes on alone. */
  function attempt(work: () => void): void {
    for (let left = ATTEMPTS; left > 0; left -= 1) {
      try {
        return work()
      } catch (error) {
        if (error instanceof BaseError) throw error
        if (!failed(error)) return
      }
    }
  }

  function works(): void {
    state.isUp = true
    state.lastCommit = now().wall
  }

  function write(file: Database): void {
    if (!file.isInPlace()) throw new StorageError('moved')
    const dropped = outdated()
    const batch = [...changed].flatMap((key) => rows.get(key) ?? [])
    file.write(batch, dropped)
    works()
    for (const key of dropped) rows.delete(key)
    changed.clear()
    if (isSaid) log.info({ folder, records: rows.size }, 'the storage works again: everything is written')
    isSaid = false
  }

  /** Once a day, when all that is configured has been asked for: a clock that stood wrong at the start drops nothing. */
  function outdated(): string[] {
    const { wall, steady } = now()
    if (steady < pruneAt) return []
    pruneAt = steady + DAY
    return [...rows.values()].filter(({ used }) => Math.abs(wall - used) > UNUSED).map(({ key }) => key)
  }

  function commit(): void {
    if (isClosed || changed.size === 0 || (!database && now().steady < retryAt)) return
    attempt(() => write(database ?? open()))
  }

  /** All that is saved in one turn of the event loop shares a transaction; what comes during an fsync shares the next. */
  function committed(): Promise<void> {
    committing ??= new Promise((resolve) => {
      setImmediate(() => {
        committing = undefined
        commit()
        resolve()
      })
    })
    return committing
  }

  function use(key: string, value: string): void {
    const before = rows.get(key)
    const { wall } = now()
    if (before?.value === value && Math.abs(wall - before.used) < DAY) return
    rows.set(key, { key, value, used: wall })
    changed.add(key)
  }

  attempt(() => {
    try {
      open()
      works()
    } catch (error) {
      if (!(error instanceof StorageError) || error.failure !== 'in_use') throw error
      throw new BaseError('config', `another process uses the storage in ${folder}: each needs a folder of its own`)
    }
  })

  return {
    records: (kind) => ({
      load(name) {
        const key = `${kind} ${name}`
        const row = rows.get(key)
        if (!row) return undefined
        use(key, row.value)
        return JSON.parse(row.value) as unknown
      },
      async save(name, value) {
        const key = `${kind} ${name}`
        use(key, JSON.stringify(value))
        if (changed.has(key)) await committed()
      },
    }),
    families: () => renderFamilies(storageSamples(state)),
    close() {
      // The last chance: however short ago it failed.
      retryAt = 0
      commit()
      isClosed = true
      database?.close()
    },
  }
}
