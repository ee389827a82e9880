// Names whose servers are silent, in a network namespace with a name server of our own.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mayUnshare, runInside } from './support/namespaces.ts'
import { temporaryFolder } from './support/processes.ts'

// The name server needs port 53 and resolv.conf: both are there only where a user may have namespaces.
test.runIf(mayUnshare)('thirty names without an answer do not delay a healthy upstream by more than 2 s', async () => {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const resolv = join(folder.path, 'resolv.conf')
  await writeFile(resolv, 'nameserver 127.0.0.1\n')
  const script = new URL('support/silent-names.ts', import.meta.url).pathname
  const inside = `ip link set lo up && mount --bind "$0" /etc/resolv.conf && exec "$1" "$2"`
  const { stdout, stderr } = runInside(inside, [resolv, process.execPath, script])
  expect(stderr).toBe('')
  const { after, isBeforeAnyFailed } = JSON.parse(stdout) as { after: number; isBeforeAnyFailed: boolean }
  // By the order and not by the clock alone: a busy machine delays both.
  expect({ after, isSoon: after < 2_000 || isBeforeAnyFailed }).toEqual({ after, isSoon: true })
})
