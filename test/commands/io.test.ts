// Options that several commands share.

import { Command } from 'commander'
import { expect, test } from 'vitest'
import { webFlags } from '../../src/commands/io.ts'
import { listeningOf, type SecurityFlags } from '../../src/commands/serve/web-flags.ts'

const parsed = (...flags: string[]) => {
  const command = webFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  return command.parse(flags, { from: 'user' }).opts<SecurityFlags>()
}
const parse = (path: string) => parsed(`--web.telemetry-path=${path}`)

test.each(['/', '/metrics', '/-metrics', '/stakewatch/v1.metrics_all'])('metrics may be at %s', (path) => {
  expect(parse(path)).toMatchObject({ 'web.telemetryPath': path })
})

test.each(['/-/healthy', '/-/ready', '/-/metrics', 'metrics', '/metrics?all', ''])(
  'metrics cannot be at "%s": it is no path, or has another meaning',
  (path) => {
    expect(() => parse(path)).toThrow('Expected a path such as /metrics.')
  },
)

/** A system that says this of open files, or nothing. */
const files = (line?: string) => ({
  readFile(path: string) {
    if (line === undefined) throw new Error(path)
    return `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${line}\n`
  },
})

test.each([
  [[], '', ''],
  [['--web.route-prefix=/'], '', ''],
  [['--web.route-prefix=stakewatch/'], '/stakewatch', '/stakewatch'],
  [['--web.route-prefix=/a/b'], '/a/b', '/a/b'],
  [['--web.external-url=https://example.org/'], '', ''],
  [['--web.external-url=https://example.org/a/b/'], '/a/b', '/a/b'],
  [['--web.external-url=https://example.org/a', '--web.route-prefix=/'], '', '/a'],
  [['--web.external-url=https://example.org/', '--web.route-prefix=/a'], '/a', ''],
])('%j: paths are under %j, links under %j', (flags, routePrefix, linkPrefix) => {
  expect(listeningOf(parsed(...flags), files())).toMatchObject({ routePrefix, linkPrefix })
})

test('how much is taken, and for how long: what is not said is as strict as it was', () => {
  expect(listeningOf(parsed(), files())).toMatchObject({
    limits: { bodies: 40, answerWithin: 25_000 },
    timeouts: { readHeader: 5_000, read: 10_000, idle: 20_000 },
  })
  const flags = ['max-requests=0', 'read-header-timeout=1s', 'read-timeout=1m', 'write-timeout=1m', 'idle-timeout=5m']
  expect(listeningOf(parsed(...flags.map((flag) => `--web.${flag}`)), files())).toMatchObject({
    limits: { bodies: Number.POSITIVE_INFINITY, answerWithin: 60_000 },
    timeouts: { readHeader: 1_000, read: 60_000, idle: 300_000 },
  })
})

test.each([
  ['--web.route-prefix=/a b', 'Expected a path such as /stakewatch.'],
  ['--web.external-url=example.org', 'Expected a URL such as https://example.org/stakewatch/.'],
  ['--web.external-url=https://me:secret@example.org/', 'Expected a URL such as'],
  ['--web.external-url=https://example.org/?a', 'Expected a URL such as'],
  ['--web.max-requests=-1', 'Expected a whole number, 0 for no limit.'],
  ['--web.max-requests=many', 'Expected a whole number, 0 for no limit.'],
  ['--web.read-timeout=0s', 'Expected a duration such as 30s, of at most a day.'],
  ['--web.idle-timeout=2d', 'Expected a duration such as 30s, of at most a day.'],
])('%s is refused', (flag, expected) => {
  expect(() => parsed(flag)).toThrow(expected)
})

test.each([
  ['1024                 1048576              files', 512],
  ['256                  256                  files', 128],
  ['unlimited            unlimited            files', 512],
  [undefined, 512],
])('where the process may have %s, clients may have %i connections: upstreams need files too', (line, connections) => {
  expect(listeningOf(parsed(), files(line)).limits.connections).toBe(connections)
})
