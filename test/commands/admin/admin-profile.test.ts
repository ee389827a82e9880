// admin profile cpu against bare nodes: its time is made of sleeps that the test counts and ends.

import { describe, expect, test } from 'vitest'
import { bareNode } from '../../support/bare-server.ts'
import { runCommand } from '../../support/command.ts'
import { closedPort, createHostileServer, reset } from '../../support/hostile-server.ts'
import { createTlsUpstream } from '../../support/tls-upstream.ts'

const cpu = (args: readonly string[], changes: Parameters<typeof runCommand>[1] = {}) =>
  runCommand(['admin', 'profile', 'cpu', '--yes', ...args], changes)

const START = 'admin.startCPUProfiler'
const STOP = 'admin.stopCPUProfiler'
const empty = () => ({ result: '{}' })

test.each([
  [[], Array.from({ length: 30 }, () => 1_000), '30 s'],
  [['--for=2s'], [1_000, 1_000], '2 s'],
  [['--for=1500ms'], [1_000, 500], '1.5 s'],
  [['--for=1m'], Array.from({ length: 60 }, () => 1_000), '60 s'],
])('starts the profiler, waits, stops it, and says where the profile is: %j', async (flags, waits, time) => {
  const { url, calls } = await bareNode(empty)
  const slept: number[] = []
  const atSleep: string[][] = []
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds)
    atSleep.push(calls().map(({ method }) => method))
  }
  const seen = await cpu([...flags, `--url=${url}`], { sleep })
  expect(slept).toEqual(waits)
  expect(atSleep).toEqual(waits.map(() => [START]))
  expect(calls().map(({ method }) => method)).toEqual([START, STOP])
  expect(seen).toMatchObject({
    code: 0,
    stdout: `${new URL(url).host}: stopped the CPU profiler after ${time}; it wrote cpu.profile in its profile directory\n`,
    stderr: '',
  })
})

test('shows how much of the time is over, and clears it before anything is said', async () => {
  const { url } = await bareNode(empty)
  const seen = await cpu(['--for=2s', `--url=${url}`])
  expect(seen.progress).toEqual([
    '[------------------------------]   0 %  0 s of 2 s',
    '[###############---------------]  50 %  1 s of 2 s',
    '',
    '',
  ])
})

describe('interrupted', () => {
  test('stops the profiler at once, says so and fails', async () => {
    const { url, calls } = await bareNode(empty)
    const stopped = Promise.withResolvers<void>()
    let sleeps = 0
    const sleep = () => {
      sleeps += 1
      if (sleeps < 3) return Promise.resolve()
      stopped.resolve()
      // The rest of the time never goes by.
      return new Promise(() => {})
    }
    const seen = await cpu([`--url=${url}`], { sleep, stopped: stopped.promise })
    expect(calls().map(({ method }) => method)).toEqual([START, STOP])
    expect(seen).toMatchObject({
      code: 9,
      stdout: '',
      stderr: `${new URL(url).host}: interrupted, stopped the CPU profiler after 2 s; it wrote cpu.profile in its profile directory`,
    })
    expect(seen.progress.at(-1)).toBe('')
  })

  test('while the profiler is being started, waits for nothing', async () => {
    const { url, calls } = await bareNode(empty)
    const seen = await cpu([`--url=${url}`], { stopped: Promise.resolve(), sleep: () => new Promise(() => {}) })
    expect(calls().map(({ method }) => method)).toEqual([START, STOP])
    expect(seen).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('interrupted, stopped the CPU profiler after 0 s'),
    })
  })
})

