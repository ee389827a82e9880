// doctor and whether the alerts that Prometheus sends reach an Alertmanager, by what Prometheus counts.

import { expect, test } from 'vitest'
import { bare } from '../../support/bare-server.ts'
import { inPackage, runCommand } from '../../support/command.ts'

const ALERTMANAGER = 'http://alertmanager:9093/api/v2/alerts'
const success = (data: unknown) => ({ body: JSON.stringify({ status: 'success', data }) })

/** With these counts of `ALERTMANAGER`, by metric. */
async function deliveries(counts: Readonly<Record<string, number>>, receivers: readonly string[] = [ALERTMANAGER]) {
  const metrics = Object.entries(counts).map(([name, value]) => `${name}{alertmanager="${ALERTMANAGER}"} ${value}\n`)
  const { url } = await bare(({ url: path }) => {
    if (path.includes('time()')) return success({ resultType: 'scalar', result: [0, '0'] })
    if (path === '/api/v1/alertmanagers')
      return success({ activeAlertmanagers: receivers.map((one) => ({ url: one })) })
    return path === '/metrics' ? { body: metrics.join('') } : { status: 404, body: '' }
  })
  const { stdout } = await runCommand(['doctor', '--json', `--prometheus=${url}`, `--alertmanager=${url}`], inPackage)
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; level: string; found: string; fix?: string }[]
  }
  return findings.filter(({ check }) => check === 'prometheus/deliveries')
}

const seenOf = (findings: Awaited<ReturnType<typeof deliveries>>) => findings.map(({ level, found }) => [level, found])

const ERRORS = 'prometheus_notifications_errors_total'
const SENT = 'prometheus_notifications_sent_total'
const REQUESTS = 'prometheus_notifications_latency_seconds_count'

const NONE_FAILS = [['ok', 'none fails each time']]
const UNKNOWN = [['unknown', 'its page of metrics does not count them for the Alertmanager at alertmanager:9093']]
const ALL_FAIL = [['failed', 'no alert has reached the Alertmanager at alertmanager:9093']]

test.each([
  ['nothing was sent yet', { [ERRORS]: 0 }, NONE_FAILS],
  ['some fail', { [ERRORS]: 3, [REQUESTS]: 4 }, NONE_FAILS],
  ['all fail', { [ERRORS]: 4, [REQUESTS]: 4 }, ALL_FAIL],
  ['alerts fail, of which many were in one request', { [ERRORS]: 40, [REQUESTS]: 8, [SENT]: 400 }, NONE_FAILS],
  ['all fail, and alerts are counted', { [ERRORS]: 40, [REQUESTS]: 8, [SENT]: 40 }, ALL_FAIL],
  ['all fail, and requests are counted', { [ERRORS]: 8, [REQUESTS]: 8, [SENT]: 40 }, ALL_FAIL],
  ['no failures are counted, as on the page of another server', {}, UNKNOWN],
  ['failures are counted, and not what was sent', { [ERRORS]: 3 }, UNKNOWN],
])('%s', async (_, counts, found) => {
  expect(seenOf(await deliveries(counts))).toEqual(found)
})

test('without an Alertmanager nothing is delivered', async () => {
  expect(await deliveries({}, [])).toEqual([])
})

test('an Alertmanager that is not counted hides none that fails', async () => {
  const both = [ALERTMANAGER, 'http://other:9093/api/v2/alerts']
  expect(seenOf(await deliveries({ [ERRORS]: 4, [REQUESTS]: 4 }, both))).toEqual([
    ...ALL_FAIL,
    ['unknown', 'its page of metrics does not count them for the Alertmanager at other:9093'],
  ])
})

test('an Alertmanager that answers here may have another path prefix, scheme or password there', async () => {
  const [finding] = await deliveries({ [ERRORS]: 4, [REQUESTS]: 4 })
  expect(finding!.fix).toBe(
    'start it there, or correct its address under alerting: alertmanagers: in prometheus.yml, with path_prefix, scheme and password; the log of Prometheus has the reason',
  )
})
