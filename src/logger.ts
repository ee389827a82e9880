// Logging: pino to one stream, as logfmt, JSON or lines for people.

import pino from 'pino'
import pretty from 'pino-pretty'

/** The data first, then a message that is always the same for the same event. */
export interface Logger {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/** The process itself: what it logs besides is why it ends. */
export interface ProcessLogger extends Logger {
  error(details: object, message: string): void
  isLevelEnabled(level: (typeof logLevels)[number]): boolean
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export const logFormats = ['logfmt', 'json', 'pretty'] as const

export interface LogOptions {
  level: (typeof logLevels)[number]
  format: (typeof logFormats)[number]
  /** Where complete lines go. */
  write: (line: string) => void
  now?: () => number
}

export function createLogger({ level, format, write, now = Date.now }: LogOptions): ProcessLogger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }), log: plainErrors },
  }
  if (format === 'json') return pino(options, { write: (text) => write(escaped(text)) })
  if (format === 'logfmt') return pino(options, { write: (text) => write(logfmt(JSON.parse(text) as object)) })
  const lines = pretty.prettyFactory({ colorize: false, translateTime: 'SYS:HH:MM:ss' })
  return pino(options, { write: (text) => write(escaped(lines(text))) })
}

/** An error is its code and message: stacks, causes and own fields may quote URLs, keys and answers. */
function plainErrors(details: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(details)
  return Object.fromEntries(entries.map(([key, value]) => [key, value instanceof Error ? textOf(value) : value]))
}

function textOf(error: Error): string {
  return 'code' in error ? `${String(error.code)}: ${error.message}` : error.message
}

/** key=value pairs; values with spaces, quotes or control characters are quoted. */
function logfmt(entry: object): string {
  const pairs = Object.entries(entry).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${key}=${/^[^\s"=\\\p{Cc}]+$/u.test(text) ? text : escaped(JSON.stringify(text))}`
  })
  return `${pairs.join(' ')}\n`
}

/**
 * Without control characters, which a terminal obeys, and without line separators, which begin a new line. Line feeds stay:
 * JSON escapes those of values, so the others are ours.
 */
function escaped(text: string): string {
  return text.replace(
    /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
