// What a command gets from the process: commands themselves touch nothing of it.

import type { Worker } from 'node:worker_threads'
import { InvalidArgumentError, type Command } from 'commander'
import { createLogger, type Logger, logFormats, type LogOptions, logLevels, type ProcessLogger } from '../logger.ts'
import { parseListenAddress } from '../server/listen-address.ts'
import { type SecurityFlags, securityFlags } from './serve/web-flags.ts'

export interface Io {
  version: string
  env: Readonly<Record<string, string | undefined>>
  /** Throws what the file system says. */
  readFile: (path: string) => string
  /** Makes the folders that it needs. */
  writeFile: (path: string, text: string) => void
  stdout: (text: string) => void
  stderr: (text: string) => void
  /** Characters in a line of the terminal that stdout is at this moment; undefined where it is none. */
  columns: () => number | undefined
  /** Takes a line of the log. It never fails: a line that cannot be written is counted. */
  log: (line: string) => void
  logLinesDropped: () => number
  /** From now on, what happens to the process itself is logged there. */
  logEventsTo: (log: ProcessLogger) => void
  /** How far it is, on a terminal; an empty text clears the line. */
  progress: (text: string) => void
  /** Puts a question that yes or no answers; undefined where there is no terminal to put it on. */
  confirm: (question: string) => Promise<boolean> | undefined
  /** Puts a question and gives the line that answers it, undefined when the input ends; as for `confirm`. */
  question: (question: string) => Promise<string | undefined> | undefined
  sleep: (milliseconds: number) => Promise<unknown>
  /** Resolves when the process is asked to end. A command that never reads it is not asked: it ends at once. */
  readonly stopped: Promise<void>
  /** From now on this is done when the process is asked to read its configuration again. */
  onReload: (work: () => void) => void
  setExitCode: (code: number) => void
  /** First file of the daemon's second thread. */
  thread: URL
  /** Such a thread that was started already, where the command line calls for one. */
  ahead?: Worker | undefined
  /** The folder of the runbooks, one page for each alert. */
  runbooks: string
}

export const DEFAULT_PORT = 19_650

export interface WebFlags extends SecurityFlags {
  'web.listenAddress'?: { host: string; port: number }[]
  'web.telemetryPath': string
}

export function webFlags(command: Command): Command {
  return securityFlags(command)
    .option(
      '--web.listen-address <address>',
      `address to listen on, repeatable (default: :${DEFAULT_PORT})`,
      (text: string, before: { host: string; port: number }[] | undefined) => {
        const address = parseListenAddress(text)
        if (!address) throw new InvalidArgumentError('Expected [host]:port, as in :19650 or 127.0.0.1:19650.')
        return [...(before ?? []), address]
      },
    )
    .option(
      '--web.telemetry-path <path>',
      'path of the metrics',
      (text: string) => {
        // What lies under /-/ is for the daemon's own life.
        if (/^\/(?!-\/)[\w./-]*$/.test(text)) return text
        throw new InvalidArgumentError('Expected a path such as /metrics.')
      },
      '/metrics',
    )
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

export function logOptionsOf(flags: LogFlags, io: Io): LogOptions {
  return { level: flags['log.level'], format: flags['log.format'], write: io.log }
}

export function loggerOf(flags: LogFlags, io: Io): Logger {
  const log = createLogger(logOptionsOf(flags, io))
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

/** `127.0.0.1:19650` from what a listener was bound to, as a browser takes it. */
export function urlOf({ address, port }: { address: string; port: number }, scheme: string): string {
  const host =
    address === '::' || address === '0.0.0.0' ? 'localhost' : address.includes(':') ? `[${address}]` : address
  return `${scheme}://${host}:${port}`
}
