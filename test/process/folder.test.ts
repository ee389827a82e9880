// A folder that was deleted after a shell went there: commands that poll say so, as no thread can start in it.

import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

function startedInDeleted(...words: readonly string[]) {
  const folder = mkdtempSync(`${tmpdir()}/stakewatch-folder-`)
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
  return spawnSync('sh', ['-c', script, 'sh', folder, process.execPath, main, ...words], { encoding: 'utf8' })
}

test.each([
  ['serve', ['--config.file=/dev/null']],
  ['demo', ['demo', '--web.listen-address=127.0.0.1:0']],
])('%s', (_, words) => {
  const { status, stderr } = startedInDeleted(...words)
  expect([status, stderr]).toEqual([
    1,
    'the folder in which stakewatch was started no longer exists: change to another one\n',
  ])
})

test('what does not poll works there', () => {
  expect(startedInDeleted('--version').status).toBe(0)
})
