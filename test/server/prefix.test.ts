// Paths behind a prefix, as a proxy or a shared host name wants them; over real sockets, as the prefix is taken off there.

import { expect, test } from 'vitest'
import { withoutPrefix } from '../../src/server/routes.ts'
import type { ServerOptions } from '../../src/server/server.ts'
import { openServer } from '../support/open-server.ts'

async function open(options: Partial<ServerOptions>) {
  const { port, counted } = await openServer(() => ({
    pages: [{ path: '/', answer: () => ({ type: 'text/html; charset=utf-8', body: 'the page' }) }],
    ...options,
  }))
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
