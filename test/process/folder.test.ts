// A folder that was deleted after a shell went there: what needs a thread says so, as none can start in it.

import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

function startedInDeleted(...words: readonly string[]) {
  using folder = mkdtempDisposableSync(`${tmpdir()}/stakewatch-folder-`)
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
  return spawnSync('sh', ['-c', script, 'sh', folder.path, process.execPath, main, ...words], { encoding: 'utf8' })
}

test('a storage', () => {
  using elsewhere = mkdtempDisposableSync(`${tmpdir()}/stakewatch-folder-`)
  const config = join(elsewhere.path, 'stakewatch.yml')
  writeFileSync(config, 'networks: [{ name: fuji, nodes: [{ name: a, url: "http://127.0.0.1:1" }] }]')
  const { status, stderr } = startedInDeleted(
    `--config.file=${config}`,
    `--storage.path=${elsewhere.path}`,
    '--web.listen-address=127.0.0.1:0',
  )
  expect([status, stderr]).toEqual([
    1,
    'the folder in which stakewatch was started no longer exists: change to another one\n',
  ])
})

test('what needs no thread works there', () => {
  expect(startedInDeleted('--version').status).toBe(0)
})
