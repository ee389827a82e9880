// doctor with a Prometheus that names more daemons than anyone has.

import { expect, test } from 'vitest'
import type { Http } from '../../../src/upstream/http.ts'
import { inPackage, runCommand } from '../../support/command.ts'

const targetOf = (at: number, path = '/metrics') => ({
  labels: { job: 'stakewatch', instance: `watch-${at}` },
  scrapePool: 'stakewatch',
  scrapeUrl: `http://watch-${at}:19650${path}`,
  lastError: '',
  health: 'up',
  scrapeInterval: '30s',
})

/** Each target claims to be stakewatch. */
function fleet(daemons: number, path?: string, served: Readonly<Record<string, string>> = {}) {
  const asked = new Set<string>()
  const all = Array.from({ length: daemons }, (_, at) => targetOf(at, path))
  const result = all.map(({ labels }) => ({ metric: labels, value: [0, '1'] }))
  const answers: readonly (readonly [path: RegExp, data: unknown])[] = [
    [/time\(\)/, { resultType: 'scalar', result: [0, '0'] }],
    [/\/query$/, { resultType: 'vector', result }],
    [/\/targets/, { activeTargets: all }],
    [/\/rules/, { groups: [] }],
  ]
  const send: Http['send'] = ({ url }) => {
    const { hostname, pathname, search } = new URL(url)
    if (hostname !== 'prometheus') {
      asked.add(hostname)
      const text = served[pathname]
      return Promise.resolve({ status: text === undefined ? 404 : 200, headers: {}, text: text ?? '' })
    }
    const [, data] = answers.find(([path]) => path.test(pathname + search)) ?? []
    const text = JSON.stringify({ status: 'success', data })
    return Promise.resolve({ status: data === undefined ? 404 : 200, headers: {}, text })
  }
  const connect = () => Promise.resolve({ send, close: () => Promise.resolve() })
  return { asked, run: () => runCommand(['doctor', '--prometheus=http://prometheus:9090'], { ...inPackage, connect }) }
}

test('it asks a hundred daemons that Prometheus names, and no more', async () => {
  const { asked, run } = fleet(150)
  const { stdout } = await run()
  expect(stdout).toContain('prometheus/targets')
  expect(asked.size).toBe(100)
})

test.each([
  ['a path of two parts', '/own/metrics', '/-/ready'],
  ['a prefix', '/own/metrics', '/own/-/ready'],
  ['a prefix and a path of two parts', '/own/of/metrics', '/own/-/ready'],
])('a daemon is found by its metrics under %s', async (_, metrics, ready) => {
  const served = { [metrics]: 'stakewatch_build_info{version="0.0.0"} 1\n', [ready]: 'stakewatch is ready.\n' }
  const { stdout } = await fleet(1, metrics, served).run()
  expect(stdout).toMatch(/^ok +daemon\/answers +watch-0:19650 answers$/m)
})

test('a daemon is not asked for each part of a path without end', async () => {
  const { asked, run } = fleet(1, `${'/a'.repeat(1_000)}/metrics`)
  const { stdout } = await run()
  expect([...asked]).toEqual(['watch-0'])
  expect(stdout).toMatch(/^unknown +daemon\/answers +watch-0:19650 answers with HTTP 404/m)
})
