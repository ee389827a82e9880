// Listen addresses, as a flag names them.

import { isIPv6 } from 'node:net'

/** `:19650`, `127.0.0.1:19650`, `[::1]:19650`; undefined when the text is none of these. */
export function parseListenAddress(text: string): { host: string; port: number } | undefined {
  const { v6, host, port } = /^(?:\[(?<v6>.+)\]|(?<host>[^:[\]\s]*)):(?<port>\d{1,5})$/.exec(text)?.groups ?? {}
  if (port === undefined || Number(port) > 65_535 || (v6 !== undefined && !isIPv6(v6))) return undefined
  return { host: v6 ?? (host || '::'), port: Number(port) }
}
