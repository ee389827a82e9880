// One request to a server of ours, over a socket; the server listens from the first request on.

import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { HttpServer } from '../../src/server/server.ts'

export interface Injected {
  url: string
  method?: string
  headers?: Record<string, string>
  payload?: string
}

const listening = new WeakMap<HttpServer, Promise<void>>()

export async function inject(
  server: HttpServer,
  asked: Injected | string,
): Promise<{ statusCode: number; headers: IncomingHttpHeaders; rawPayload: Buffer; body: string }> {
  const {
    url,
    method = 'GET',
    headers = {},
    payload = '',
  }: Injected = typeof asked === 'string' ? { url: asked } : asked
  // Node's client sets no length for every method.
  const length = payload === '' ? {} : { 'content-length': Buffer.byteLength(payload) }
  if (!listening.has(server)) listening.set(server, server.listen({ host: '127.0.0.1', port: 0 }))
  await listening.get(server)
  server.server.unref()
  const { port } = server.server.address() as AddressInfo
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: url, method, headers: { ...length, ...headers } }, resolve)
      .on('error', reject)
      .end(payload)
  })
  const rawPayload = await buffer(answer)
  return { statusCode: answer.statusCode!, headers: answer.headers, rawPayload, body: rawPayload.toString() }
}
