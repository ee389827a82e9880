// A server of ours with as little on its pages as possible, on a port of its own.

import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createServer, type ServerOptions } from '../../src/server/server.ts'
import { createManualClock } from './clock.ts'

/** Lives as long as the test. Its time passes where the test says so. */
export async function openServer(optionsOf: (clock: ServerOptions['clock']) => Partial<ServerOptions>) {
  const time = createManualClock(0)
  const [counted, cut]: [string[], string[]] = [[], []]
  const server = createServer({
    telemetryPath: '/metrics',
    body: () => [new TextEncoder().encode('stakewatch_a 1\n')],
    collectors: new Map(),
    pages: [{ path: '/', answer: () => ({ type: 'text/html; charset=utf-8', body: '<!doctype html>' }) }],
    ready: () => ({ isOk: true, text: 'ready' }),
    healthy: () => ({ isOk: true, text: 'healthy' }),
    count: (handler, code) => counted.push(`${handler} ${code}`),
    cut: (reason) => cut.push(reason),
    clock: time.clock,
    ...optionsOf(time.clock),
  })
  onTestFinished(() => server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return { server, port, clock: time, counted, cut }
}
