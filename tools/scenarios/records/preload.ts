// Loaded before anything else (`node --import`), in each thread: ends the process with SIGKILL at one instant of a transaction.
// It knows SQLite's statements, and nothing of our code.

import { openSync, writeSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { Instant, Orders } from './orders.ts'

const { instant, marks } = JSON.parse(process.env['KILL_ORDERS']!) as Orders

/**
 * The last byte shows where the process was when it ended: o while the file was opened, b within a transaction, c within its
 * COMMIT, d after it, e while the file was closed, f after that.
 */
const file = openSync(marks, 'a')
const mark = (at: string) => writeSync(file, at)

const die = () => process.kill(process.pid, 'SIGKILL')

/** A thread that waits for a word without sleeping: a timer would be too late for a transaction of 200 microseconds. */
function createKiller(microseconds: number): () => void {
  const word = new Int32Array(new SharedArrayBuffer(8))
  const source = `const { workerData: { word, microseconds } } = require('node:worker_threads')
    Atomics.store(word, 1, 1)
    while (Atomics.load(word, 0) === 0);
    const end = process.hrtime.bigint() + BigInt(microseconds) * 1000n
    while (process.hrtime.bigint() < end);
    process.kill(process.pid, 'SIGKILL')`
  new Worker(source, { eval: true, execArgv: [], env: {}, workerData: { word, microseconds } }).unref()
  // It must spin before the instant comes.
  while (Atomics.load(word, 1) === 0) Atomics.wait(word, 1, 0, 1)
  return () => Atomics.store(word, 0, 1)
}

order(instant)

function order({ phase, transaction, statement, microseconds }: Instant): void {
  const { exec, close } = DatabaseSync.prototype
  const { run } = StatementSync.prototype
  let begun = 0
  let ran = 0
  let kill = () => {}
  const isChosen = () => begun === transaction
  const at = (here: Instant['phase']) => isChosen() && phase === here

  DatabaseSync.prototype.exec = function (sql) {
    if (sql.startsWith('PRAGMA locking_mode')) {
      mark('o')
      if (phase === 'checkpoint') exec.call(this, 'PRAGMA wal_autocheckpoint = 1')
    }
    if (sql.startsWith('BEGIN')) {
      begun += 1
      ran = 0
      if (isChosen() && microseconds > 0) kill = createKiller(microseconds)
      mark('b')
      if (at('before')) die()
    }
    if (sql === 'COMMIT') {
      if (at('written')) die()
      mark('c')
      if (at('commit') || at('checkpoint')) kill()
    }
    exec.call(this, sql)
    if (sql === 'COMMIT') {
      mark('d')
      if (at('committed')) die()
      if (at('published')) kill()
    }
  }
  StatementSync.prototype.run = function (this: StatementSync, ...values: SQLInputValue[]) {
    ran += 1
    const result = run.apply(this, values as Parameters<typeof run>)
    if (at('writing') && ran === statement) die()
    return result
  } as typeof run
  DatabaseSync.prototype.close = function () {
    if (phase === 'close') {
      kill = createKiller(microseconds)
      mark('e')
      kill()
    }
    close.call(this)
    mark('f')
    // The thread that was to kill it ends with the one that closes the file.
    if (phase === 'close') die()
  }
}
