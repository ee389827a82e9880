// Renames a file that cannot be used, so that an operator can examine or restore it.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Number of files that are kept. */
const KEPT = 3
const STAMP = /^\d{8}T\d{6}\.\d{3}Z$/
/** SQLite's companion files, which may hold records that the main file lacks. */
const COMPANIONS = ['', '-wal', '-journal']

/** Returns the new path. Throws errors of the file system. */
export function setAside(path: string, at: number): string {
  const stamp = new Date(at).toISOString().replaceAll(/[-:]/g, '')
  const aside = `${path}.${stamp}`
  for (const companion of COMPANIONS) {
    if (existsSync(`${path}${companion}`)) renameSync(`${path}${companion}`, `${aside}${companion}`)
  }
  dropOldest(path)
  return aside
}

function dropOldest(path: string): void {
  const folder = dirname(path)
  const start = `${basename(path)}.`
  const kept = readdirSync(folder).filter((name) => name.startsWith(start) && STAMP.test(name.slice(start.length)))
  for (const name of kept.toSorted().slice(0, -KEPT)) {
    for (const companion of COMPANIONS) rmSync(join(folder, `${name}${companion}`), { force: true })
  }
}
