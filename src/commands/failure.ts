// What to tell when a command failed for a reason that is no defect of ours.

import { BaseError } from '../errors.ts'

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there',
  EACCES: 'not permitted; ports below 1024 need privileges',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'no such host',
}

/** Undefined for a defect: then the stack is what helps. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof BaseError) return error.message
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, address, hostname, port } = error as ListenError
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
  const host = address ?? hostname ?? ''
  const where = `${host.includes(':') ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}`
  return `cannot listen on ${where}: ${reasons[code] ?? error.message}; choose another --web.listen-address`
}

/** How Node tells that a listener could not be opened. */
interface ListenError extends NodeJS.ErrnoException {
  address?: string
  hostname?: string
  port?: number
}
