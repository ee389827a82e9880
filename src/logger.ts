// Logging: pino to one stream, as logfmt or JSON. docs/http.md lists the keys.

import pino from 'pino'

/** Data first, then a message that is the same for every such event. */
export interface Logger {
  /** For developers of stakewatch; a log that no one reads has none. */
  debug?(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/** The log of the process, which also logs why it ends. */
export interface ProcessLogger extends Logger {
  error(details: object, message: string): void
  isLevelEnabled(level: (typeof logLevels)[number]): boolean
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export const logFormats = ['logfmt', 'json'] as const

export interface LogOptions {
  level: (typeof logLevels)[number]
  format: (typeof logFormats)[number]
  /** Where complete lines go. */
  write: (line: string) => void
  now?: () => number
}

export function createLogger({ level, format, write, now = Date.now }: LogOptions): ProcessLogger {
  const ts = () => new Date(now()).toISOString()
  if (format === 'json') {
    const options = {
      level,
      base: null,
      timestamp: () => `,"ts":"${ts()}"`,
      formatters: { level: (label: string) => ({ level: label }), log: plain },
    }
    return pino(options, { write: (text) => write(escapedControls(text)) })
  }
  // The line is written in place of pino's own, which would have to be parsed again.
  function logMethod([details, msg]: unknown[], _: unknown, number: number): void {
    // As pino takes them.
    const named = details instanceof Error ? { err: details } : (details as Record<string, unknown>)
    write(logfmt({ ts: ts(), level: pino.levels.labels[number], msg, ...plain(named) }))
  }
  return pino({ level, hooks: { logMethod } })
}

/**
 * An error becomes its code and message: stacks, causes and other fields may quote URLs, keys and answers. A big integer
 * becomes its digits: as a JSON number, its reader would round it.
 */
function plain(details: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(details)
  return Object.fromEntries(entries.map(([key, value]) => [key, plainValue(value)]))
}

function plainValue(value: unknown): unknown {
  if (value instanceof Error) return 'code' in value ? `${String(value.code)}: ${value.message}` : value.message
  return typeof value === 'bigint' ? String(value) : value
}

/** Every value stays on its line, and a parser gets back what was logged. */
function logfmt(entry: object): string {
  const pairs = Object.entries(entry).filter(([, value]) => value !== undefined)
  return `${pairs.map(([key, value]) => `${key}=${written(value)}`).join(' ')}\n`
}

function written(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Without quotes, null means that there is no value.
  return isPlain(text) && value !== 'null' ? text : escapedControls(JSON.stringify(text))
}

/** Needs no quotes. U+FFFD and lone surrogates do: they come from bytes that are not text. */
function isPlain(text: string): boolean {
  return /^[^\s"=\\\p{Cc}\p{Zl}\p{Zp}\p{Cs}\ufffd]+$/u.test(text)
}

/**
 * Removes control characters, which a terminal interprets, and line separators. Line feeds stay: JSON escapes those in
 * values, so the others are ours.
 */
function escapedControls(text: string): string {
  return text.replace(
    /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
