// The command line as a whole.

import { Command } from 'commander'
import { check } from './check.ts'
import { demo } from './demo.ts'
import type { Io } from './io.ts'
import { once } from './once.ts'
import { serve } from './serve.ts'
import { simulate } from './simulate.ts'

export function createProgram(io: Io): Command {
  const program = new Command('stakewatch')
    .description('Prometheus exporter for validators and chains')
    .version(io.version, '--version')
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr })
    .exitOverride()
    .showHelpAfterError('Run with --help for the usage.')
  for (const add of [serve, check, once, simulate, demo]) add(program, io)
  return program
}
