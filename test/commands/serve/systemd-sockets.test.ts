import { expect, test } from 'vitest'
import { systemdSockets } from '../../../src/commands/serve/web-flags.ts'
import { runCommand } from '../../support/command.ts'

test.each([
  ['1', [{ fd: 3 }]],
  ['3', [{ fd: 3 }, { fd: 4 }, { fd: 5 }]],
])('%s sockets begin at number 3', (count, sockets) => {
  expect(systemdSockets({ env: { LISTEN_FDS: count, LISTEN_PID: '42' }, pid: 42 })).toEqual(sockets)
})

const NONE = '--web.systemd-socket: systemd passed no socket: start the .socket unit of the service'
const OTHER =
  '--web.systemd-socket: the sockets are for another process: start stakewatch in ExecStart without a wrapper'

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['without systemd', {}, NONE],
  ['without a .socket unit', { LISTEN_FDS: '0', LISTEN_PID: '42' }, NONE],
  ['with a number that is none', { LISTEN_FDS: '1x', LISTEN_PID: '42' }, NONE],
  ['in a process below that of the service', { LISTEN_FDS: '1', LISTEN_PID: '41' }, OTHER],
  ['without the id of the process', { LISTEN_FDS: '1' }, OTHER],
])('%s there are none', (_, env, message) => {
  expect(() => systemdSockets({ env, pid: 42 })).toThrow(expect.objectContaining({ code: 'config', message }))
})

test('an address at the same time is refused', async () => {
  const { stderr, code } = await runCommand(['demo', '--web.systemd-socket', '--web.listen-address=:19650'])
  expect([stderr, code]).toEqual([
    expect.stringContaining(
      "option '--web.systemd-socket' cannot be used with option '--web.listen-address <address>'",
    ),
    1,
  ])
})
