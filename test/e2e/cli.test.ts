// The command line as a process, built as it is installed.

import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { startSink } from '../support/sink.ts'
import { program } from './support/release.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stakewatch-')))
const linked = join(folder, 'bin/stakewatch')

beforeAll(() => {
  mkdirSync(join(folder, 'bin'))
  // As npm links it.
  symlinkSync(program, linked)
})

afterAll(() => rmSync(folder, { recursive: true }))

function run(...args: string[]) {
  const options = { encoding: 'utf8', cwd: folder, timeout: 15_000, killSignal: 'SIGKILL' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
  return { status, stdout, stderr }
}

function configFile(name: string, node: string): string {
  const file = join(folder, name)
  writeFileSync(
    file,
    `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "${node}" }]
    validators: [{ node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg, name: val-1 }]
`,
  )
  return file
}

test.each([
  [[], /^error: --config\.file=<file> is missing: .*stakewatch demo\n/],
  [['admin', 'loadVMs', '--url=http://127.0.0.1:1'], /^127\.0\.0\.1:1: load .+: there is no terminal .*--yes.*\n$/],
  [['check', '--config.file=nowhere.yml'], /^nowhere\.yml: .*cannot be read: .+\n$/],
])('%j is refused: what is wrong, what to do, no stack', (args, message) => {
  const { status, stdout, stderr } = run(...args)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at /m)
})

test('once against a dead upstream prints what is known, says why on stderr, and fails', () => {
  const { status, stdout, stderr } = run('once', `--config.file=${configFile('dead.yml', 'http://127.0.0.1:1')}`)
  expect(status).toBe(1)
  const labels = 'network="fuji",collector="uptime",source="node-a",target="primary"'
  expect(stdout).toContain(`\nstakewatch_collector_success{${labels}} 0\n`)
  expect(stdout).toContain('\nstakewatch_upstream_up{network="fuji",source="node-a"} 0\n')
  expect(stdout).not.toMatch(/^stakewatch_validator_uptime_ratio\{/m)
  expect(stderr).toMatch(
    /^ts=\S+ level=warn msg="source is down" network=fuji source=node-a code=network .*ECONNREFUSED.* tasks=\d+$/m,
  )
})

test('the linked command runs by itself and finds its package', () => {
  const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
  expect(execFileSync(linked, ['--version'], { encoding: 'utf8', env })).toBe(`${packageFile.version}\n`)
})

describe('a running process', () => {
  const children: ChildProcessByStdio<null, Readable, Readable>[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  function start(...args: string[]) {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    return child
  }

  /** Resolves with the match once the stream has said it. */
  async function says(stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
    let said = ''
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      const found = pattern.exec((said += String(chunk)))
      if (found) return found
    }
    throw new Error(`ended without ${String(pattern)}: ${said}`)
  }

  async function statusOf(url: string): Promise<number> {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status
  }

  test('a demo allows drills, and SIGINT ends it while it is being scraped, with exit code 0', async () => {
    const child = start('demo', '--web.listen-address=127.0.0.1:0', '--log.format=logfmt')
    const [, url = ''] = await says(child.stdout, /metrics: +(\S+)\n/)
    const answers = ['POST', 'DELETE'].map(async (method) => fetch(new URL('/-/drill', url), { method }))
    expect((await Promise.all(answers)).map((one) => one.status)).toEqual([200, 200])
    // The scraper keeps its connection.
    expect(await statusOf(url)).toBe(200)
    const ended = once(child, 'exit')
    const began = performance.now()
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('a demo on a port in use says so in one line and ends, also when a listener before it was opened already', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const taken = `127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(run('demo', '--web.listen-address=127.0.0.1:0', `--web.listen-address=${taken}`)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^cannot listen on ${taken}: the port is already in use; .*\n$`)),
    })
    server.close()
  })

  test('a demo listens on this machine alone', async () => {
    const taken = createServer().listen(19_650, '127.0.0.1')
    // It is as well if someone else has it already.
    await Promise.race([once(taken, 'listening'), once(taken, 'error')])
    const { status, stderr } = run('demo')
    taken.close()
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^cannot listen on 127\.0\.0\.1:19650: the port is already in use; /) as unknown,
    })
  })

  test('a demo goes on when its output is not read', async () => {
    const child = start('demo', '--web.listen-address=127.0.0.1:0', '--log.format=logfmt')
    child.stdout.destroy()
    const [, address] = await says(child.stderr, /address=(\S+)/)
    child.stderr.destroy()
    expect(await statusOf(`http://${address}/metrics`)).toBe(200)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('a signal ends a profile: the profiler is stopped before the process', async () => {
    const asked: string[] = []
    const started = Promise.withResolvers<void>()
    const node = await startSink((_, body, response) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string }
      asked.push(method)
      response.end(JSON.stringify({ jsonrpc: '2.0', result: {}, id }))
      started.resolve()
    })
    const child = start('admin', 'profile', 'cpu', '--for=1h', '--yes', `--url=${node.url}`)
    const ended = once(child, 'exit')
    const said = text(child.stderr)
    await started.promise
    child.kill('SIGINT')
    expect(await ended).toEqual([9, null])
    expect(asked).toEqual(['admin.startCPUProfiler', 'admin.stopCPUProfiler'])
    expect(await said).toMatch(
      /^127\.0\.0\.1:\d+: interrupted, stopped the CPU profiler after \d+ s; it wrote cpu\.profile/,
    )
    await node.end()
  })

  test('a signal ends once while its upstream hangs', async () => {
    const asked = Promise.withResolvers<void>()
    const silent = createServer((socket) => {
      socket.on('error', () => {})
      asked.resolve()
    })
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const config = configFile('silent.yml', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
    const child = start('once', `--config.file=${config}`)
    const ended = once(child, 'exit')
    const printed = text(child.stdout)
    await asked.promise
    child.kill('SIGINT')
    expect(await ended).toEqual([1, null])
    // It did not wait for the time-out and print what it has then.
    expect(await printed).toBe('')
    silent.close()
  })
})
