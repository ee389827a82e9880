// The process edge: argv, environment, signals, exit code. The only file that touches them.

import './process/thread-pool.ts'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import { exitCodeOf, failureText } from './commands/failure.ts'
import type { Io } from './commands/io.ts'
import { createProgram } from './commands/program.ts'
import { BaseError } from './errors.ts'
import type { ProcessLogger } from './logger.ts'
import { defectDetails } from './process/defect.ts'
import { createLogSink } from './process/log-sink.ts'
import { lookAtRegularFile, readRegularFile } from './process/read-file.ts'
import { writeWhole } from './process/write-file.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Time to flush output at the end of the process, in case its reader is stuck (milliseconds). */
const WRITTEN_WITHIN = 1_000

const logSink = createLogSink(2, process.stderr)
/** The log of the command, if it has one. */
let log: ProcessLogger | undefined

const stopped = Promise.withResolvers<void>()
let isListening = false
let isAsked = false
/** Set by commands that can reload. */
let reload: (() => void) | undefined

/**
 * Ends the process whatever hangs. `process.exit` waits for all threads, of which one may wait for a disk. A signal from the
 * process itself does nothing where it is the first one of a container. A program that takes its place ends all threads.
 */
function end(code: number): void {
  // A question may have been asked.
  if (process.stdin.isTTY) process.stdin.setRawMode(false)
  process.execve!(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {})
}

function stop(): void {
  // The first signal asks a command that listens for it to stop; the second one ends the process.
  if (isAsked || !isListening) return end(1)
  isAsked = true
  stopped.resolve()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Replaces the listeners of the launcher.
  process.removeAllListeners(signal).on(signal, stop)
}
process.on('SIGHUP', () => {
  // A closing terminal sends it too, to end its programs.
  if (process.stdin.isTTY || process.stderr.isTTY) return stop()
  if (reload) reload()
  else log?.warn({ signal: 'SIGHUP' }, 'there is no configuration file to reload')
})
// Without a listener, SIGUSR1 opens the debugger and SIGUSR2 ends the process.
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})

let isOutputLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isOutputLost) return
  isOutputLost = true
  // A reader that ends first, as in `once | head`, is no error.
  if (error.code === 'EPIPE') return
  process.exitCode = 1
  logSink.write(
    `stakewatch: the output cannot be written: ${error.code === 'ENOSPC' ? 'no space left' : error.message}\n`,
  )
})

function endLogged(code: number): void {
  void Promise.race([logSink.flushed(), sleep(WRITTEN_WITHIN)]).then(() => end(code))
}

let isEnding = false
/** For defects: logs one line and ends the process. */
function crash(thrown: unknown): void {
  if (isEnding) return
  isEnding = true
  const details = defectDetails(thrown, log?.isLevelEnabled('debug') ?? false)
  if (log) log.error(details, 'stakewatch crashed because of a defect')
  else logSink.write(`stakewatch: a defect: ${Object.values(details).join(' at ').replace(/\s+/g, ' ')}\n`)
  endLogged(1)
}
process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)

/** Returns the typed line; undefined after Ctrl-C and at the end of the input. */
function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve) => {
    const closed = () => {
      process.stderr.write('\n')
      resolve(undefined)
    }
    terminal.once('close', closed)
    terminal.question(question, (answer) => {
      terminal.off('close', closed).close()
      resolve(answer.trim())
    })
  })
}

/** Accepts only `y` and `yes`. */
async function confirm(question: string): Promise<boolean> {
  return /^(y|yes)$/i.test((await ask(`${question} [y/N] `)) ?? '')
}

/** Whether a user can answer questions. */
function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

const words = process.argv.slice(2)
// As TypeScript in a checkout, as JavaScript in a package.
const entry = (name: string) => new URL(`./${name}${extname(import.meta.url)}`, import.meta.url)

const io: Io = {
  version,
  env: process.env,
  pid: process.pid,
  readFile: readRegularFile,
  lookAt: lookAtRegularFile,
  writeFile(path, text, mode) {
    const flaw = writeWhole(path, text, mode)
    if (flaw !== undefined) throw new BaseError('config', `${path}: the file cannot be written: ${flaw}`)
  },
  stdout: (text) => process.stdout.write(text),
  isOutputLost: () => isOutputLost,
  stderr: (text) => process.stderr.write(text),
  // A terminal of unknown size reports 0.
  columns: () => (process.stdout.isTTY ? process.stdout.columns || Infinity : undefined),
  rows: () => process.stdout.rows || Infinity,
  log: logSink.write,
  logLinesDropped: logSink.dropped,
  logEventsTo: (given) => (log = given),
  progress(text) {
    // Each text replaces the one before it, which only a terminal can show.
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  },
  confirm: (question) => (isTerminal() ? confirm(question) : undefined),
  question: (question) => (isTerminal() ? ask(question) : undefined),
  sleep,
  // Most commands need no network, whose libraries take longer to load than the rest.
  connect: async (options) => (await import('./upstream/http.ts')).createHttp(options),
  get stopped() {
    isListening = true
    return stopped.promise
  },
  onReload: (work) => (reload = work),
  setExitCode: (code) => (process.exitCode = code),
  end: endLogged,
  reader: entry('commands/serve/read-aside-entry'),
  keeper: entry('storage/keeper-entry'),
  packageFolder: fileURLToPath(new URL('..', import.meta.url)),
}

try {
  const program = await createProgram(io, words)
  await program.parseAsync()
  // After a signal, neither output without a reader nor a thread that hangs keeps the process alive.
  if (isAsked) setTimeout(() => end(Number(process.exitCode ?? 0)), WRITTEN_WITHIN).unref()
} catch (error) {
  const text = failureText(error)
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  // The process ends when the text is written, even if the failed command left work in progress.
  else if (text !== undefined) process.stderr.write(`${text}\n`, () => process.exit(exitCodeOf(error)))
  else crash(error)
}
