// A storage on a file system that is mounted read-only. SQLite says only that reading or writing failed.

import { expect, onTestFinished, test } from 'vitest'
import { mayUnshare, runInside } from './support/namespaces.ts'
import { temporaryFolder } from './support/processes.ts'

const database = new URL('../../src/storage/database.ts', import.meta.url).href
const open = `import { openDatabase } from '${database}'
try { openDatabase(process.argv[1]); console.log('opened') } catch (error) { console.log(error.failure) }`

// Mounting needs a namespace of one's own.
test.runIf(mayUnshare).each([
  ['no file', 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@" "$0/stakewatch.db"', 'read_only'],
  ['no file and no folder', 'mount -t tmpfs -o ro tmpfs "$0" && exec "$@" "$0/a/b/stakewatch.db"', 'read_only'],
  [
    'a file from before',
    'mount -t tmpfs tmpfs "$0" && "$@" "$0/stakewatch.db" && mount -o remount,ro "$0" && exec "$@" "$0/stakewatch.db"',
    'opened\nread_only',
  ],
  ['a file, and it can be written', 'mount -t tmpfs tmpfs "$0" && exec "$@" "$0/stakewatch.db"', 'opened'],
])('%s: says so', async (_, script, said) => {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const node = [process.execPath, '--input-type=module', '--eval', open]
  const { stdout, stderr } = runInside(script, [folder.path, ...node])
  expect({ said: stdout.trim(), stderr }).toEqual({ said, stderr: '' })
})
