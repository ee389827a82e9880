// What doctor advises for a target that is down, by the error of Prometheus 2.42.

import { expect, test } from 'vitest'
import { prometheusScrapes } from '../../../src/commands/doctor/checks/prometheus-scrapes.ts'

const { judge } = prometheusScrapes.find(({ name }) => name === 'prometheus/targets')!
const own = {
  version: '0.1.0',
  limits: {} as never,
  waits: new Map<string, number>(),
  example: '',
  dashboards: new Map<string, never>(),
}

test.each([
  [
    'server returned HTTP status 401 Unauthorized',
    '127.0.0.1:19650',
    /user and password of stakewatch \(basic_auth\)$/,
  ],
  ['server returned HTTP status 403 Forbidden', '127.0.0.1:19650', /user and password of stakewatch \(basic_auth\)$/],
  ['server returned HTTP status 404 Not Found', '127.0.0.1:19650', /^correct metrics_path/],
  // A port is no status.
  [
    'Get "https://127.0.0.1:44013/metrics": http: server gave HTTP response to HTTPS client',
    '127.0.0.1:44013',
    /^correct scheme/,
  ],
  ['Get "http://127.0.0.1:40401/metrics": context deadline exceeded', '127.0.0.1:40401', /^raise scrape_timeout/],
  ['Get "http://127.0.0.1:4040/metrics": EOF', '127.0.0.1:4040', /^open the metrics of 127\.0\.0\.1:4040 on /],
])('%s', (lastError, instance, fix) => {
  const labels = { job: 'stakewatch', instance }
  const scrapeUrl = `http://${instance}/metrics`
  const target = { labels, scrapePool: 'stakewatch', scrapeUrl, lastError, health: 'down' }
  expect(judge({ targets: [target], instances: [], ruleGroups: [] }, own)).toEqual([
    { level: 'failed', found: `${instance} is down: ${lastError}`, fix: expect.stringMatching(fix) as unknown },
  ])
})
