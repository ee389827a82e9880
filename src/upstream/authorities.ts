// The authorities that connections trust where no own ones are given: those that Node.js has, and those of the system.

import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/**
 * Node.js alone trusts its own list, and companies put their authority into the system's. It costs 32 ms and 8 MiB with
 * Debian's, so it is left to the first connection that needs it. Before 24.5, Node.js cannot do it without its own flag.
 */
export function trustSystem(): void {
  if (typeof setDefaultCACertificates !== 'function') return
  const trusted = new Set(getCACertificates())
  const all = new Set([...trusted, ...getCACertificates('system')])
  if (all.size > trusted.size) setDefaultCACertificates([...all])
}
