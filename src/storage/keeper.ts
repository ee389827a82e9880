// Keeps the file of the storage: opens it for the first batch and after a failure, and sets aside what cannot be used.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase, StorageError } from './database.ts'
import { type Answer, type Batch, type Failed, type Failure, FILE } from './messages.ts'

/** Number of files that are kept. */
const KEPT = 3
const STAMP = /^\d{8}T\d{6}\.\d{3}Z$/
/** SQLite's companion files, which may hold records that the main file lacks. */
const COMPANIONS = ['', '-wal', '-journal']
/** Failures that another attempt with the same file cannot fix. */
const isUnusable: ReadonlySet<Failure> = new Set(['unreadable', 'foreign', 'newer'])

export function createKeeper(folder: string) {
  let database: Database | undefined

  function close(): void {
    database?.close()
    database = undefined
  }

  return {
    close,
    write(batch: Batch): Answer {
      let has: Pick<Answer, 'found' | 'damaged'> = { found: [], damaged: [] }
      try {
        if (!database) {
          const opened = openDatabase(join(folder, FILE))
          ;({ database } = opened)
          has = { found: opened.found, damaged: opened.damaged }
        }
        database.write(batch)
        return has
      } catch (error) {
        close()
        return { ...has, failed: failedBy(error, folder, batch.at) }
      }
    },
  }
}

function failedBy(thrown: unknown, folder: string, at: number): Failed {
  const { failure, message } = thrown instanceof StorageError ? thrown : new StorageError('io', thrown)
  if (!isUnusable.has(failure)) return { failure, message }
  try {
    return { failure, message, kept: setAside(folder, at) }
  } catch (error) {
    return { failure, message: new StorageError('cannot_open', error).message }
  }
}

/** Renames the file, so that an operator can examine or restore it. */
function setAside(folder: string, at: number): string {
  const path = join(folder, FILE)
  const aside = `${path}.${new Date(at).toISOString().replaceAll(/[-:]/g, '')}`
  for (const companion of COMPANIONS) {
    if (existsSync(`${path}${companion}`)) renameSync(`${path}${companion}`, `${aside}${companion}`)
  }
  const kept = readdirSync(folder).filter(
    (name) => name.startsWith(`${FILE}.`) && STAMP.test(name.slice(FILE.length + 1)),
  )
  for (const name of kept.toSorted().slice(0, -KEPT)) {
    for (const companion of COMPANIONS) rmSync(join(folder, `${name}${companion}`), { force: true })
  }
  return aside
}
