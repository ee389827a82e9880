// Options that several commands share.

import { Command } from 'commander'
import { expect, test } from 'vitest'
import { webFlags } from '../../src/commands/io.ts'

const parse = (path: string) => {
  const command = webFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  return command.parse([`--web.telemetry-path=${path}`], { from: 'user' }).opts()
}

test.each(['/', '/metrics', '/-metrics', '/stakewatch/v1.metrics_all'])('metrics may be at %s', (path) => {
  expect(parse(path)).toMatchObject({ 'web.telemetryPath': path })
})

test.each(['/-/healthy', '/-/ready', '/-/metrics', 'metrics', '/metrics?all', ''])(
  'metrics cannot be at "%s": it is no path, or has another meaning',
  (path) => {
    expect(() => parse(path)).toThrow('Expected a path such as /metrics.')
  },
)
