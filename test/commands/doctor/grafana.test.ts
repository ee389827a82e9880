// doctor with a Grafana: whether it knows how often stakewatch is scraped, whatever the job is called.

import { expect, test } from 'vitest'
import type { Http } from '../../../src/upstream/http.ts'
import { inPackage, runCommand } from '../../support/command.ts'

async function intervalWith(job: string) {
  const labels = { job, instance: 'watch-1:19650' }
  const target = {
    labels,
    scrapePool: job,
    scrapeUrl: 'http://watch-1:19650/metrics',
    lastError: '',
    health: 'up',
    scrapeInterval: '1m',
  }
  const series = { resultType: 'vector', result: [{ metric: labels, value: [0, '1'] }] }
  const ofPrometheus: readonly (readonly [path: RegExp, data: unknown])[] = [
    [/time\(\)/, { resultType: 'scalar', result: [0, '0'] }],
    [/\/query$/, series],
    [/\/targets/, { activeTargets: [target] }],
  ]
  const source = { uid: 'p', type: 'prometheus', name: 'Prometheus', isDefault: true }
  const ofGrafana: Readonly<Record<string, unknown>> = {
    '/api/health': { database: 'ok' },
    '/api/frontend/settings': { appUrl: 'http://grafana:3000/', datasources: { Prometheus: source } },
  }
  const send: Http['send'] = ({ url }) => {
    const { pathname, search } = new URL(url)
    const [, data] = ofPrometheus.find(([path]) => path.test(pathname + search)) ?? []
    const answer = ofGrafana[pathname] ?? (data && { status: 'success', data })
    return Promise.resolve({ status: answer ? 200 : 404, headers: {}, text: JSON.stringify(answer ?? {}) })
  }
  const connect = () => Promise.resolve({ send, close: () => Promise.resolve() })
  const words = ['doctor', '--json', '--prometheus=http://prometheus:9090', '--grafana=http://grafana:3000']
  const { stdout } = await runCommand(words, { ...inPackage, connect })
  const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string; found: string }[] }
  return findings.filter(({ check }) => check === 'grafana/interval')
}

test.each(['stakewatch', 'avalanche'])('the job %s is scraped less often than Grafana assumes', async (job) => {
  expect(await intervalWith(job)).toMatchObject([
    { level: 'warning', found: 'the data source Prometheus assumes a scrape every 15s, and there is one every 1m' },
  ])
})
