// What start-up and idle memory are measured on: the release build, a file that watches one node and one validator of it,
// and a simulator in another process.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from './environment.ts'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export interface OneNode {
  /** The configuration file. */
  path: string
  end(): Promise<void>
}

/** The collectors that are on by default, at their default intervals. */
export async function oneNode(): Promise<OneNode> {
  const simulator = run(file('src/main.ts'), 'simulate', '--dialect=live')
  await said(simulator, 'stderr', /is up/)
  const whole = simulator.said.stdout
  const [, node] = /- \{ name: node-a, url: "([^"]+)"/.exec(whole)!
  const [, validator] = /node_id: (NodeID-\w+), name: val-1,/.exec(whole)!
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-bench-'))
  const path = join(folder, 'stakewatch.yml')
  writeFileSync(
    path,
    `networks:\n  - name: fuji\n    nodes: [{ name: node-a, url: "${node}" }]\n    validators: [{ node_id: ${validator} }]\n`,
  )
  return {
    path,
    async end() {
      await ended(simulator)
      rmSync(folder, { recursive: true })
    },
  }
}

export interface Running {
  child: ChildProcess
  said: { stdout: string; stderr: string }
}

/** A Node.js of the version that runs this. */
export function run(...args: readonly string[]): Running {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => (said[stream] += text))
  }
  return { child, said }
}

/** The release build as npm installs it, which watches what the file says, on a free port. */
export function daemon({ path }: OneNode): Running {
  return run(file('bin/stakewatch.cjs'), `--config.file=${path}`, '--web.listen-address=127.0.0.1:0')
}

/** As soon as it says so; throws when it ends instead. */
async function said({ child, said }: Running, where: 'stdout' | 'stderr', what: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const look = () => {
    const found = what.exec(said[where])
    if (found) resolve(found[1] ?? found[0])
  }
  const gone = () => reject(new Error(`it ended: ${said.stderr}`))
  child[where]!.on('data', look)
  child.once('exit', gone)
  look()
  return promise.finally(() => {
    child[where]!.off('data', look)
    child.off('exit', gone)
  })
}

export async function ended({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const { promise, resolve } = Promise.withResolvers<unknown>()
  child.once('exit', resolve)
  child.kill()
  await promise
}

/** The whole exposition, once every task has been attempted. Throws when it lacks one, or when one has failed. */
export async function firstComplete(running: Running): Promise<string> {
  const address = await said(running, 'stderr', /msg=listening address=(\S+)/)
  const tasks = await said(running, 'stderr', /msg="every task has been attempted" tasks=(\d+)/)
  const text = await (await fetch(`http://${address}/metrics`)).text()
  const succeeded = text.match(/^stakewatch_collector_success\{.*\} 1$/gm)?.length
  if (succeeded !== Number(tasks)) throw new Error(`${succeeded} of ${tasks} tasks have succeeded`)
  return text
}
