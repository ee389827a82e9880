// A daemon with a storage: it listens at once, and polls when the storage is open.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDaemon } from '../../src/daemon/daemon.ts'
import { systemClock } from '../../src/process/system-clock.ts'
import { createStorage } from '../../src/storage/storage.ts'
import { createHangingDisk } from '../../tools/hanging-disk.ts'
import { eventually, scrape } from '../e2e/support/scrape.ts'
import { valueOf } from '../support/exposition.ts'
import { configFrom } from '../support/poll.ts'

const log = { info: () => {}, warn: () => {} }
/** No node listens there. */
const configOf = (network: string) =>
  configFrom(`networks: [{ name: ${network}, nodes: [{ name: node-a, url: "http://127.0.0.1:1" }] }]`)

function daemonOn(folder: string) {
  const disk = createHangingDisk()
  const daemon = createDaemon({
    config: configOf('before'),
    version: '0.0.0',
    log,
    clock: systemClock,
    random: () => 0,
    storage: createStorage({ folder, keeper: disk.keep(folder), clock: systemClock, log }),
    load: () => configOf('after'),
  })
  onTestFinished(() => daemon.stop())
  return { daemon, disk }
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stakewatch-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const anywhere = { addresses: [{ host: '127.0.0.1', port: 0 }], telemetryPath: '/metrics' }

test('while the disk hangs, it serves and reloads; it polls what was loaded last, once it is open', async () => {
  const { daemon, disk } = daemonOn(temporary())
  disk.hang()
  const [bound] = await daemon.start(anywhere)
  const base = `http://127.0.0.1:${bound!.port}`
  expect((await fetch(`${base}/-/ready`)).status).toBe(503)
  const text = await scrape(`${base}/metrics`)
  expect(valueOf(text, 'stakewatch_build_info')).toBe(1)
  expect(text).not.toContain('stakewatch_storage_up')
  expect(await daemon.reload('test')).toMatch('the poller is about to start with it')
  disk.goOn()
  const polled = await eventually('a poll', async () => {
    const found = await scrape(`${base}/metrics`)
    return valueOf(found, 'stakewatch_upstream_up', { source: 'node-a' }) === 0 ? found : undefined
  })
  expect(valueOf(polled, 'stakewatch_storage_up')).toBe(1)
  expect(valueOf(polled, 'stakewatch_upstream_up', { network: 'after' })).toBe(0)
  expect(polled).not.toContain('network="before"')
})

test('on a folder that another one uses it polls nothing', async () => {
  const folder = temporary()
  const [first, second] = [daemonOn(folder).daemon, daemonOn(folder).daemon]
  await first.start(anywhere)
  await eventually('the first one polls', async () => first.seen().rows.length > 0)
  await second.start(anywhere)
  await expect(second.failed).rejects.toThrow('another process uses the storage in')
  expect(second.seen().rows).toEqual([])
})

test('stopped before it is open, it polls nothing', async () => {
  const { daemon, disk } = daemonOn(temporary())
  disk.hang()
  await daemon.start(anywhere)
  const stopped = daemon.stop()
  disk.goOn()
  await stopped
  expect(daemon.seen().rows).toEqual([])
})
