// What is answered on a bare socket, where there is no request that the framework could answer.

import type { Socket } from 'node:net'
import type { Guard } from './connections.ts'

/** What Node could not parse, or waited for in vain. */
const malformed: Readonly<Record<string, [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
}

/** Gives the status; undefined where the connection broke, which is no request. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket, guard: Guard): number | undefined {
  const { code = '' } = error
  guard.ignore(socket)
  if (!/^(HPE_|ERR_HTTP_)/.test(code) || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const [status, reason] = malformed[code] ?? [400, 'Bad Request']
  // In the middle of another answer this one would be taken for a part of it.
  if (guard.isBusy(socket)) socket.destroy()
  else socket.end(rawAnswer(status, reason), () => socket.destroy())
  return status
}

/** As Go's servers answer, which other exporters are. */
export const NOT_OVER_TLS = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'

export function rawAnswer(code: number, reason: string): string {
  const text = `${reason}\n`
  return `HTTP/1.1 ${code} ${reason}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}
