// The process edge: argv, environment, signals, exit code. The only file that touches them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommanderError } from 'commander'
import { exitCodeOf, failureText } from './commands/failure.ts'
import { createProgram } from './commands/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const stopped = Promise.withResolvers<void>()
let isListening = false
let isAsked = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The first signal asks, if the command listens for it; the second one insists.
    if (isAsked || !isListening) process.exit(1)
    isAsked = true
    stopped.resolve()
  })
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has gone, as in `once | head`, is no reason to crash or to stop watching.
    if (error.code !== 'EPIPE') throw error
  })
}

process.on('unhandledRejection', (reason) => {
  process.stderr.write(
    `stakewatch: a defect: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`,
  )
  process.exit(1)
})

/** Only a plain yes is one; Ctrl-C and the end of the input close the question. */
function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise((resolve) => {
    const closed = () => {
      process.stderr.write('\n')
      resolve(false)
    }
    terminal.once('close', closed)
    terminal.question(`${question} [y/N] `, (answer) => {
      terminal.off('close', closed).close()
      resolve(/^(y|yes)$/i.test(answer.trim()))
    })
  })
}

const program = createProgram({
  version,
  env: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  writeFile(path, text) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  },
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  progress(text) {
    // The line is cleared and written anew: in a file that would only be litter.
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  },
  confirm: (question) => (process.stdin.isTTY && process.stderr.isTTY ? ask(question) : undefined),
  sleep,
  get stopped() {
    isListening = true
    return stopped.promise
  },
  setExitCode: (code) => (process.exitCode = code),
  // As TypeScript in a checkout, as JavaScript in a package.
  thread: new URL(`./daemon-poller${extname(import.meta.url)}`, import.meta.url),
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode
  } else {
    const text = failureText(error)
    if (text === undefined) throw error
    process.stderr.write(`${text}\n`)
    // What was started before the failure must not keep the process alive.
    process.exit(exitCodeOf(error))
  }
}
