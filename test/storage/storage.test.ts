// The storage: what it keeps, what it does with a file that it cannot use, and how it goes on when it cannot write.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { renderFamilies } from '../../src/metrics/exposition.ts'
import { createKeeper } from '../../src/storage/keeper.ts'
import { keepInThread } from '../../src/storage/keeper-thread.ts'
import type { Keeper } from '../../src/storage/messages.ts'
import { createStorage, type Storage } from '../../src/storage/storage.ts'
import { createHangingDisk } from '../../tools/hanging-disk.ts'
import { createManualClock } from '../support/clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.UTC(2026, 10, 22)

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

interface Line {
  level: 'info' | 'warn'
  message: string
  [detail: string]: unknown
}

const moduleOf = (name: string) => new URL(`../../src/storage/${name}.ts`, import.meta.url)
const inThread = (folder: string) => keepInThread(moduleOf('keeper-entry'), folder)

/** A machine with one folder and two clocks. `keep`: who keeps the file. */
function machine(folder = temporary(), keep: (folder: string) => Keeper = inThread) {
  const { clock, set, advance } = createManualClock(START)
  const log: Line[] = []
  const note = (level: Line['level']) => (details: object, message: string) => log.push({ level, message, ...details })
  const open: Storage[] = []
  onTestFinished(async () => void (await Promise.all(open.map((storage) => storage.close()))))
  function create() {
    const storage = createStorage({
      folder,
      keeper: keep(folder),
      clock,
      log: { info: note('info'), warn: note('warn') },
    })
    open.push(storage)
    return storage
  }
  return {
    folder,
    file: join(folder, 'stakewatch.db'),
    /** Sets the wall clock. */
    set,
    log,
    create,
    pass: advance,
    async start() {
      const storage = create()
      await storage.open()
      return storage
    },
  }
}

/** Sample lines of the storage's own metrics, without the failures that never happened. */
function readMetrics(storage: Storage): string[] {
  const text = renderFamilies(storage.samples()).map(({ lines }) => Buffer.concat(lines).toString())
  return text
    .join('')
    .split('\n')
    .filter((line) => line !== '' && !/failures_total.* 0$/.test(line))
    .map((line) => line.replace('stakewatch_storage_', ''))
}

/** A folder in which a storage has saved these, and was closed. */
async function filled(values: Readonly<Record<string, unknown>>, keep?: (folder: string) => Keeper) {
  const here = machine(temporary(), keep)
  const storage = await here.start()
  await Promise.all(Object.entries(values).map(([key, value]) => storage.records('memory').save(key, value)))
  await storage.close()
  return here
}

/** Changes the file as another program would. */
function meddle(file: string, ...statements: readonly string[]): void {
  const database = new DatabaseSync(file)
  for (const statement of statements) database.exec(statement)
  database.close()
}

