// The storage file: an SQLite database of records. Translates the library's errors.

import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Batch, type Failure, failures, type Row } from './messages.ts'

export type Database = ReturnType<typeof opened>['database']

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly failure: Failure

  constructor(failure: Failure, cause?: unknown) {
    const detail = cause instanceof Error ? `: ${cause.message}` : ''
    super(`${failures[failure]}${detail}`, { cause })
    this.failure = failure
  }
}

/** "stkw". SQLite keeps it in the file's header. */
const APPLICATION = 0x73_74_6b_77
/** Version of the table. A file with a greater one is left to the version that wrote it. */
const VERSION = 2
const TABLE = `CREATE TABLE records (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, used INTEGER NOT NULL
) STRICT, WITHOUT ROWID`
/** Version 1 had a checksum for each record, which no later version reads. */
const TO_VERSION_2 = 'ALTER TABLE records DROP COLUMN checksum'
/** More than any configuration can fill: a larger file is not ours, and is not read into memory. */
const MOST_BYTES = 256 * 1024 * 1024
/** The smallest page that SQLite has. */
const LEAST_BYTES = 512

/** Creates the folder and the file if they are missing. Throws StorageError. */
export function openDatabase(path: string) {
  const connection = inWords(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = statSync(path, { throwIfNoEntry: false })
    if (file && !file.isFile()) throw new StorageError('cannot_open', new Error(`${path} is not a regular file`))
    makePrivate(path, file === undefined)
    // SQLite would treat it as empty.
    if (file && file.size > 0 && file.size < LEAST_BYTES) throw new StorageError('unreadable')
    if (file && file.size > MOST_BYTES) throw new StorageError('foreign', new Error(`it has ${file.size} bytes`))
    // Loaded here, as older releases of Node 24 print a warning that only users of the storage should see.
    const sqlite = process.getBuiltinModule('node:sqlite')
    return new sqlite.DatabaseSync(path)
  })
  try {
    return inWords(path, () => opened(connection, path))
  } catch (error) {
    closeQuietly(connection)
    throw error
  }
}

/** SQLite gives its log the mode of the file. */
function makePrivate(path: string, isNew: boolean): void {
  if (isNew) return closeSync(openSync(path, 'a', 0o600))
  for (const one of [path, `${path}-wal`, `${path}-journal`]) {
    const mode = statSync(one, { throwIfNoEntry: false })?.mode ?? 0
    try {
      if ((mode & 0o077) !== 0) chmodSync(one, mode & 0o700)
    } catch {
      // A file of another user, or a file system without modes.
    }
  }
}

/** Returns all rows, and statements. */
function prepare(connection: DatabaseSync) {
  // The lock is held as long as the file is open, and the kernel drops it with the process.
  connection.exec('PRAGMA locking_mode = EXCLUSIVE')
  const version = numberOf(connection, 'user_version')
  const application = numberOf(connection, 'application_id')
  const isNew = version === 0 && application === 0 && numberOf(connection, 'page_count') <= 1
  if (!isNew && application !== APPLICATION) throw new StorageError('foreign')
  if (version > VERSION) throw new StorageError('newer')
  // A trigger could change what is written, and a view take any time to read.
  if (connection.prepare("SELECT 1 FROM sqlite_schema WHERE type <> 'table'").get()) throw new StorageError('foreign')
  const [checked] = connection.prepare('PRAGMA quick_check(1)').all()
  if (checked?.['quick_check'] !== 'ok') throw new StorageError('unreadable')
  connection.exec('PRAGMA journal_mode = WAL')
  // A commit returns after an fsync.
  connection.exec('PRAGMA synchronous = FULL')
  // Finds a read-only file at the start, and leaves one that cannot be read as it was.
  return inTransaction(connection, () => {
    if (isNew) connection.exec(TABLE)
    // First of all, as it cannot be prepared where a column is computed, which could take any memory to read.
    const put = connection.prepare(`INSERT INTO records (key, value, used) VALUES (?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, used = excluded.used`)
    const drop = connection.prepare('DELETE FROM records WHERE key = ?')
    const read = connection.prepare('SELECT key, value, used FROM records').all() as unknown as Row[]
    if (version === 1) connection.exec(TO_VERSION_2)
    connection.exec(`PRAGMA application_id = ${APPLICATION}`)
    connection.exec(`PRAGMA user_version = ${VERSION}`)
    return { read, put, drop }
  })
}

function opened(connection: DatabaseSync, path: string) {
  const { read, put, drop } = prepare(connection)
  const { ino, dev } = statSync(path)
  /** After an `rm` of the file, writes would succeed and be lost. */
  function isInPlace(): boolean {
    const file = statSync(path, { throwIfNoEntry: false })
    return file?.ino === ino && file.dev === dev
  }
  const { found = [], damaged = [] } = Object.groupBy(read, ({ value }) => (isJson(value) ? 'found' : 'damaged'))
  return {
    found,
    damaged: damaged.map(({ key }) => key),
    database: {
      /** One transaction, durable when it returns. */
      write({ rows, dropped }: Batch) {
        inWords(path, () => {
          if (!isInPlace()) throw new StorageError('moved')
          if (rows.length + dropped.length === 0) return
          inTransaction(connection, () => {
            for (const { key, value, used } of rows) put.run(key, value, Math.round(used))
            for (const key of dropped) drop.run(key)
          })
        })
      },
      close: () => closeQuietly(connection),
    },
  }
}

function inTransaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    connection.exec('COMMIT')
    return result
  } catch (error) {
    // After some errors SQLite has already rolled back.
    if (connection.isTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function numberOf(connection: DatabaseSync, pragma: string): number {
  return Number(Object.values(connection.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0)
}

/** All rows were written before, or are written again when the file is next opened. */
function closeQuietly(connection: DatabaseSync): void {
  try {
    connection.close()
  } catch {
    // The descriptor is released in any case.
  }
}

function inWords<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof StorageError ? error : new StorageError(failureOf(error, path), error)
  }
}

/** By the primary result codes of SQLite; https://sqlite.org/rescode.html. */
const results: Readonly<Record<number, Failure>> = {
  // A statement that does not fit the table.
  1: 'foreign',
  3: 'cannot_open',
  5: 'in_use',
  6: 'in_use',
  7: 'io',
  8: 'read_only',
  10: 'io',
  13: 'full',
  14: 'cannot_open',
  15: 'in_use',
  23: 'cannot_open',
}
const READ_ONLY = 8
/** An extended code of 10: the file is too short, which no further attempt will change. */
const SHORT_READ = 522
const ofFileSystem: Readonly<Record<string, Failure>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read_only',
  EIO: 'io',
}

function failureOf(error: unknown, path: string): Failure {
  const { errcode, syscall, code = '' } = error as { errcode?: number; syscall?: string; code?: string }
  // All errors that are not known concern the content of the file.
  const failure =
    syscall === undefined ? (results[(errcode ?? 0) & 0xff] ?? 'unreadable') : (ofFileSystem[code] ?? 'cannot_open')
  if (errcode === SHORT_READ) return 'unreadable'
  // The header of the file says so.
  if (errcode === READ_ONLY && refusedWrite(path) === undefined) return 'unreadable'
  // Neither SQLite nor mkdir says why it could not write.
  return (failure === 'io' || failure === 'cannot_open') && refusedWrite(path) === 'EROFS' ? 'read_only' : failure
}

/** Why the file, or else its folder, cannot be written; undefined if it can. Opens nothing. */
function refusedWrite(path: string): string | undefined {
  try {
    accessSync(path, constants.W_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' && path !== dirname(path) ? refusedWrite(dirname(path)) : code
  }
}
