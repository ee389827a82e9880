// The storage of the daemon as a program: two on one folder.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scrape, eventually } from './support/scrape.ts'
import { valueOf } from '../support/exposition.ts'
import { stakewatch, temporaryFolder } from './support/processes.ts'

/** No server listens at that address; the storage does not mind. */
const CONFIG = 'networks: [{ name: fuji, nodes: [{ name: a, url: "http://127.0.0.1:9" }] }]'

test('the second on one folder ends and says why; the first goes on', async () => {
  const { path, remove } = await temporaryFolder()
  onTestFinished(remove)
  const config = join(path, 'stakewatch.yml')
  writeFileSync(config, CONFIG)
  const start = () => {
    const storage = `--storage.path=${join(path, 'storage')}`
    const started = stakewatch(`--config.file=${config}`, storage, '--web.listen-address=127.0.0.1:0')
    onTestFinished(async () => void (await started.end()))
    return started
  }
  const first = start()
  const address = await first.said(/address=(127\.0\.0\.1:\d+)/)
  const isUp = () =>
    eventually('the storage works', async () => {
      return valueOf(await scrape(`http://${address}/metrics`), 'stakewatch_storage_up') === 1
    })
  await isUp()
  const second = start()
  await second.said(/^(another process uses the storage in .*: give each process a folder of its own)$/m)
  expect(await second.end()).toBe(1)
  await isUp()
  expect(await first.end()).toBe(0)
})
