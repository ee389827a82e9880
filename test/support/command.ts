// A command line without a process.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exitCodeOf, failureText } from '../../src/commands/failure.ts'
import type { Io } from '../../src/commands/io.ts'
import { createProgram } from '../../src/commands/program.ts'
import { createHttp } from '../../src/upstream/http.ts'

/** No environment, empty files, no terminal, never asked to end; it sleeps for no time. */
export const quietIo: Io = {
  version: '0.0.0',
  env: {},
  pid: 1,
  readFile: () => '',
  lookAt: () => Promise.resolve(''),
  stdout: () => {},
  isOutputLost: () => false,
  stderr: () => {},
  columns: () => undefined,
  rows: () => Infinity,
  log: () => {},
  logLinesDropped: () => 0,
  logEventsTo: () => {},
  writeFile: () => {},
  progress: () => {},
  confirm: () => undefined,
  question: () => undefined,
  sleep: () => Promise.resolve(),
  connect: (options) => Promise.resolve(createHttp(options)),
  stopped: new Promise(() => {}),
  end: () => {},
  reader: new URL('file:///none'),
  keeper: new URL('file:///none'),
  packageFolder: '/none',
  onReload: () => {},
  setExitCode: () => {},
}

/** For commands that read files of the package. */
export const inPackage: Pick<Io, 'packageFolder' | 'readFile'> = {
  packageFolder: fileURLToPath(new URL('../../', import.meta.url)),
  readFile: (path) => readFileSync(path, 'utf8'),
}

/** What it printed, and the code it ended with. */
export async function runCommand(args: readonly string[], changes: Partial<Io> = {}) {
  const seen = { code: 0, stdout: '', stderr: '', progress: [] as string[] }
  const program = await createProgram({
    ...quietIo,
    stdout: (more) => (seen.stdout += more),
    stderr: (more) => (seen.stderr += more),
    log: (line) => (seen.stderr += line),
    progress: (text) => seen.progress.push(text),
    setExitCode: (code) => (seen.code = code),
    ...changes,
  })
  await program.parseAsync([...args], { from: 'user' }).catch((error: unknown) => {
    seen.code = exitCodeOf(error)
    seen.stderr += failureText(error) ?? ''
  })
  return seen
}
