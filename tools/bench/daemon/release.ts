// The release build as an operator runs it, in the environment of the image, and its memory as the kernel reports it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment, flags } from '../environment.ts'

const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

export const isBuilt = () => existsSync(file('dist/main.js'))

/** Ends when it goes out of scope. */
export interface Running extends AsyncDisposable {
  child: ChildProcess
  /** What the pattern's group matched, as soon as it says so. Throws when it ends instead. */
  said(where: 'stdout' | 'stderr', what: RegExp): Promise<string>
  /** Bytes of memory that is resident. */
  rss(): number
}

/** A Node.js of the version that runs this. */
export function run(...args: readonly string[]): Running {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment })
  const texts = { stdout: '', stderr: '' }
  const gone = once(child, 'exit')
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (texts[stream] += text))
  }
  return {
    child,
    async said(where, what) {
      for (;;) {
        const [, found] = what.exec(texts[where]) ?? []
        if (found !== undefined) return found
        const ended = gone.then(() => Promise.reject(new Error(`it ended: ${texts.stderr}`)))
        await Promise.race([once(child[where], 'data'), ended])
      }
    },
    rss: () => 1_024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]),
    async [Symbol.asyncDispose]() {
      child.kill()
      await gone
    },
  }
}

/** A process of Node.js that does nothing. */
export const bareNode = () => run('-e', 'setInterval(() => {}, 1_000)')

/** A configuration file, which goes away with its scope. */
export function configFile(yaml: string): Disposable & { path: string } {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'stakewatch-bench-'))
  const path = join(folder.path, 'stakewatch.yml')
  writeFileSync(path, yaml)
  return { path, [Symbol.dispose]: () => folder.remove() }
}

/** The release build as npm installs it, on a free port. */
export const startRelease = (config: string) =>
  run(...flags, file('bin/stakewatch.cjs'), `--config.file=${config}`, '--web.listen-address=127.0.0.1:0')

export const metricsUrl = async (running: Running) =>
  `http://${await running.said('stderr', /msg=listening address=(\S+)/)}/metrics`

/** A simulator in another process, and a configuration that watches one node and one validator of it. */
export async function startNode(): Promise<{ network: Running; yaml: string }> {
  const network = run(file('src/main.ts'), 'simulate', '--dialect=live')
  await network.said('stderr', /(is up)/)
  const node = await network.said('stdout', /- \{ name: node-a, url: "([^"]+)"/)
  const validator = await network.said('stdout', /node_id: (NodeID-\w+), name: val-1,/)
  return {
    network,
    yaml: `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "${node}" }]
    validators: [{ node_id: ${validator} }]
`,
  }
}

/** Waits until every task has been attempted. Throws when the exposition lacks one, or when one has failed. */
export async function firstComplete(running: Running): Promise<void> {
  const url = await metricsUrl(running)
  const tasks = await running.said('stderr', /msg="every task has been attempted" tasks=(\d+)/)
  const text = await (await fetch(url)).text()
  const succeeded = text.match(/^stakewatch_collector_success\{.*\} 1$/gm)?.length
  if (succeeded !== Number(tasks)) throw new Error(`${succeeded} of ${tasks} tasks have succeeded`)
}
