// An upstream with TLS on loopback that may ask for a client certificate, and answers as a node does.

import { randomUUID } from 'node:crypto'
import { request as sendRequest } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { authority, certificate, type Made } from './certificates.ts'

export interface TlsUpstream {
  url: string
  /** Of the authority that signed the certificates of both sides. */
  ca: string
  client: Made
  /** The common names of the clients, in the order of their requests. */
  clients: readonly string[]
}

interface TlsUpstreamOptions {
  asksClients?: boolean
  /** The host in its certificate; default: the address that it listens on. */
  name?: string
  answer?: string
  /** The server that answers behind it; default: `answer`. */
  behind?: string
}

/** Lives as long as the test. */
export async function createTlsUpstream({
  asksClients = false,
  name,
  answer = '{}',
  behind,
}: TlsUpstreamOptions = {}): Promise<TlsUpstream> {
  const ca = authority(`authority ${randomUUID()}`)
  const names = name === undefined ? { ip: '127.0.0.1' } : { dns: name }
  const { cert, key } = certificate('upstream', { by: ca, names })
  const clients: string[] = []
  const options = { cert, key, ca: ca.cert, requestCert: asksClients, rejectUnauthorized: true }
  const server = createServer(options, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    clients.push(String(subject?.CN ?? 'none'))
    if (behind === undefined) {
      response.end(answer)
      return
    }
    const { method, headers } = request
    const passed = sendRequest(`${behind}${request.url}`, { method, headers }, (answered) => {
      response.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(response)
    })
    request.pipe(passed)
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: ca.cert,
    client: certificate('the daemon', { by: ca }),
    clients,
  }
}