describe('what is saved', () => {
  test('is in a folder that is made for the user of the daemon alone', async () => {
    const { folder, start } = machine(join(temporary(), 'new'))
    await start()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test.each([0o644, 0o666, 0o600, undefined])(
    'is in files for that user alone, also where they had the mode %o',
    async (mode) => {
      const umask = process.umask(0)
      try {
        const { folder, file, start } = await filled({ a: 1 })
        if (mode !== undefined) chmodSync(file, mode)
        const storage = await start()
        await storage.records('memory').save('b', 2)
        const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
        expect(modes).toEqual([
          ['stakewatch.db', 0o600],
          ['stakewatch.db-wal', 0o600],
        ])
        expect(storage.records('memory').load('a')).toBe(1)
      } finally {
        process.umask(umask)
      }
    },
  )

  test('is there after a restart, as JSON keeps it', async () => {
    const values = { a: { position: '12', totals: [0.1, 1e21] }, 'b/ü': null, c: 'a\u0000b\ud800"' }
    const here = await filled(values)
    const memory = (await here.start()).records('memory')
    expect(Object.keys(values).map((key) => memory.load(key))).toEqual(Object.values(values))
    expect(memory.load('d')).toBeUndefined()
  })

  test('is on the disk when the promise resolves: a copy of the files that was taken then has it', async () => {
    const here = machine()
    const storage = await here.start()
    for (const value of [1, 2, 3]) await storage.records('memory').save('a', value)
    const copy = temporary()
    for (const name of readdirSync(here.folder)) copyFileSync(join(here.folder, name), join(copy, name))
    expect((await machine(copy).start()).records('memory').load('a')).toBe(3)
  })

  test('does not meet the record of another kind', async () => {
    const storage = await machine().start()
    await storage.records('memory').save('a', 1)
    await storage.records('budget').save('a', 2)
    expect(storage.records('memory').load('a')).toBe(1)
  })

  test('is not what was handed out: a caller that changes its value changes no record', async () => {
    const memory = (await machine().start()).records('memory')
    const value = { counts: [1] }
    await memory.save('a', value)
    value.counts.push(2)
    ;(memory.load('a') as typeof value).counts.push(3)
    expect(memory.load('a')).toEqual({ counts: [1] })
  })

  test('together costs one transaction, and nothing when it is as before', async () => {
    const storage = await machine(temporary(), createKeeper).start()
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec')
    onTestFinished(() => exec.mockRestore())
    const commits = () => exec.mock.calls.filter(([sql]) => sql === 'COMMIT').length
    const saveAll = () =>
      Promise.all(Array.from({ length: 100 }, (_, at) => storage.records('memory').save(String(at), at)))
    await saveAll()
    expect(commits()).toBe(1)
    await saveAll()
    expect(commits()).toBe(1)
  })

  test('later under the same name is what stays', async () => {
    const here = machine()
    const storage = await here.start()
    const memory = storage.records('memory')
    await Promise.all([memory.save('a', 1), memory.save('a', 2)])
    await storage.close()
    expect((await here.start()).records('memory').load('a')).toBe(2)
  })
})

describe('the metrics', () => {
  test('say that it works, and when it was last written', async () => {
    const here = machine()
    const storage = await here.start()
    here.pass(90_000)
    await storage.records('memory').save('a', 1)
    here.pass(60_000)
    await storage.records('memory').save('a', 1)
    expect(readMetrics(storage)).toEqual(['up 1', `last_commit_timestamp_seconds ${START / 1_000 + 90}`])
  })
})

describe('what is no longer configured', () => {
  test.each([
    { days: 367, left: 1, when: 'is kept for longer than a year, as a schedule may run once a year' },
    { days: 401, left: undefined, when: 'is dropped after 401 days' },
  ])('$when', async ({ days, left }) => {
    const here = await filled({ gone: 1, there: 2 })
    here.pass(days * DAY)
    const storage = await here.start()
    const memory = storage.records('memory')
    memory.load('there')
    here.pass(2 * HOUR)
    await memory.save('other', 3)
    await storage.close()
    const later = (await here.start()).records('memory')
    expect([later.load('gone'), later.load('there')]).toEqual([left, 2])
  })

  test('is not what no collector has read within the first hour', async () => {
    const here = await filled({ slow: 1 })
    here.pass(500 * DAY)
    const storage = await here.start()
    await storage.records('memory').save('other', 3)
    here.pass(HOUR - 1)
    await storage.records('memory').save('other', 4)
    expect(storage.records('memory').load('slow')).toBe(1)
  })

  test('is not what a wall clock makes old that stood wrong at the start', async () => {
    const here = await filled({ a: 1 })
    here.set(500 * DAY)
    const storage = await here.start()
    await storage.records('memory').save('other', 3)
    await storage.close()
    here.set(-500 * DAY)
    expect((await here.start()).records('memory').load('a')).toBe(1)
  })
})

describe('a file that cannot be used is set aside, and a new one begins:', () => {
  const cases: readonly { name: string; failure: string; spoil: (file: string) => void }[] = [
    { name: 'another text', failure: 'unreadable', spoil: (file) => writeFileSync(file, 'position = 12\n'.repeat(99)) },
    { name: 'a file of one byte', failure: 'unreadable', spoil: (file) => writeFileSync(file, 'S') },
    { name: 'the first half of it', failure: 'unreadable', spoil: (file) => truncateSync(file, 8_192) },
    {
      name: 'a header that forbids SQLite to write',
      failure: 'unreadable',
      spoil: (file) => overwrite(file, 18, 1, 3),
    },
    { name: 'zeros in the middle of it', failure: 'unreadable', spoil: (file) => overwrite(file, 4_096, 4_096) },
    {
      name: 'a table of another form',
      failure: 'foreign',
      spoil: (file) => meddle(file, 'DROP TABLE records', 'CREATE TABLE records (id)'),
    },
    {
      name: 'a table whose numbers are too large',
      failure: 'unreadable',
      spoil: (file) => meddle(file, 'UPDATE records SET used = 9223372036854775807'),
    },
    {
      name: 'the database of another program',
      failure: 'foreign',
      spoil: (file) => meddle(file, 'PRAGMA application_id = 1'),
    },
    {
      name: 'a database of no program',
      failure: 'foreign',
      spoil: (file) => {
        rmSync(file)
        meddle(file, 'CREATE TABLE records (id)')
      },
    },
    {
      name: 'a trigger that deletes what is written',
      failure: 'foreign',
      spoil: (file) => meddle(file, 'CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM records; END'),
    },
    {
      name: 'a computed column of 20 MB in each row',
      failure: 'foreign',
      spoil: (file) =>
        meddle(
          file,
          `DROP TABLE records; CREATE TABLE records (key TEXT PRIMARY KEY, used INTEGER,
            value TEXT AS (hex(zeroblob(10000000))) VIRTUAL) WITHOUT ROWID; INSERT INTO records (key) VALUES ('a')`,
        ),
    },
    { name: 'a file of 300 MB', failure: 'foreign', spoil: (file) => truncateSync(file, 300_000_000) },
    { name: 'that of a newer version', failure: 'newer', spoil: (file) => meddle(file, 'PRAGMA user_version = 3') },
  ]
  test.each(cases)('$name', async ({ failure, spoil }) => {
    const here = await filled(
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`key ${at}`, 'x'.repeat(200)])),
    )
    spoil(here.file)
    const before = readFileSync(here.file)
    const storage = await here.start()
    await storage.records('memory').save('a', 1)
    expect(readMetrics(storage)).toEqual([
      'up 1',
      `last_commit_timestamp_seconds ${START / 1_000}`,
      `failures_total{reason="${failure}"} 1`,
    ])
    const kept = `${here.file}.20261122T000000.000Z`
    expect(here.log).toMatchObject([
      {
        level: 'warn',
        file: here.file,
        kept,
        message: 'storage file cannot be used, set it aside and starting a new one',
      },
    ])
    expect(readFileSync(kept).equals(before)).toBe(true)
    await storage.close()
    const memory = (await here.start()).records('memory')
    expect([memory.load('a'), memory.load('key 1')]).toEqual([1, undefined])
  })

  test('the last three are kept', async () => {
    const here = machine()
    for (let times = 0; times < 5; times += 1) {
      writeFileSync(here.file, 'no database'.repeat(99))
      await (await here.start()).close()
      here.pass(1_000)
    }
    const stamps = ['20261122T000002.000Z', '20261122T000003.000Z', '20261122T000004.000Z']
    const kept = stamps.map((stamp) => `stakewatch.db.${stamp}`)
    expect(readdirSync(here.folder).toSorted()).toEqual(['stakewatch.db', ...kept])
  })

  test('an empty file is a new one', async () => {
    const here = machine()
    writeFileSync(here.file, '')
    expect(readMetrics(await here.start())[0]).toBe('up 1')
    expect(here.log).toEqual([])
  })
})

