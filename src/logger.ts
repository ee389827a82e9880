// Logging: pino to one stream, as logfmt, JSON or lines for people.

import pino from 'pino'
import pretty from 'pino-pretty'

/** The data first, then a message that is always the same for the same event. */
export interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export const logFormats = ['logfmt', 'json', 'pretty'] as const

export interface LogOptions {
  level: (typeof logLevels)[number]
  format: (typeof logFormats)[number]
  /** Where complete lines go. */
  write: (line: string) => void
}

export function createLogger({ level, format, write }: LogOptions): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  if (format === 'json') return pino(options, { write })
  if (format === 'logfmt') return pino(options, { write: (text) => write(logfmt(JSON.parse(text) as object)) })
  const lines = pretty.prettyFactory({ colorize: false, translateTime: 'SYS:HH:MM:ss' })
  return pino(options, { write: (text) => write(lines(text)) })
}

/** key=value pairs; values with spaces, quotes or control characters are quoted. */
function logfmt(entry: object): string {
  const pairs = Object.entries(entry).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${key}=${/^[^\s"=\\]+$/.test(text) ? text : JSON.stringify(text)}`
  })
  return `${pairs.join(' ')}\n`
}