describe('a failure', () => {
  const yaml = (url: string) => `networks: [{ name: fuji, nodes: [{ name: node-a, url: "${url}/MARKER" }] }]`
  const MAY_RUN = 'the CPU profiler may still run; stop it with: stakewatch admin stopCPUProfiler'

  test.each([
    ['in time', new Promise<void>(() => {})],
    ['after an interruption', Promise.resolve()],
  ])('to stop says that the profiler may still run, and how to stop it: %s', async (_, stopped) => {
    const { url } = await bareNode((method) => (method === START ? empty() : { error: 'disk full' }))
    const { host } = new URL(url)
    const byConfiguration = await cpu(['--config.file=a.yml'], { readFile: () => yaml(url), stopped })
    expect(byConfiguration).toMatchObject({ code: 4, stdout: '' })
    expect(byConfiguration.stderr).toBe(
      `node-a (${host}): ${MAY_RUN} --config.file=a.yml --config.network=fuji --config.source=node-a\n` +
        'the node answered with error -32000: disk full',
    )
    const byAddress = await cpu([`--url=${url}/MARKER`], { stopped })
    expect(byAddress.stderr).toMatch(`${host}: ${MAY_RUN} --url=<the same>\n`)
    expect(byAddress.progress.at(-1)).toBe('')
  })

  test('to start ends the run: nothing is waited for, nothing stopped', async () => {
    const { url, calls } = await bareNode(() => ({ error: 'CPU profiler already running' }))
    const sleep = () => expect.unreachable('waits')
    const seen = await cpu([`--url=${url}`], { sleep })
    expect(calls().map(({ method }) => method)).toEqual([START])
    expect(seen).toMatchObject({
      code: 4,
      stdout: '',
      stderr: 'the node answered with error -32000: CPU profiler already running',
    })
  })

  test('to understand whether it was started says that the profiler may run', async () => {
    // A body that is cut off.
    const { url, calls } = await bareNode(() => ({ result: '{' }))
    const seen = await cpu([`--url=${url}`])
    expect(calls().map(({ method }) => method)).toEqual([START])
    expect(seen).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining(MAY_RUN) })
  })

  test('of the connection after the request says that the profiler may run', async () => {
    const { url } = await createHostileServer(reset)
    const seen = await cpu([`--url=${url}`])
    expect(seen).toMatchObject({ code: 8, stdout: '', stderr: expect.stringContaining(MAY_RUN) })
    expect(seen.stderr).toContain('the connection failed')
  })

  test.each([
    ['no program listens', closedPort],
    ['the certificate is refused', async () => (await createTlsUpstream()).url],
  ])('before the request says nothing of the profiler: %s', async (_, at) => {
    const seen = await cpu([`--url=${await at()}`])
    expect(seen).toMatchObject({
      code: 8,
      stdout: '',
      stderr: expect.stringMatching(/^[\d.:]+: the connection failed/),
    })
  })

  test.each([502, 503, 504])('of a proxy, with HTTP %i, says that the profiler may run', async (status) => {
    const { url } = await createHostileServer((response) => response.writeHead(status).end('bad gateway'))
    const seen = await cpu([`--url=${url}`])
    expect(seen).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(MAY_RUN) })
  })

  test.each([403, 500])('with HTTP %i, which is a refusal, says nothing of the profiler', async (status) => {
    const { url } = await createHostileServer((response) => response.writeHead(status).end('no'))
    const seen = await cpu([`--url=${url}`])
    expect(seen).toMatchObject({ code: 5, stdout: '', stderr: expect.not.stringContaining(MAY_RUN) })
  })

  test('because the answer is too large says that the profiler may run', async () => {
    const { url } = await createHostileServer((response) =>
      response.writeHead(200, { 'content-length': 10 ** 12 }).end(),
    )
    const seen = await cpu([`--url=${url}`])
    expect(seen).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining(MAY_RUN) })
  })
})

test.each([
  ['a person says no', ['--for=2s'], () => Promise.resolve(false), 'not confirmed: nothing was sent', 9],
  ['there is no terminal', ['--for=2s'], () => undefined, 'profile its CPU for 2 s: there is no terminal to ask on', 1],
  ['the time is none', ['--for=soon'], () => Promise.resolve(true), 'Expected a time such as 30s or 5m.', 1],
  ['there is no time', ['--for=0s'], () => Promise.resolve(true), 'Expected a time such as 30s or 5m.', 1],
])('nothing is sent when %s', async (_, flags, confirm, message, code) => {
  const { url, asked } = await bareNode(empty)
  const seen = await runCommand(['admin', 'profile', 'cpu', `--url=${url}`, ...flags], { confirm })
  expect(seen).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  expect(asked).toEqual([])
})
