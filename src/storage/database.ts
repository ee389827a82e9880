// The storage file: an SQLite database of records with a checksum each. Translates the library's errors.

import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
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
const VERSION = 1
/** A change of the table needs another version. */
const TABLE = `CREATE TABLE records (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, used INTEGER NOT NULL, checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID`
/** More than any configuration can fill: a larger file is not ours, and is not read into memory. */
const MOST_BYTES = 256 * 1024 * 1024
/** The smallest page that SQLite has. */
const LEAST_BYTES = 512
/** The newest format that SQLite writes, byte 18 of the header; https://sqlite.org/fileformat2.html section 1.3.3. */
const WRITE_VERSION = 2

/** Creates the folder and the file if they are missing. Throws StorageError. */
export function openDatabase(path: string) {
  const database = inWords(path, () => {
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
    return inWords(path, () => {
      prepare(database)
      return opened(database, path)
    })
  } catch (error) {
    closeQuietly(database)
    throw inWords(path, () => forbidsWriting(error, path)) ? new StorageError('unreadable', error) : error
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

/** Call it only after SQLite has closed the file: closing a file drops all locks that the process holds on it. */
function forbidsWriting(error: unknown, path: string): boolean {
  if (!(error instanceof StorageError) || error.failure !== 'read_only') return false
  const header = Buffer.alloc(LEAST_BYTES)
  const file = openSync(path, 'r')
  try {
    readSync(file, header)
  } finally {
    closeSync(file)
  }
  return header[18]! > WRITE_VERSION
}

function prepare(database: DatabaseSync): void {
  // The lock is held as long as the file is open, and the kernel drops it with the process.
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  const version = numberOf(database, 'user_version')
  const application = numberOf(database, 'application_id')
  const isNew = version === 0 && application === 0 && numberOf(database, 'page_count') <= 1
  if (!isNew && application !== APPLICATION) throw new StorageError('foreign')
  if (version > VERSION) throw new StorageError('newer')
  if (!isNew && !hasOurTable(database)) throw new StorageError('foreign')
  const [checked] = database.prepare('PRAGMA quick_check(1)').all()
  if (checked?.['quick_check'] !== 'ok') throw new StorageError('unreadable')
  database.exec('PRAGMA journal_mode = WAL')
  // A commit returns after an fsync.
  database.exec('PRAGMA synchronous = FULL')
  if (!isNew) return
  inTransaction(database, () => {
    database.exec(`PRAGMA application_id = ${APPLICATION}`)
    database.exec(`PRAGMA user_version = ${VERSION}`)
    database.exec(TABLE)
  })
}

/** A view or computed column could take any time and memory to read, and a trigger could change writes. */
function hasOurTable(database: DatabaseSync): boolean {
  const plain = (sql: unknown) => String(sql).replaceAll(/\s+/g, ' ')
  // Our file has one table: two rows are enough to see that there is more.
  const schema = database.prepare('SELECT sql FROM sqlite_schema LIMIT 2').all()
  return schema.length === 1 && plain(schema[0]!['sql']) === plain(TABLE)
}

function opened(connection: DatabaseSync, path: string) {
  const read = connection.prepare('SELECT key, value, used, checksum FROM records').all() as unknown as (Row & {
    checksum: number
  })[]
  const put = connection.prepare(`INSERT INTO records (key, value, used, checksum) VALUES (?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, used = excluded.used, checksum = excluded.checksum`)
  const drop = connection.prepare('DELETE FROM records WHERE key = ?')
  // Finds a read-only file at the start.
  inTransaction(connection, () => connection.exec(`PRAGMA user_version = ${VERSION}`))
  const { ino, dev } = statSync(path)
  /** After an `rm` of the file, writes would succeed and be lost. */
  function isInPlace(): boolean {
    const file = statSync(path, { throwIfNoEntry: false })
    return file?.ino === ino && file.dev === dev
  }
  const isSound = (row: (typeof read)[number]) => row.checksum === checksum(row) && isJson(row.value)
  return {
    found: read.filter(isSound).map(({ key, value, used }) => ({ key, value, used })),
    /** Keys of records with a wrong checksum, which are left out. */
    damaged: read.filter((row) => !isSound(row)).map(({ key }) => key),
    database: {
      /** One transaction, durable when it returns. */
      write({ rows, dropped }: Batch) {
        inWords(path, () => {
          if (!isInPlace()) throw new StorageError('moved')
          if (rows.length + dropped.length === 0) return
          inTransaction(connection, () => {
            for (const row of rows) put.run(row.key, row.value, Math.round(row.used), checksum(row))
            for (const key of dropped) drop.run(key)
          })
        })
      },
      close: () => closeQuietly(connection),
    },
  }
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // After some errors SQLite has already rolled back.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** SQLite has checksums only in its log. */
function checksum({ key, value }: Row): number {
  return crc32(value, crc32(`${key}\n`))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function numberOf(database: DatabaseSync, pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0)
}

/** All rows were written before, or are written again when the file is next opened. */
function closeQuietly(database: DatabaseSync): void {
  try {
    database.close()
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
/** An extended code of 10: the file is too short, which no further attempt will change. */
const SHORT_READ = 522
const ofFileSystem: Readonly<Record<string, Failure>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read_only',
  EIO: 'io',
}

function failureOf(error: unknown, path: string): Failure {
  const failure = kindOf(error)
  // Neither SQLite nor mkdir says why it could not write.
  return (failure === 'io' || failure === 'cannot_open') && isReadOnly(path) ? 'read_only' : failure
}

function kindOf(error: unknown): Failure {
  const { errcode, syscall, code = '' } = error as { errcode?: number; syscall?: string; code?: string }
  if (syscall !== undefined) return ofFileSystem[code] ?? 'cannot_open'
  if (errcode === SHORT_READ) return 'unreadable'
  // All other errors concern the content of the file.
  return results[(errcode ?? 0) & 0xff] ?? 'unreadable'
}

/** Whether the file system of the file, or else of its folder, is mounted read-only. Opens nothing. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' && path !== dirname(path) ? isReadOnly(dirname(path)) : code === 'EROFS'
  }
}
