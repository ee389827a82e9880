// Any damage of the file: it never prevents the start, what is loaded is JSON or nothing, and what is saved from then on is kept.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { array, constantFrom, integer, nat, oneof, record, string, tuple, uint8Array, type Arbitrary } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { BaseError } from '../../src/errors.ts'
import type { Logger } from '../../src/logger.ts'
import { renderFamilies } from '../../src/metrics/exposition.ts'
import { createKeeper } from '../../src/storage/keeper.ts'
import { createStorage } from '../../src/storage/storage.ts'
import { fuzzed } from '../support/fuzz/fuzzed.ts'
import { edited, edits } from '../support/fuzz/json.ts'

const KIND = 'memory'
const WALL = Date.UTC(2026, 10, 22)
const clock = { now: () => ({ wall: WALL, steady: 0 }), after: () => () => {} }
const saved: Readonly<Record<string, unknown>> = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [`key ${at}`, { at, text: 'x'.repeat(40 * at), list: [at, String(at), null] }]),
)

async function opened(folder: string, warn: Logger['warn'] = () => {}) {
  const storage = createStorage({ folder, keeper: createKeeper(folder), clock, log: { info: () => {}, warn } })
  await storage.open()
  return storage
}

async function filled(): Promise<{ folder: string; bytes: Buffer }> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const storage = await opened(folder)
  await Promise.all(Object.entries(saved).map(([key, value]) => storage.records('memory').save(key, value)))
  await storage.close()
  return { folder, bytes: readFileSync(join(folder, 'stakewatch.db')) }
}

/** What is done to a sound file by way of SQL, for the parts that have a meaning. */
interface Row {
  key: string
  value: string
  used: number | bigint
}

type Damage =
  | { how: 'bytes'; at: number; bytes: Uint8Array }
  | { how: 'bit'; at: number; bit: number }
  | { how: 'cut'; at: number }
  | { how: 'move'; at: number; from: number; length: number }
  | { how: 'grow'; bytes: Uint8Array }

interface Changed {
  rows: readonly Row[]
  statements: readonly string[]
  damage: readonly Damage[]
  /** The log or journal next to the file. */
  sibling?: { name: '-wal' | '-journal'; bytes: Uint8Array } | undefined
}

const values = oneof(
  tuple(constantFrom(...Object.values(saved)), edits).map(([value, some]) => JSON.stringify(edited(value, some)) ?? ''),
  constantFrom('', '{', 'NaN', '1e999', '"\\ud800"', '{"__proto__":{"a":1}}', ' null ', '1 2', '\0', '\u2028'),
  constantFrom('['.repeat(10_000), `${'['.repeat(500)}${']'.repeat(500)}`, `"${'x'.repeat(20_000)}"`),
)
const rows: Arbitrary<Row[]> = array(
  record({
    key: oneof(
      nat(30).map((at) => `${KIND} key ${at}`),
      string({ unit: 'binary', maxLength: 8 }).map((text) => `${KIND} ${text}`),
      constantFrom('', KIND, `${KIND} `, `other key 1`, `${KIND} \0`, `${KIND} __proto__`, 'x'.repeat(5_000)),
    ),
    value: values,
    used: oneof(integer({ min: 0 }), constantFrom(WALL, -1, 8.64e15, 2n ** 62n, -(2n ** 63n))),
  }),
  { maxLength: 3 },
)

const statements = constantFrom(
  ...[-1, 0, 1, 3, 2 ** 31 - 1].map((version) => `PRAGMA user_version = ${version}`),
  ...[0, 1, -1].map((application) => `PRAGMA application_id = ${application}`),
  'PRAGMA journal_mode = DELETE',
  'PRAGMA journal_mode = TRUNCATE',
  'PRAGMA auto_vacuum = FULL; VACUUM',
  'PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM',
  'ALTER TABLE records ADD COLUMN checksum INTEGER; PRAGMA user_version = 1',
  "UPDATE records SET value = value || ' '",
  "UPDATE records SET value = replace(value, 'x', 'y')",
  "UPDATE records SET value = CAST(x'ff00fe' AS TEXT)",
  "UPDATE records SET key = key || '2'",
  'UPDATE records SET used = 9223372036854775807',
  'UPDATE records SET used = 0',
  'DELETE FROM records',
  'DROP TABLE records',
  'CREATE TABLE other (x)',
  'CREATE INDEX other ON records (value)',
  'ALTER TABLE records ADD COLUMN other TEXT',
  'ALTER TABLE records RENAME COLUMN value TO other',
  'ALTER TABLE records RENAME TO other',
  'DROP TABLE records; CREATE TABLE records (key, value, used)',
  "DROP TABLE records; CREATE TABLE records (key UNIQUE, value, used); INSERT INTO records VALUES (x'00', 1, 'a'), (NULL, x'7b7d', 1.5)",
  'DROP TABLE records; CREATE TABLE records (key TEXT PRIMARY KEY, value TEXT) STRICT, WITHOUT ROWID',
  'CREATE TRIGGER other AFTER INSERT ON records BEGIN DELETE FROM records; END',
  "CREATE TRIGGER other BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'no'); END",
  "DROP TABLE records; CREATE VIEW records AS SELECT 'k' AS key, '1' AS value, 0 AS used",
  `DROP TABLE records; CREATE VIEW records AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT 'k' || i AS key, '1' AS value, 0 AS used FROM n`,
  `DROP TABLE records; CREATE TABLE records (key TEXT PRIMARY KEY, used INTEGER,
    value TEXT AS (hex(zeroblob(100))) VIRTUAL) WITHOUT ROWID; INSERT INTO records (key) VALUES ('a'), ('b')`,
)

