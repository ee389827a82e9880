// The storage of the daemon as a program: two on one folder, and a folder that cannot be used.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scrape, eventually } from './support/scrape.ts'
import { valueOf } from '../support/exposition.ts'
import { stakewatch, temporaryFolder } from './support/processes.ts'

/** No server listens at that address; the storage does not mind. */
const CONFIG = 'networks: [{ name: fuji, nodes: [{ name: a, url: "http://127.0.0.1:9" }] }]'

async function here() {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const config = join(path, 'stakewatch.yml')
  writeFileSync(config, CONFIG)
  const start = (storage: string) => {
    const started = stakewatch(
      `--config.file=${config}`,
      `--storage.path=${storage}`,
      '--web.listen-address=127.0.0.1:0',
    )
    onTestFinished(async () => void (await started.end()))
    return started
  }
  return { path, start }
}

const addressOf = (started: ReturnType<typeof stakewatch>) => started.said(/address=(127\.0\.0\.1:\d+)/)

/** What the metric says as soon as it is there. */
const readMetric = (address: string, name: string) =>
  eventually(name, async () => {
    const value = valueOf(await scrape(`http://${address}/metrics`), name)
    return value === undefined ? undefined : { value }
  })

test('the second on one folder ends and says why; the first goes on', async () => {
  const { path, start } = await here()
  const folder = join(path, 'storage')
  const first = start(folder)
  const address = await addressOf(first)
  expect(await readMetric(address, 'stakewatch_storage_up')).toEqual({ value: 1 })
  const second = start(folder)
  await second.said(/^(another process uses the storage in .*: give each process a folder of its own)$/m)
  expect(await second.end()).toBe(1)
  expect(await readMetric(address, 'stakewatch_storage_up')).toEqual({ value: 1 })
  expect(await first.end()).toBe(0)
})

test('a folder that cannot be made: it goes on in memory, and says so', async () => {
  const { path, start } = await here()
  const started = start(join(path, 'stakewatch.yml', 'storage'))
  const address = await addressOf(started)
  expect(await readMetric(address, 'stakewatch_storage_up')).toEqual({ value: 0 })
  expect(started.stderr()).toContain('msg="storage does not work, keeping state in memory only"')
  expect(await started.end()).toBe(0)
})
