// Child processes of a test: each is ended by its id, also when the test fails.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from './release.ts'
import { eventually } from './scrape.ts'

export interface Started {
  stdout(): string
  stderr(): string
  /** What the pattern's group matched, as soon as the process has said it. */
  said(pattern: RegExp): Promise<string>
  signal(name: NodeJS.Signals): void
  /** Ends it, and gives its exit code; null when it had to be killed. */
  end(): Promise<number | null>
}

export function start(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (said[stream] += text))
  }
  let failure: Error | undefined
  child.on('error', (error) => (failure = error))
  return {
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    async said(pattern) {
      const found = () => (pattern.exec(said.stdout) ?? pattern.exec(said.stderr))?.[1]
      const hasEnded = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null
      await eventually(`${command} says ${pattern}`, async () => found() !== undefined || hasEnded())
      const what = found()
      if (what === undefined) throw failure ?? new Error(`${command} ended: ${said.stderr}`)
      return what
    },
    signal: (name) => void child.kill(name),
    end: () => end(child),
  }
}

/** Ten seconds to end in good order. */
async function end(child: ChildProcess): Promise<number | null> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(insist)
  return child.exitCode
}

export function stakewatch(...args: readonly string[]): Started {
  return start(process.execPath, [program, ...args])
}

export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'stakewatch-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
