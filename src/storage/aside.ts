// A file that cannot be used is kept beside itself, for somebody to look at or to take back.

import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Of the last ones. */
const KEPT = 3
const STAMP = /^\d{8}T\d{6}\.\d{3}Z$/
/** What SQLite has beside the file: records may still be there alone. */
const COMPANIONS = ['', '-wal', '-journal']

/** Gives where it is now. Throws what the file system says. */
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
