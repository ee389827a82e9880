// The process edge: argv, environment, signals, exit code. The only file that touches them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CommanderError } from 'commander'
import { exitCodeOf, failureText } from './commands/failure.ts'
import type { Io } from './commands/io.ts'
import { createProgram, willPoll } from './commands/program.ts'
import { BaseError } from './errors.ts'
import type { ProcessLogger } from './logger.ts'
import { defectDetails } from './process/defect.ts'
import { createLogSink } from './process/log-sink.ts'
import { readRegularFile } from './process/read-file.ts'
import { startWorker } from './daemon/start-worker.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** When the process ends, what it has written has so long to be read: a reader that has stopped must not keep it (milliseconds). */
const WRITTEN_WITHIN = 1_000

const logSink = createLogSink(2, process.stderr)
/** The log of the command, where it has one. */
let log: ProcessLogger | undefined

const stopped = Promise.withResolvers<void>()
let isListening = false
let isAsked = false
/** Where the command has something to read again. */
let reload: (() => void) | undefined

function stop(): void {
  // The first signal asks, if the command listens for it; the second one insists.
  if (isAsked || !isListening) process.exit(1)
  isAsked = true
  stopped.resolve()
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The listeners of the launcher were for the time until here.
  process.removeAllListeners(signal).on(signal, stop)
}
process.on('SIGHUP', () => {
  // It is also sent when a terminal is closed, which ends the programs that run on it.
  if (process.stdin.isTTY || process.stderr.isTTY) return stop()
  if (reload) reload()
  else log?.warn({ signal: 'SIGHUP' }, 'there is no configuration file that could be read again')
})
// Without a listener, SIGUSR1 opens the debugger and SIGUSR2 ends the process.
for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})

let isOutputLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has gone, as in `once | head`, is no reason to complain.
  if (error.code === 'EPIPE' || isOutputLost) return
  isOutputLost = true
  process.exitCode = 1
  logSink.write(
    `stakewatch: the output cannot be written: ${error.code === 'ENOSPC' ? 'no space left' : error.message}\n`,
  )
})

let isEnding = false
/** For defects: logs one line and ends the process. */
function crash(thrown: unknown): void {
  if (isEnding) return
  isEnding = true
  const details = defectDetails(thrown, log?.isLevelEnabled('debug') ?? false)
  if (log) log.error(details, 'stakewatch ends because of a defect of its own')
  else logSink.write(`stakewatch: a defect: ${Object.values(details).join(' at ').replace(/\s+/g, ' ')}\n`)
  void Promise.race([logSink.flushed(), sleep(WRITTEN_WITHIN)]).then(() => process.exit(1))
}
process.on('uncaughtException', crash)
process.on('unhandledRejection', crash)

/** The line that is typed; undefined after Ctrl-C and at the end of the input. */
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

/** Only `y` and `yes` are a yes. */
async function confirm(question: string): Promise<boolean> {
  return /^(y|yes)$/i.test((await ask(`${question} [y/N] `)) ?? '')
}

/** Somebody is there to ask. */
function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** A folder that was deleted after a shell went there: no thread can start in it. */
function isFolderGone(): boolean {
  try {
    process.cwd()
    return false
  } catch {
    return true
  }
}

const words = process.argv.slice(2)
const cannotPoll = willPoll(words) && isFolderGone()
// As TypeScript in a checkout, as JavaScript in a package.
const thread = new URL(`./daemon/worker-entry${extname(import.meta.url)}`, import.meta.url)

const io: Io = {
  version,
  env: process.env,
  readFile: readRegularFile,
  writeFile(path, text) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  },
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  // A terminal that does not tell its size has 0.
  columns: () => (process.stdout.isTTY && process.stdout.columns) || undefined,
  log: logSink.write,
  logLinesDropped: logSink.dropped,
  logEventsTo: (given) => (log = given),
  progress(text) {
    // Each text replaces the one before it on the line, which only a terminal can do.
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  },
  confirm: (question) => (isTerminal() ? confirm(question) : undefined),
  question: (question) => (isTerminal() ? ask(question) : undefined),
  sleep,
  get stopped() {
    isListening = true
    return stopped.promise
  },
  onReload: (work) => (reload = work),
  setExitCode: (code) => (process.exitCode = code),
  thread,
  ahead: willPoll(words) && !cannotPoll ? startWorker(thread) : undefined,
  runbooks: fileURLToPath(new URL('../docs/runbooks', import.meta.url)),
}

try {
  if (cannotPoll) {
    throw new BaseError(
      'config',
      'the folder in which stakewatch was started does not exist any more: go to another one',
    )
  }
  const program = await createProgram(io, words)
  await program.parseAsync()
  // When the command was asked to end, output that nobody reads does not keep the process.
  if (isAsked) setTimeout(() => process.exit(), WRITTEN_WITHIN).unref()
} catch (error) {
  const text = failureText(error)
  if (error instanceof CommanderError) process.exitCode = error.exitCode
  // The process ends when all of the text is written, whatever was started before the failure.
  else if (text !== undefined) process.stderr.write(`${text}\n`, () => process.exit(exitCodeOf(error)))
  else crash(error)
}
