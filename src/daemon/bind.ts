// Binds a listener: to an address, also where the kernel has no IPv6, or to a socket that is open already.

import { BaseError } from '../errors.ts'
import type { HttpServer } from '../server/server.ts'

export type Address =
  | { host: string; port: number }
  /** A socket that the process began with. */
  | { fd: number }

/** The errors of `::` where the kernel has no IPv6. */
const noIpv6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])

/** Without IPv6, every address means every address of IPv4. */
export async function bind(server: HttpServer, address: Address): Promise<void> {
  if ('fd' in address) return take(server, address)
  try {
    await server.listen(address)
  } catch (cause) {
    const { host, port } = address
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    if (host === '::' && noIpv6.has(code)) return bind(server, { host: '0.0.0.0', port })
    throw cause
  }
}

async function take(server: HttpServer, { fd }: { fd: number }): Promise<void> {
  const message = `the socket with number ${fd} does not listen for TCP: the .socket unit needs ListenStream= with a port, and no Accept=yes`
  try {
    await server.listen({ fd })
  } catch (cause) {
    throw new BaseError('config', message, { cause })
  }
  // Of a socket in the file system it is a path, or not known.
  const bound = server.server.address()
  if (bound === null || typeof bound === 'string') throw new BaseError('config', message)
}
