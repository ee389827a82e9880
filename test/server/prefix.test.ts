// Paths behind a prefix, as a proxy or a shared host name wants them; over real sockets, as the prefix is taken off there.

import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { withoutPrefix } from '../../src/server/routes.ts'
import { createServer, type HttpServer, type ServerOptions } from '../../src/server/server.ts'

const servers: HttpServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function open(options: Partial<ServerOptions>) {
  const counted: string[] = []
  const server = createServer({
    telemetryPath: '/metrics',
    body: () => [new TextEncoder().encode('stakewatch_a 1\n')],
    collectors: new Map(),
    pages: [{ path: '/', answer: () => ({ type: 'text/html; charset=utf-8', body: 'the page' }) }],
    ready: () => ({ isOk: true, text: 'ready' }),
    healthy: () => ({ isOk: true, text: 'healthy' }),
    count: (handler, code) => counted.push(`${handler} ${code}`),
    cut: () => {},
    clock: { now: () => ({ steady: 0 }), after: () => () => {} },
    ...options,
  })
  servers.push(server)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
    return `${answer.status} ${answer.headers.get('location') ?? (await answer.text()).trim()}`
  }
  return { ask, counted }
}

test('everything is under the prefix, and requests are counted without it', async () => {
  const { ask, counted } = await open({ routePrefix: '/stakewatch' })
  const answers: string[] = []
  for (const path of ['/metrics?x=1', '', '/', '?', '/-/healthy', '/-/ready', '/nothing'])
    answers.push(await ask(`/stakewatch${path}`))
  expect(answers).toEqual([
    '200 stakewatch_a 1',
    '200 the page',
    '200 the page',
    '200 the page',
    '200 healthy',
    '200 ready',
    '404 Not found. The metrics are at /stakewatch/metrics.',
  ])
  expect(counted).toEqual(['/metrics 200', '/ 200', '/ 200', '/ 200', '/-/healthy 200', '/-/ready 200', 'other 404'])
})

test.each([
  ['/', '302 /stakewatch/'],
  ['/?x', '302 /stakewatch/'],
  ['/metrics', '404 Not found. The metrics are at /stakewatch/metrics.'],
  ['/stakewatchful/metrics', '404 Not found. The metrics are at /stakewatch/metrics.'],
  ['/-/healthy', '404 Not found. The metrics are at /stakewatch/metrics.'],
])('outside of the prefix %s gives %s', async (path, expected) => {
  const { ask } = await open({ routePrefix: '/stakewatch' })
  expect(await ask(path)).toBe(expected)
})

test('where a proxy takes the prefix off, links have it and paths have not', async () => {
  const { ask } = await open({ linkPrefix: '/proxied' })
  expect([await ask('/metrics'), await ask('/nothing')]).toEqual([
    '200 stakewatch_a 1',
    '404 Not found. The metrics are at /proxied/metrics.',
  ])
})

test.each([
  ['http://x/a/metrics', '/a', '/metrics'],
  ['http://x', '/a', '/-/to-prefix'],
  ['/a/b/metrics', '/a/b', '/metrics'],
  ['/a//x', '/a', '//x'],
  ['*', '/a', '/-/outside'],
  ['/metrics', '', '/metrics'],
])('%s without the prefix %j is %s', (url, prefix, expected) => {
  expect(withoutPrefix(url, prefix)).toBe(expected)
})
