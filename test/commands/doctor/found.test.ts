// doctor with a Prometheus that names more daemons than anyone has.

import { expect, test } from 'vitest'
import type { Http } from '../../../src/upstream/http.ts'
import { inPackage, runCommand } from '../../support/command.ts'

const targetOf = (at: number) => ({
  labels: { job: 'stakewatch', instance: `watch-${at}` },
  scrapePool: 'stakewatch',
  scrapeUrl: `http://watch-${at}:19650/metrics`,
  lastError: '',
  health: 'up',
  scrapeInterval: '30s',
})

/** Each target claims to be stakewatch. */
function fleet(daemons: number) {
  const asked = new Set<string>()
  const all = Array.from({ length: daemons }, (_, at) => targetOf(at))
  const result = all.map(({ labels }) => ({ metric: labels, value: [0, '1'] }))
  const answers: readonly (readonly [path: RegExp, data: unknown])[] = [
    [/time\(\)/, { resultType: 'scalar', result: [0, '0'] }],
    [/\/query$/, { resultType: 'vector', result }],
    [/\/targets/, { activeTargets: all }],
    [/\/rules/, { groups: [] }],
  ]
  const send: Http['send'] = ({ url }) => {
    const { hostname, pathname, search } = new URL(url)
    if (hostname !== 'prometheus') asked.add(hostname)
    const [, data] = answers.find(([path]) => hostname === 'prometheus' && path.test(pathname + search)) ?? []
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
