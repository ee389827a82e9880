// The daemon in two threads, while the one that polls has a bad day.

import { describe, expect, test, type TestContext } from 'vitest'
import { systemClock } from '../../src/process/system-clock.ts'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { later } from '../../src/lib/clock.ts'
import { eventually, scrape } from '../e2e/support/scrape.ts'
import { valueOf } from '../support/exposition.ts'
import { configFrom } from '../support/poll.ts'

const threads = (name: string) => new URL(`../support/threads/${name}.ts`, import.meta.url)

async function open({ onTestFinished }: TestContext, thread: string) {
  const lines: string[] = []
  const write = (line: string) => {
    lines.push(line)
  }
  const passed = { milliseconds: 0 }
  const daemon = createDaemon({
    config: configFrom('networks: [{ name: fuji, nodes: [{ name: node-a, url: "http://127.0.0.1:1" }] }]'),
    version: '0.0.0',
    log: { level: 'info', format: 'logfmt', write },
    clock: { ...systemClock, now: () => later(systemClock.now(), passed.milliseconds) },
    random: () => 0,
    thread: threads(thread),
  })
  onTestFinished(async () => {
    await daemon.stop()
  })
  const [bound] = await daemon.start({ addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' })
  const base = `http://127.0.0.1:${bound!.port}`
  const metrics = () => scrape(`${base}/metrics`)
  const health = async () => (await fetch(`${base}/-/healthy`)).status
  return { daemon, lines, metrics, health, passed }
}

describe('a thread that polls and', () => {
  test('has a defect ends the daemon', async (context) => {
    const { daemon } = await open(context, 'defect')
    await expect(daemon.failed).rejects.toThrow('a defect')
  })

  test('runs out of memory is started again, and scrapes go on meanwhile', async (context) => {
    const { lines, metrics } = await open(context, 'glutton')
    const restarts = async () => valueOf(await metrics(), 'stakewatch_poller_restarts_total')
    expect(await restarts()).toBe(0)
    await eventually('a restart', async () => (await restarts()) === 1, 40)
    await eventually('another start', async () => lines.filter((line) => line === 'there\n').length === 2)
    expect(lines.some((line) => /^ts=\S+ level=warn msg=".*memory.*" megabytes=1024\n$/.test(line))).toBe(true)
  })

  test('never begins is not healthy after a minute', async (context) => {
    const { lines, health, passed } = await open(context, 'deaf')
    await eventually('its start', async () => lines.length > 0)
    expect(await health()).toBe(200)
    passed.milliseconds = 61_000
    expect(await health()).toBe(503)
  })

  test('does not hear that it is to stop is given up', async (context) => {
    const { daemon, lines } = await open(context, 'deaf')
    await eventually('its start', async () => lines.length > 0)
    await expect(daemon.stop()).resolves.toBe(true)
  })
})
