// Messages and exit codes for failures of commands that are not bugs.

import { BaseError, type ErrorCode } from '../errors.ts'
import { printable } from '../lib/printable.ts'

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use',
  EACCES: 'permission denied; ports below 1024 need privileges',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'no such host',
}

/** Exit codes that let scripts distinguish an upstream that is down from one that refuses. Shells use 2 themselves. */
export const exitCodes: Readonly<Record<ErrorCode, number>> = {
  config: 1,
  bug: 1,
  unsupported: 3,
  rpc_error: 4,
  not_found: 4,
  http_status: 5,
  not_ready: 5,
  bad_response: 6,
  too_large: 6,
  stale_response: 6,
  implausible_response: 6,
  timeout: 7,
  network: 8,
  circuit_open: 8,
  over_budget: 8,
  busy: 8,
  paused: 8,
  aborted: 9,
}

export function exitCodeOf(error: unknown): number {
  return error instanceof BaseError ? exitCodes[error.code] : 1
}

/** What was asked for; undefined if that fails with one of these codes, or without codes in any way that is no bug. */
export async function orNothing<Value>(
  asked: Promise<Value>,
  ...codes: readonly ErrorCode[]
): Promise<Value | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof BaseError && (codes.length === 0 || codes.includes(error.code))) return undefined
    throw error
  })
}

/** Undefined for a bug, which needs its stack trace. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof BaseError) {
    const { message, details } = error
    return details === undefined ? message : `${message}: ${details.split('\n').map(printable).join('\n')}`
  }
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, address, hostname, port } = error as ListenError
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
  const host = address ?? hostname ?? ''
  const where = `${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`
  return `cannot listen on ${where}: ${reasons[code] ?? error.message}; choose another address (--web.listen-address, --web.public-listen-address)`
}

/** Node's error for a listener that could not be opened. */
interface ListenError extends NodeJS.ErrnoException {
  address?: string
  hostname?: string
  port?: number
}
