// Processes of a comparison: neither heap nor compiled code nor, where it matters, a core is shared with another one.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { environment } from './environment.ts'

/** What was measured, by name. */
export type Figures = Readonly<Record<string, number>>

export interface Started {
  pid: number
  /** What the file said of itself when it had begun. */
  said: Readonly<Record<string, string>>
  ask(question: string): Promise<Figures>
  end(): Promise<void>
}

export interface StartOptions {
  /** Runs on this core alone, where the machine has `taskset`. */
  core?: number
  /** Flags of Node.js. */
  flags?: readonly string[]
}

/** Whether there is a program of this name. */
export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/** A command that runs on one core, or anywhere when there is only one, or no `taskset`. */
function pinned(command: readonly string[], core: number | undefined): readonly string[] {
  return core === undefined || !isInstalled('taskset') ? command : ['taskset', '--cpu-list', String(core), ...command]
}

/** Starts a file that calls `answer`. */
export async function start(
  file: URL,
  args: readonly (string | number)[],
  { core, flags = [] }: StartOptions = {},
): Promise<Started> {
  const command = [process.execPath, ...flags, fileURLToPath(file), ...args.map(String)]
  const [program, ...rest] = pinned(command, core) as [string, ...string[]]
  const child = spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: environment })
  const gone = once(child, 'exit')
  const next = <T>() => nextMessage<T>(child, gone, fileURLToPath(file))
  const said = await next<Started['said']>()
  return {
    pid: child.pid!,
    said,
    ask(question) {
      child.send(question)
      return next()
    },
    async end() {
      // What it still does is not waited for.
      child.kill('SIGKILL')
      await gone
    },
  }
}

async function nextMessage<T>(child: ChildProcess, gone: Promise<unknown[]>, name: string): Promise<T> {
  const ended = gone.then(([code]) => Promise.reject(new Error(`${name} ended with ${String(code)}`)))
  return Promise.race([once(child, 'message').then(([message]) => message as T), ended])
}

/** In the process that was started: it has begun, and does what it is asked for. */
export function answer(
  said: Started['said'],
  questions: Readonly<Record<string, () => Figures | Promise<Figures>>>,
): void {
  process.on('message', (question: string) => {
    void Promise.resolve(questions[question]!()).then((figures) => process.send!(figures))
  })
  // Its parent may have been stopped.
  process.on('disconnect', () => process.exit())
  process.send!(said)
}

/** The same in a process that is a server. It says its address. */
export function serve(listener: RequestListener, questions: Parameters<typeof answer>[1] = {}): void {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1', () =>
    answer({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, questions),
  )
}
