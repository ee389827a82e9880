// Binds a listener, also where the kernel has no IPv6.

import type { HttpServer } from '../server/server.ts'

export interface Address {
  host: string
  port: number
}

/** The errors of `::` where the kernel has no IPv6. */
const noIpv6 = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])

/** Without IPv6, every address means every address of IPv4. */
export async function bind(server: HttpServer, address: Address): Promise<void> {
  try {
    await server.listen(address)
  } catch (cause) {
    const { host, port } = address
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    if (host === '::' && noIpv6.has(code)) return bind(server, { host: '0.0.0.0', port })
    throw cause
  }
}
