// A server that takes what is posted to it.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Sink {
  port: number
  url: string
  end: () => Promise<void>
}

/** Calls `take` with each whole request. A sender that hangs up has posted nothing: Alertmanager does so when it reloads. */
export async function startSink(
  take: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<Sink> {
  const server = createServer((request, response) => {
    text(request).then(
      (body) => take(request, body, response),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const end = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port, url: `http://127.0.0.1:${port}`, end }
}
