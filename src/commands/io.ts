// The interface between commands and the process: commands never touch the process directly.

import { InvalidArgumentError, type Command } from 'commander'
import { createLogger, logFormats, type LogOptions, logLevels, type ProcessLogger } from '../logger.ts'
import { parseListenAddress } from '../server/listen-address.ts'
import type { Http, HttpOptions } from '../upstream/http.ts'
import { type SecurityFlags, securityFlags } from './serve/web-flags.ts'

/** Of what may hold a secret, which is for its owner alone, and of what does not; before the umask. */
export const fileModes = { secret: 0o600, plain: 0o666 } as const
type FileMode = (typeof fileModes)[keyof typeof fileModes]

export interface Io {
  version: string
  env: Readonly<Record<string, string | undefined>>
  pid: number
  /** Throws the error of the file system. */
  readFile: (path: string) => string
  /** The same without waiting for the disk, for files that are read again and again. */
  lookAt: (path: string) => Promise<string>
  /** Creates missing folders; throws a BaseError. A file that is there never gets more readers than it had. */
  writeFile: (path: string, text: string, mode: FileMode) => void
  stdout: (text: string) => void
  /** Whether what was written to stdout met a reader that has ended, or a full disk. */
  isOutputLost: () => boolean
  stderr: (text: string) => void
  /** Current width of the terminal, Infinity if unknown; undefined if stdout is not a terminal. */
  columns: () => number | undefined
  /** Current height of the terminal, Infinity if unknown. */
  rows: () => number
  /** Writes a log line. Never fails: lines that cannot be written are counted. */
  log: (line: string) => void
  logLinesDropped: () => number
  /** From now on, events of the process itself go to this logger. */
  logEventsTo: (log: ProcessLogger) => void
  /** Shows progress on a terminal; an empty text clears the line. */
  progress: (text: string) => void
  /** Asks a yes/no question; undefined without a terminal. */
  confirm: (question: string) => Promise<boolean> | undefined
  /** Asks a question and returns the answer, or undefined at the end of input; undefined without a terminal. */
  question: (question: string) => Promise<string | undefined> | undefined
  sleep: (milliseconds: number) => Promise<unknown>
  /** The network. */
  connect: (options: HttpOptions) => Promise<Http>
  /** Resolves when the process receives a stop signal. If a command never reads it, the signal ends the process immediately. */
  readonly stopped: Promise<void>
  /** From now on, a reload signal calls this. */
  onReload: (work: () => void) => void
  setExitCode: (code: number) => void
  /** Ends the process whatever hangs. */
  end: (code: number) => void
  /** First file of the thread that reads the configuration again. */
  reader: URL
  /** First file of the thread that keeps the file of the storage. */
  keeper: URL
  /** The folder of this package, with its documents, rules and dashboards. */
  packageFolder: string
}

export const DEFAULT_PORT = 19_650

export interface WebFlags extends SecurityFlags {
  'web.listenAddress'?: { host: string; port: number }[]
  'web.publicListenAddress'?: { host: string; port: number }
  'web.systemdSocket'?: true
  'web.telemetryPath': string
}

/** `host` is where it listens by default; empty for all interfaces. */
export function webFlags(command: Command, host = ''): Command {
  return securityFlags(command)
    .option(
      '--web.listen-address <address>',
      `address to listen on, repeatable (default: ${host}:${DEFAULT_PORT})`,
      (text: string, before: { host: string; port: number }[] | undefined) => [...(before ?? []), addressOf(text)],
    )
    .option(
      '--web.public-listen-address <address>',
      'address to serve the public page alone on, without passwords (default: it is on the others alone)',
      addressOf,
    )
    .addOption(
      command
        .createOption('--web.systemd-socket', 'listen on the sockets that systemd passes instead (socket activation)')
        .conflicts('web.listenAddress'),
    )
    .option(
      '--web.telemetry-path <path>',
      'path of the metrics',
      (text: string) => {
        // Paths under /-/ are for management.
        if (/^\/(?!-\/)[\w./-]*$/.test(text)) return text
        throw new InvalidArgumentError('Expected a path such as /metrics.')
      },
      '/metrics',
    )
}

function addressOf(text: string): { host: string; port: number } {
  const address = parseListenAddress(text)
  if (!address) throw new InvalidArgumentError('Expected [host]:port, as in :19650 or 127.0.0.1:19650.')
  return address
}

export interface LogFlags {
  'log.level': LogOptions['level']
  'log.format': LogOptions['format']
}

export function logFlags(command: Command): Command {
  const option = (flag: string, about: string, choices: readonly string[], preset: string) =>
    command.addOption(command.createOption(flag, about).choices(choices).default(preset))
  option('--log.level <level>', 'least important level to log', logLevels, 'info')
  return option('--log.format <format>', 'form of the log lines', logFormats, 'logfmt')
}

export function loggerOf(flags: LogFlags, io: Io): ProcessLogger {
  const log = createLogger({ level: flags['log.level'], format: flags['log.format'], write: io.log })
  io.logEventsTo(log)
  return log
}

export function configFlag(command: Command): Command {
  return command
    .option('--config.file <file>', 'configuration file (required; config.example.yaml explains every key)')
    .hook('preAction', () => {
      if (command.opts<{ 'config.file'?: string }>()['config.file']) return
      const advice = 'name your configuration, let stakewatch init write one, or try stakewatch demo'
      command.error(`error: --config.file=<file> is missing: ${advice}`)
    })
}

/** The URL of a bound listener, such as http://127.0.0.1:19650. */
export function urlOf({ address, port }: { address: string; port: number }, scheme: string): string {
  const host =
    address === '::' || address === '0.0.0.0' ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return `${scheme}://${host}:${port}`
}

/** True also for a file that cannot be read: only where there is none, writing loses nothing. */
export function isFile(file: string, { readFile }: Pick<Io, 'readFile'>): boolean {
  try {
    readFile(file)
    return true
  } catch (thrown) {
    return !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
  }
}
