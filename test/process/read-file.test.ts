// Files that an operator names by mistake: none of them may keep or fill the process.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookAtRegularFile, readRegularFile } from '../../src/process/read-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'stakewatch-files-'))
const at = (name: string) => join(folder, name)
const socket = createServer()

beforeAll(async () => {
  writeFileSync(at('key'), 'grüße\n')
  writeFileSync(at('empty'), '')
  for (const [name, size] of [
    ['largest', 16_777_216],
    ['larger', 16_777_217],
    ['immense', 2 ** 40],
  ] as const) {
    writeFileSync(at(name), '')
    // Without blocks on the disk.
    truncateSync(at(name), size)
  }
  execFileSync('mkfifo', [at('fifo')])
  socket.listen(at('socket'))
  await once(socket, 'listening')
})
afterAll(() => {
  socket.close()
  rmSync(folder, { recursive: true })
})

test.each([
  ['key', 'grüße\n'],
  ['empty', ''],
])('%s is read', async (name, text) => {
  expect([readRegularFile(at(name)), await lookAtRegularFile(at(name))]).toEqual([text, text])
})

test('a file of 16 MiB is read, and one that says it is empty but is not', async () => {
  expect(readRegularFile(at('largest'))).toHaveLength(16_777_216)
  expect(readRegularFile('/proc/self/status')).toMatch(/^Name:/)
  expect(await lookAtRegularFile(at('largest'))).toHaveLength(16_777_216)
  expect(await lookAtRegularFile('/proc/self/status')).toMatch(/^Name:/)
})

test.each([
  ['larger', 'EFBIG'],
  ['immense', 'EFBIG'],
  ['.', 'EISDIR'],
  ['fifo', 'ENOTREG'],
  ['/dev/zero', 'ENOTREG'],
  ['/dev/full', 'ENOTREG'],
  ['socket', 'ENXIO'],
  ['nothing', 'ENOENT'],
])('%s is refused: %s', async (name, code) => {
  const path = name.startsWith('/') ? name : at(name)
  expect(() => readRegularFile(path)).toThrow(expect.objectContaining({ code }))
  await expect(lookAtRegularFile(path)).rejects.toMatchObject({ code })
})
