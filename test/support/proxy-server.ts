// An HTTP proxy on loopback: it makes tunnels (CONNECT), passes plain requests on, and may ask for credentials or refuse.

import { createServer, request as sendRequest } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ProxyServer {
  /** `user` as in `name:password`. */
  url(user?: string): string
  host: string
  /** What it was asked for: `CONNECT 127.0.0.1:443` or `POST http://127.0.0.1:9650/ext/info`. */
  asked: readonly string[]
}

interface ProxyOptions {
  /** `name:password` that clients must send. */
  user?: string
  /** The status for everyone who is let in, instead of the upstream's answer. */
  refuses?: number
  /** Takes requests and says nothing. */
  isSilent?: boolean
}

/** Lives as long as the test. */
export async function createProxyServer({ user, refuses, isSilent = false }: ProxyOptions = {}): Promise<ProxyServer> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const refusalOf = (given: string | undefined) => {
    const wanted = user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`
    return given === wanted || wanted === undefined ? refuses : 407
  }

  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (isSilent) return
    const { 'proxy-authorization': given, 'proxy-connection': _, ...headers } = request.headers
    const refusal = refusalOf(given)
    if (refusal !== undefined) {
      response.writeHead(refusal).end('the proxy says no')
      return
    }
    const { method } = request
    const passed = sendRequest(request.url!, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.writeHead(502).end())
    request.pipe(passed)
  })
  server.on('connection', keep)
  server.on('connect', (request, client: Socket) => {
    asked.push(`CONNECT ${request.url}`)
    if (isSilent) return
    const refusal = refusalOf(request.headers['proxy-authorization'])
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const { hostname, port } = new URL(`tunnel://${request.url}`)
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.pipe(client)
      client.pipe(upstream)
    })
    keep(upstream)
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: (name) => `http://${name === undefined ? '' : `${name}@`}${host}`, host, asked }
}
