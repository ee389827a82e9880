// The release build as an operator runs it, and its memory as the kernel reports it.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '../environment.ts'

const root = new URL('../../../', import.meta.url)

export const isBuilt = () => existsSync(new URL('dist/main.js', root))

export interface Program {
  /** Bytes. */
  rss(): number
  end(): Promise<void>
}

export interface Release extends Program {
  url: string
}

/** A process of Node.js that does nothing. */
export function bareNode(): Program {
  return programOf(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' }))
}

export async function startRelease(yaml: string): Promise<Release> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-bench-'))
  const file = join(folder, 'stakewatch.yml')
  writeFileSync(file, yaml)
  const args = [
    fileURLToPath(new URL('bin/stakewatch.cjs', root)),
    `--config.file=${file}`,
    '--web.listen-address=127.0.0.1:0',
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 100_000) said += text
    const [, address] = /msg=listening address=(\S+)/.exec(said) ?? []
    if (address) resolve(`http://${address}/metrics`)
  })
  child.once('exit', () => reject(new Error(`stakewatch ended: ${said}`)))
  const program = programOf(child)
  return {
    ...program,
    url: await promise,
    async end() {
      await program.end()
      rmSync(folder, { recursive: true })
    },
  }
}

function programOf(child: ReturnType<typeof spawn>): Program {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    rss: () => rssOf(child),
    async end() {
      child.kill()
      await gone
    },
  }
}

/** Bytes of memory that is resident. */
export function rssOf({ pid }: Pick<ChildProcess, 'pid'>): number {
  return 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
}
