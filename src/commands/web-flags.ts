// Flags of the HTTP side besides where it listens: who may connect, and how it is reached.

import type { Command } from 'commander'
import type { WebSource } from '../server/web.ts'
import type { Io } from './io.ts'
import { webSource } from './web-config.ts'

export interface SecurityFlags {
  'web.config.file'?: string
}

export function securityFlags(command: Command): Command {
  return command.option(
    '--web.config.file <file>',
    "TLS, passwords, headers and rate limit of the HTTP side, in the form of Prometheus' exporter-toolkit (docs/web.md)",
  )
}

export function webSourceOf({ 'web.config.file': file }: SecurityFlags, io: Io): WebSource | undefined {
  return file === undefined || file === '' ? undefined : webSource(file, io)
}
