// Answers written to a bare socket, where Node has parsed no request.

import type { Socket } from 'node:net'

/** What Node could not parse, or waited for in vain. */
const malformed: Readonly<Record<string, [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
}

/** Returns the status; undefined if the connection broke or already has its answer. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket, isBusy: boolean): number | undefined {
  // Node reports each further chunk of nonsense as well.
  if (socket.writableEnded) return undefined
  const { code = '' } = error
  if (!/^(HPE_|ERR_HTTP_)/.test(code) || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const [status, reason] = malformed[code] ?? [400, 'Bad Request']
  // The client would take it for a part of the answer in progress.
  if (isBusy) socket.destroy()
  else socket.end(rawAnswer(status, reason), () => socket.destroy())
  return status
}

/** The words of Go's servers, which other exporters use. */
export const NOT_OVER_TLS = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'

export function rawAnswer(code: number, reason: string): string {
  const text = `${reason}\n`
  return `HTTP/1.1 ${code} ${reason}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${text.length}\r\n\r\n${text}`
}
