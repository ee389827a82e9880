// Any damage of the file: it never prevents the start, what is loaded is JSON or nothing, and what is saved from then on is kept.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Logger } from '../../src/logger.ts'
import { renderFamilies } from '../../src/metrics/exposition.ts'
import { createKeeper } from '../../src/storage/keeper.ts'
import { createStorage } from '../../src/storage/storage.ts'
import { damaged, damages } from '../../tools/fuzz/storage.ts'

const clock = { now: () => ({ wall: Date.UTC(2026, 10, 22), steady: 0 }), after: () => () => {} }
const saved = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [`key ${at}`, { at, text: 'x'.repeat(40 * at) }]),
)

async function opened(folder: string, warn: Logger['warn'] = () => {}) {
  const storage = createStorage({ folder, keeper: createKeeper(folder), clock, log: { info: () => {}, warn } })
  await storage.open()
  return storage
}

async function filled(): Promise<{ folder: string; bytes: Buffer }> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const storage = await opened(folder)
  await Promise.all(Object.entries(saved).map(([key, value]) => storage.records('memory').save(key, value)))
  await storage.close()
  return { folder, bytes: readFileSync(join(folder, 'stakewatch.db')) }
}

test('a damaged file starts, and keeps what is saved from then on', async () => {
  const { folder, bytes } = await filled()
  const path = join(folder, 'stakewatch.db')
  expect(bytes.length).toBeGreaterThan(12_000)
  await fc.assert(
    fc.asyncProperty(fc.array(damages, { minLength: 1, maxLength: 4 }), async (all) => {
      rmSync(`${path}-wal`, { force: true })
      writeFileSync(path, damaged(bytes, all))
      const storage = await opened(folder)
      const memory = storage.records('memory')
      const loaded = Object.keys(saved).map((key) => memory.load(key))
      await memory.save('new', all.length)
      expect(new TextDecoder().decode(renderFamilies(storage.samples())[0]!.lines)).toBe('stakewatch_storage_up 1\n')
      await storage.close()
      const again = await opened(folder)
      const later = again.records('memory')
      expect(Object.keys(saved).map((key) => later.load(key))).toEqual(loaded)
      expect(later.load('new')).toBe(all.length)
      await again.close()
    }),
    { numRuns: 200, seed: 1 },
  )
})

test('a file that was cut off anywhere begins again or returns what is left', async () => {
  const { folder, bytes } = await filled()
  const path = join(folder, 'stakewatch.db')
  for (let length = 512; length < bytes.length; length += 509) {
    rmSync(`${path}-wal`, { force: true })
    writeFileSync(path, bytes.subarray(0, length))
    const storage = await opened(folder)
    expect({ length, up: new TextDecoder().decode(renderFamilies(storage.samples())[0]!.lines) }).toEqual({
      length,
      up: 'stakewatch_storage_up 1\n',
    })
    await storage.close()
  }
})

test.each([
  [
    'a view without an end',
    `DROP TABLE records; CREATE VIEW records AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT 'k' || i AS key, '1' AS value, 0 AS used, 0 AS checksum FROM n`,
  ],
  [
    'a computed column of 20 MB in each row',
    `DROP TABLE records; CREATE TABLE records (key TEXT PRIMARY KEY, used INTEGER, checksum INTEGER,
      value TEXT AS (hex(zeroblob(10000000))) VIRTUAL) WITHOUT ROWID; INSERT INTO records (key) VALUES ('a')`,
  ],
  [
    'a trigger that takes out what was saved',
    'CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END',
  ],
])('a file with %s instead of our table is set aside', async (_, sql) => {
  const { folder } = await filled()
  const database = new DatabaseSync(join(folder, 'stakewatch.db'))
  database.exec(sql)
  database.close()
  const kept: unknown[] = []
  const storage = await opened(folder, (details) => kept.push(details))
  expect(kept).toEqual([expect.objectContaining({ kept: join(folder, 'stakewatch.db.20261122T000000.000Z') })])
  const memory = storage.records('memory')
  await memory.save('new', 1)
  await storage.close()
  const again = await opened(folder)
  expect(again.records('memory').load('new')).toBe(1)
  await again.close()
})
