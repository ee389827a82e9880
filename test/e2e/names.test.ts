// Names and addresses as networks have them, in a network namespace with a name server and a resolver's files of our own.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mayUnshare, runInside } from './support/namespaces.ts'
import { temporaryFolder } from './support/processes.ts'

interface Files {
  resolv?: string
  hosts?: string
  nsswitch?: string
}

/** Knows `localhost.localdomain`, which no file has. */
const OTHER_SOURCE = { nsswitch: 'hosts: dns myhostname\n' }

/** Runs a scenario of `support/names-inside.ts` on a machine with these files. */
async function play<Outcome>(scenario: string, files: Files = {}): Promise<Outcome> {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const { resolv = '', hosts = '127.0.0.1 localhost\n', nsswitch = 'hosts: files dns\n' } = files
  const contents = { 'resolv.conf': `nameserver 127.0.0.1\n${resolv}`, hosts, 'nsswitch.conf': nsswitch }
  const mounts = Object.keys(contents).map((name) => `mount --bind "$0/${name}" /etc/${name}`)
  for (const [name, text] of Object.entries(contents)) await writeFile(join(folder.path, name), text)
  const script = new URL('support/names-inside.ts', import.meta.url).pathname
  const inside = ['ip link set lo up', ...mounts, 'exec "$1" "$2" "$3"'].join(' && ')
  const { stdout, stderr } = runInside(inside, [folder.path, process.execPath, script, scenario])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Outcome
}

// The name server needs port 53, and the resolver its files: both are there only where a user may have namespaces.
test.runIf(mayUnshare).each<[string, string, Files]>([
  ['a handshake of a second, and no route to the other family', 'slow-handshake', {}],
  ['a dead address, and one that answers', 'dead-address', {}],
  ['a name that DNS fails for, and another source of the system knows', 'broken-dns', OTHER_SOURCE],
  ['a name that DNS refuses, and another source of the system knows', 'refused-by-dns', OTHER_SOURCE],
  ['a single label of the hosts file', 'single-label', { hosts: '127.0.0.1 printer\n' }],
  [
    'a search domain without an answer',
    'dead-search-domain',
    { resolv: 'search dead.example\noptions ndots:5 timeout:1 attempts:2\n' },
  ],
])('is reached: %s', async (_, scenario, files) => {
  expect(await play(scenario, files)).toEqual({ status: 200 })
})

test.runIf(mayUnshare)('thirty names without an answer do not delay a healthy upstream by more than 2 s', async () => {
  const { after, isBeforeAnyFailed } = await play<{ after: number; isBeforeAnyFailed: boolean }>('silent-names')
  // By the order and not by the clock alone: a busy machine delays both.
  expect({ after, isSoon: after < 2_000 || isBeforeAnyFailed }).toEqual({ after, isSoon: true })
})

test.runIf(mayUnshare)('a lookup without an answer does not keep the daemon from ending', async () => {
  // Longer than the test waits, with whatever the system waits by default.
  const outcome = await play<{ code: number; isLate: boolean }>('stop-during-lookup', {
    resolv: 'options timeout:30\n',
  })
  expect(outcome).toEqual({ code: 0, isLate: false })
})