/** In the header and the roots of the trees most bytes mean something. */
const place = oneof(nat(110), nat(40_000))
const bytes = uint8Array({ minLength: 1, maxLength: 40 })
const damages: Arbitrary<Damage> = oneof(
  record({ how: constantFrom('bytes' as const), at: place, bytes }),
  record({ how: constantFrom('bit' as const), at: place, bit: nat(7) }),
  record({ how: constantFrom('cut' as const), at: place }),
  record({ how: constantFrom('move' as const), at: place, from: place, length: nat(5_000) }),
  record({ how: constantFrom('grow' as const), bytes: uint8Array({ minLength: 1, maxLength: 5_000 }) }),
)
const sibling = record({
  name: constantFrom('-wal' as const, '-journal' as const),
  bytes: uint8Array({ maxLength: 200 }),
})
const none = <T>(): Arbitrary<T[]> => constantFrom<T[]>([])
const inputs: Arbitrary<Changed> = oneof(
  { weight: 4, arbitrary: record({ rows, statements: none<string>(), damage: none<Damage>() }) },
  {
    weight: 3,
    arbitrary: record({ rows: none<Row>(), statements: none<string>(), damage: array(damages, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: record({ rows, statements: array(statements, { maxLength: 2 }), damage: none<Damage>() }) },
  {
    weight: 1,
    arbitrary: record({
      rows,
      statements: array(statements, { maxLength: 1 }),
      damage: array(damages, { maxLength: 1 }),
      sibling,
    }),
  },
)

const { folder, bytes: sound } = await filled()
const path = join(folder, 'stakewatch.db')

fuzzed<Changed>('a file that was changed or damaged', {
  inputs,
  sizeOf: () => sound.length,
  async run({ rows: added, statements: said, damage, sibling: other }) {
    clear(path)
    writeFileSync(path, sound)
    if (added.length + said.length > 0) change(path, added, said)
    if (damage.length > 0) writeFileSync(path, damaged(readFileSync(path), damage))
    if (other) writeFileSync(`${path}${other.name}`, other.bytes)
    const isSound = said.length + damage.length === 0
    const first = await used(folder, added, isSound)
    // Read again, it says the same.
    const again = await used(folder, added, isSound)
    if (JSON.stringify(again.loaded) !== JSON.stringify(first.loaded))
      throw new Error('read again, the file says something else')
    if (first.asides > 0) throw new BaseError('config', 'set aside')
    return first.loaded
  },
})

test('a file that was cut off anywhere begins again or returns what is left', async () => {
  const { folder, bytes } = await filled()
  const path = join(folder, 'stakewatch.db')
  for (let length = 512; length < bytes.length; length += 509) {
    rmSync(`${path}-wal`, { force: true })
    writeFileSync(path, bytes.subarray(0, length))
    const storage = await opened(folder)
    expect({ length, up: Buffer.concat(renderFamilies(storage.samples())[0]!.lines).toString() }).toEqual({
      length,
      up: 'stakewatch_storage_up 1\n',
    })
    await storage.close()
  }
})

function clear(path: string): void {
  for (const companion of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${companion}`, { force: true })
}

function change(path: string, added: readonly Row[], said: readonly string[]): void {
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA synchronous = OFF')
    const put = database.prepare('INSERT OR REPLACE INTO records (key, value, used) VALUES (?, ?, ?)')
    for (const { key, value, used: at } of added) put.run(key, value, at)
    for (const one of said) {
      try {
        database.exec(one)
      } catch {
        // The one before has made it impossible.
      }
    }
  } finally {
    database.close()
  }
}

function damaged(file: Buffer, all: readonly Damage[]): Buffer {
  let after = Buffer.from(file)
  for (const one of all) {
    if (after.length === 0) return after
    if (one.how === 'grow') {
      after = Buffer.concat([after, one.bytes])
      continue
    }
    const at = one.at % after.length
    if (one.how === 'bytes') after.set(one.bytes.subarray(0, after.length - at), at)
    else if (one.how === 'bit') after[at]! ^= 1 << one.bit
    else if (one.how === 'cut') after = after.subarray(0, at)
    else after.copyWithin(at, one.from, one.from + one.length)
  }
  return after
}

/** Opens the file, asks for all that was saved and added, and saves something. `isSound`: nothing else was done to the file. */
async function used(folder: string, added: readonly Row[], isSound: boolean) {
  let asides = 0
  const warn = (details: { kept?: string }) => (asides += details.kept === undefined ? 0 : 1)
  const storage = await opened(folder, warn)
  try {
    const records = storage.records(KIND)
    const ours = added.filter(({ key }) => key.startsWith(`${KIND} `))
    const names = new Set([...Object.keys(saved), ...ours.map(({ key }) => key.slice(KIND.length + 1))])
    // As text: whatever was saved is JSON.
    const loaded = Object.fromEntries([...names].map((name) => [name, JSON.stringify(records.load(name))]))
    for (const [name, value] of Object.entries(loaded)) {
      const texts = ours.filter(({ key }) => key === `${KIND} ${name}`).flatMap(({ value: text }) => normal(text))
      if (isSound && value !== undefined && ![JSON.stringify(saved[name]), ...texts].includes(value))
        throw new Error(`${JSON.stringify(name)} was never saved like that: ${value.slice(0, 200)}`)
    }
    await records.save('new', asides)
    const text = renderFamilies(storage.samples())
      .map(({ lines }) => Buffer.concat(lines).toString())
      .join('')
    if (!text.includes('stakewatch_storage_up 1\n')) throw new Error(`it cannot be written: ${text}`)
    return { loaded, asides }
  } finally {
    await storage.close()
  }
}

/** As `JSON.stringify` writes it; nothing when it is no JSON. */
function normal(text: string): string[] {
  try {
    return [JSON.stringify(JSON.parse(text))]
  } catch {
    return []
  }
}