function overwrite(file: string, from: number, length: number, by = 0): void {
  writeFileSync(file, readFileSync(file).fill(by, from, from + length))
}

test('a record that is no JSON is left out alone', async () => {
  const here = await filled({ good: 12, bad: 34 })
  meddle(here.file, `UPDATE records SET value = '{' WHERE key = 'memory bad'`)
  const memory = (await here.start()).records('memory')
  expect(['good', 'bad'].map((key) => memory.load(key))).toEqual([12, undefined])
  expect(here.log).toEqual([
    { level: 'warn', records: 1, first: 'memory bad', message: 'skipped damaged storage records' },
  ])
})

test('a file of version 1 is read and written, and then it is one of version 2', async () => {
  const here = machine()
  meddle(
    here.file,
    `CREATE TABLE records (
      key TEXT PRIMARY KEY, value TEXT NOT NULL, used INTEGER NOT NULL, checksum INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `INSERT INTO records VALUES ('memory a', '{"position":12}', ${START}, 1), ('memory b', '2', ${START}, 2)`,
    // "stkw".
    'PRAGMA application_id = 1937009527',
    'PRAGMA user_version = 1',
  )
  const storage = await here.start()
  await storage.records('memory').save('b', 3)
  await storage.close()
  const reopened = await here.start()
  const later = reopened.records('memory')
  expect(['a', 'b'].map((key) => later.load(key))).toEqual([{ position: 12 }, 3])
  expect(here.log).toEqual([])
  await reopened.close()
  const database = new DatabaseSync(here.file)
  onTestFinished(() => database.close())
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
})

/** What the script says as another process, which has `createStorage`, keepers and arguments for all but the keeper. */
function spawned(folder: string, script: string, { command = [] as readonly string[] } = {}) {
  const imports = ['keeper', 'keeper-thread', 'storage'].map((name) => `...(await import('${moduleOf(name).href}'))`)
  const all = `const { createKeeper, keepInThread, createStorage } = { ${imports.join(', ')} }
    const folder = process.argv[2]
    const entry = new URL('${moduleOf('keeper-entry').href}')
    const lines = []
    const log = { info: (_, message) => lines.push(message), warn: (_, message) => lines.push(message) }
    const more = { folder, log, clock: { now: () => ({ wall: Date.now(), steady: 0 }), after: () => () => {} } }
    ${script}`
  // A thread would inherit `--eval`.
  const file = join(temporary(), 'script.mjs')
  writeFileSync(file, all)
  const [program, ...args] = [...command, process.execPath, file, folder]
  return spawnSync(program, args, { encoding: 'utf8' })
}

describe('two on one folder:', () => {
  test('the second is refused, in this process and in another one', async () => {
    const here = machine()
    const first = await here.start()
    const refusal = `another process uses the storage in ${here.folder}: give each process a folder of its own`
    await expect(here.start()).rejects.toThrow(refusal)
    const { stderr } = spawned(here.folder, 'await createStorage({ ...more, keeper: createKeeper(folder) }).open()')
    expect(stderr).toContain(refusal)
    expect(existsSync(`${here.file}.20261122T000000.000Z`)).toBe(false)
    expect(here.log).toEqual([])
    await first.records('memory').save('a', 1)
    expect(readMetrics(first)[0]).toBe('up 1')
  })
})

test('a defect of the thread ends the process', () => {
  const { status, stderr } = spawned(
    temporary(),
    `const broken = new URL('data:text/javascript,throw new TypeError("a defect")')
    await createStorage({ ...more, keeper: keepInThread(broken, folder) }).open()`,
  )
  expect([status, stderr]).toEqual([1, expect.stringContaining('TypeError: a defect')])
})

/** What SQLite throws when this is wrong; https://sqlite.org/rescode.html. */
const faults = [
  { failure: 'full', errcode: 13, text: 'database or disk is full' },
  { failure: 'io', errcode: 10 + (3 << 8), text: 'disk I/O error' },
  { failure: 'io', errcode: 10 + (4 << 8), text: 'an fsync that failed' },
  { failure: 'read_only', errcode: 8 + (6 << 8), text: 'attempt to write a readonly database' },
  { failure: 'cannot_open', errcode: 14, text: 'unable to open database file' },
  { failure: 'in_use', errcode: 5, text: 'database is locked' },
] as const

/** Makes each such statement fail from now on; gives what mends it. */
function breakAt(statement: RegExp, { errcode, text }: { errcode: number; text: string }): () => void {
  const { exec } = DatabaseSync.prototype
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (statement.test(sql)) throw Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR', errcode, errstr: text })
    return exec.call(this, sql)
  })
  const mend = () => {
    spy.mockRestore()
  }
  onTestFinished(mend)
  return mend
}

const DOWN = 'storage does not work, keeping state in memory only'
const BACK = 'storage works again, all records are written'

const MINUTE = 60_000

describe('while the disk hangs, memory goes on:', () => {
  /** Whether it has ended after all that waits for nothing has. */
  const isOver = async (work: Promise<unknown>) =>
    Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])

  test('a save waits for a minute, those that follow for nothing, and all is written when it is over', async () => {
    const disk = createHangingDisk()
    const here = machine(temporary(), disk.keep)
    const storage = await here.start()
    const memory = storage.records('memory')
    await memory.save('before', 1)
    disk.hang()
    const [first, second] = [memory.save('first', 2), memory.save('second', 3)]
    expect(await isOver(first)).toBe(false)
    here.pass(MINUTE - 1)
    expect(await isOver(first)).toBe(false)
    expect(readMetrics(storage)).toEqual(['up 1', `last_commit_timestamp_seconds ${START / 1_000}`])
    const third = memory.save('third', 4)
    here.pass(1)
    await Promise.all([first, second, third])
    await memory.save('fourth', 5)
    const down = ['up 0', `last_commit_timestamp_seconds ${START / 1_000}`, 'failures_total{reason="hanging"} 1']
    expect(readMetrics(storage)).toEqual(down)
    here.pass(10 * MINUTE)
    await memory.save('fourth', 6)
    expect(readMetrics(storage)).toEqual(down)
    expect(here.log.map(({ message }) => message)).toEqual([DOWN])

    disk.goOn()
    await memory.save('fifth', 7)
    expect(readMetrics(storage)[0]).toBe('up 1')
    expect(here.log.map(({ message }) => message)).toEqual([DOWN, BACK])
    await storage.close()
    const later = (await here.start()).records('memory')
    const names = ['before', 'first', 'second', 'third', 'fourth', 'fifth']
    expect(names.map((key) => later.load(key))).toEqual([1, 2, 3, 4, 6, 7])
  })

  test('a start waits for a minute; what the file has comes later, and what was counted meanwhile is kept', async () => {
    const disk = createHangingDisk()
    const here = await filled({ counted: 100, other: 7 }, disk.keep)
    disk.hang()
    const storage = here.create()
    const opened = storage.open()
    expect(await isOver(opened)).toBe(false)
    here.pass(MINUTE - 1)
    expect(await isOver(opened)).toBe(false)
    here.pass(1)
    await opened
    const memory = storage.records('memory')
    expect(memory.load('counted')).toBeUndefined()
    await memory.save('counted', 1)
    expect(readMetrics(storage)).toEqual(['up 0', 'failures_total{reason="hanging"} 1'])
    disk.goOn()
    await storage.close()
    const later = (await here.start()).records('memory')
    expect([later.load('counted'), later.load('other')]).toEqual([1, 7])
  })

  test('one that fails in the end is tried again as after any failure', async () => {
    const disk = createHangingDisk()
    const here = machine(temporary(), disk.keep)
    const storage = await here.start()
    const memory = storage.records('memory')
    disk.hang()
    const first = memory.save('first', 1)
    expect(await isOver(first)).toBe(false)
    here.pass(MINUTE)
    await first
    const mend = breakAt(/^BEGIN/, faults[1])
    disk.goOn()
    await memory.save('second', 2)
    mend()
    expect(readMetrics(storage)).toEqual([
      'up 0',
      `last_commit_timestamp_seconds ${START / 1_000}`,
      'failures_total{reason="io"} 1',
      'failures_total{reason="hanging"} 1',
    ])
    here.pass(10_000)
    await memory.save('second', 3)
    expect(readMetrics(storage)[0]).toBe('up 1')
    expect(here.log.map(({ message }) => message)).toEqual([DOWN, BACK])
  })

  test('it is closed as soon as the disk goes on, and not before', async () => {
    const disk = createHangingDisk()
    const here = machine(temporary(), disk.keep)
    const storage = await here.start()
    disk.hang()
    const saved = storage.records('memory').save('a', 1)
    const closed = storage.close()
    expect(await isOver(closed)).toBe(false)
    here.pass(MINUTE)
    await saved
    expect(await isOver(closed)).toBe(false)
    disk.goOn()
    await closed
    expect((await here.start()).records('memory').load('a')).toBe(1)
  })
})

describe('when it cannot be written, memory goes on and everything is written later:', () => {
  test.each(faults)('$text', async (fault) => {
    const here = machine(temporary(), createKeeper)
    const storage = await here.start()
    const memory = storage.records('memory')
    await memory.save('before', 1)
    const mend = breakAt(/^(BEGIN|COMMIT)/, fault)
    here.pass(60_000)
    await memory.save('during', 2)
    expect([memory.load('before'), memory.load('during')]).toEqual([1, 2])
    const failed = `failures_total{reason="${fault.failure}"}`
    expect(readMetrics(storage)).toEqual(['up 0', `last_commit_timestamp_seconds ${START / 1_000}`, `${failed} 1`])
    // It is not tried again at once.
    await memory.save('during', 3)
    expect(readMetrics(storage)).toContain(`${failed} 1`)
    here.pass(10_000)
    await memory.save('during', 4)
    expect(readMetrics(storage)).toContain(`${failed} 2`)

    mend()
    here.pass(10_000)
    await memory.save('after', 5)
    expect(readMetrics(storage)).toEqual(['up 1', `last_commit_timestamp_seconds ${START / 1_000 + 80}`, `${failed} 2`])
    expect(here.log.map(({ message }) => message)).toEqual([DOWN, BACK])
    await storage.close()
    const later = (await here.start()).records('memory')
    expect(['before', 'during', 'after'].map((key) => later.load(key))).toEqual([1, 4, 5])
  })

  test('a folder that cannot be made: it begins in memory, and writes once it can', async () => {
    const parent = temporary()
    const blocked = join(parent, 'blocked')
    writeFileSync(blocked, 'a file where a folder should be')
    const here = machine(join(blocked, 'storage'))
    const storage = await here.start()
    await storage.records('memory').save('a', 1)
    expect(readMetrics(storage)).toEqual(['up 0', 'failures_total{reason="cannot_open"} 1'])
    rmSync(blocked)
    here.pass(10_000)
    await storage.records('memory').save('b', 2)
    await storage.close()
    const later = (await here.start()).records('memory')
    expect([later.load('a'), later.load('b')]).toEqual([1, 2])
  })

  test('a FIFO in place of the file', async () => {
    const here = machine()
    execFileSync('bash', ['-c', 'mkfifo "$0"', here.file])
    const storage = await here.start()
    await storage.records('memory').save('a', 1)
    expect(readMetrics(storage)).toEqual(['up 0', 'failures_total{reason="cannot_open"} 1'])
    expect(storage.records('memory').load('a')).toBe(1)
  })

  test.each([
    ['the folder is deleted', (here: { folder: string }) => rmSync(here.folder, { recursive: true })],
    ['the file is renamed', (here: { file: string }) => renameSync(here.file, `${here.file}.old`)],
    [
      'the file is replaced',
      (here: { file: string }) => {
        renameSync(here.file, `${here.file}.old`)
        writeFileSync(here.file, '')
      },
    ],
  ])('%s while it runs: everything is written again at once', async (_, remove) => {
    const here = machine()
    const storage = await here.start()
    await storage.records('memory').save('before', 1)
    remove(here)
    await storage.records('memory').save('after', 2)
    expect(readMetrics(storage)).toEqual([
      'up 1',
      `last_commit_timestamp_seconds ${START / 1_000}`,
      'failures_total{reason="moved"} 1',
    ])
    await storage.close()
    const later = (await here.start()).records('memory')
    expect([later.load('before'), later.load('after')]).toEqual([1, 2])
  })

  test('a file that turns out damaged while it is written is set aside, and all is written to a new one', async () => {
    const here = machine(temporary(), createKeeper)
    const storage = await here.start()
    await storage.records('memory').save('before', 1)
    const { exec } = DatabaseSync.prototype
    let times = 0
    const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      if (sql === 'COMMIT' && (times += 1) === 1) {
        throw Object.assign(new Error('database disk image is malformed'), { errcode: 11 })
      }
      return exec.call(this, sql)
    })
    onTestFinished(() => {
      spy.mockRestore()
    })
    await storage.records('memory').save('after', 2)
    await storage.close()
    expect(existsSync(`${here.file}.20261122T000000.000Z`)).toBe(true)
    const later = (await here.start()).records('memory')
    expect([later.load('before'), later.load('after')]).toEqual([1, 2])
  })
})

test('a limit on the size of files, as of a disk that is full: a real process goes on and says so', async () => {
  const folder = temporary()
  const script = `const storage = createStorage({ ...more, keeper: keepInThread(entry, folder) })
    await storage.open()
    const memory = storage.records('memory')
    for (let at = 0; at < 100; at += 1) await memory.save(String(at), 'x'.repeat(4_000))
    const isThere = Array.from({ length: 100 }, (_, at) => memory.load(String(at))?.length === 4_000).every(Boolean)
    console.log(JSON.stringify({ lines, isThere }))
    await storage.close()`
  // In blocks of 1,024 bytes: room for some of the records. The signal is ignored, so that writing fails.
  const limited = `trap '' XFSZ; ulimit -f 200; exec "$@"`
  const { stdout } = spawned(folder, script, { command: ['bash', '-c', limited, 'bash'] })
  expect(JSON.parse(stdout)).toEqual({ lines: [DOWN], isThere: true })
  // What was written before it was full is whole.
  const memory = (await machine(folder).start()).records('memory')
  expect(memory.load('0')).toBe('x'.repeat(4_000))
})
