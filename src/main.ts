#!/usr/bin/env node
// The process edge: argv, environment, signals, exit code. The only file that touches them.

import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { createProgram } from './commands/program.ts'
import { BaseError } from './errors.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

const stopped = new Promise<void>((resolve) => {
  let asked = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // The first signal asks, the second one insists.
      if (asked) process.exit(1)
      asked = true
      resolve()
    })
  }
})

process.on('unhandledRejection', (reason) => {
  process.stderr.write(
    `stakewatch: a defect: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}\n`,
  )
  process.exit(1)
})

const program = createProgram({
  version,
  env: process.env,
  readFile: (path) => readFileSync(path, 'utf8'),
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  stopped,
  setExitCode: (code) => (process.exitCode = code),
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode
  } else if (error instanceof BaseError) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  } else {
    throw error
  }
}
