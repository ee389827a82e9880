// A folder that is mounted read-only: SQLite fails at its lock and says that reading or writing failed.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'

/** What access(2) says of a path, by its end; all else is fine. */
const said = vi.hoisted(() => new Map<string, string>())

vi.mock('node:fs', async (original) => ({
  ...(await original<object>()),
  accessSync(path: string) {
    const code = [...said].find(([end]) => path.endsWith(end))?.[1]
    if (code) throw Object.assign(new Error(code), { code, syscall: 'access' })
  },
}))

afterEach(() => said.clear())

test.each<[string, number, Record<string, string>, string]>([
  ['no lock on a read-only file system', 3850, { '.db': 'EROFS' }, 'read_only'],
  ['no file, and a read-only folder', 14, { '.db': 'ENOENT', '/data': 'EROFS' }, 'read_only'],
  [
    'no file and no folder on a read-only file system',
    14,
    { '.db': 'ENOENT', '/data': 'ENOENT', '': 'EROFS' },
    'read_only',
  ],
  ['no lock on a file system that can be written', 3850, {}, 'io'],
  ['a folder of somebody else', 14, { '.db': 'ENOENT', '/data': 'EACCES' }, 'cannot_open'],
  ['a full one is full', 13, { '.db': 'EROFS' }, 'full'],
])('%s', (_, errcode, access, failure) => {
  const folder = mkdtempSync(`${tmpdir()}/stakewatch-read-only-`)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(() => {
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode })
  })
  onTestFinished(() => {
    spy.mockRestore()
  })
  for (const [end, code] of Object.entries(access)) said.set(end, code)
  expect(() => openDatabase(`${folder}/data/stakewatch.db`)).toThrow(expect.objectContaining({ failure }))
})
