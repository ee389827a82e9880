// doctor with an Alertmanager: what it says about the receivers of pages and about silences that belong together.

import { expect, test } from 'vitest'
import type { Http } from '../../../src/upstream/http.ts'
import { inPackage, runCommand } from '../../support/command.ts'

const ENDS = '2026-12-08T23:00:00.000Z'
const silenceOf = (id: string, alertname: string, more: object = {}) => ({
  id,
  status: { state: 'active' },
  matchers: [{ name: 'alertname', value: alertname, isRegex: false, isEqual: true }],
  startsAt: '2026-12-08T21:00:00.000Z',
  endsAt: ENDS,
  createdBy: 'stakewatch',
  comment: 'new disk',
  ...more,
})

const REQUESTS = 'alertmanager_notification_requests_total'
const FAILED = 'alertmanager_notification_requests_failed_total'

/** `history`: series that Prometheus has of its metrics, if there is one. */
async function doctor(silences: readonly object[], metrics = '', history?: readonly object[]) {
  const original = `route: { receiver: pager }
receivers:
  - name: pager
    pagerduty_configs: [{ routing_key_file: /not/there }]
`
  const alert = {
    fingerprint: 'f',
    labels: { alertname: 'StakewatchWalletLow', severity: 'critical' },
    receivers: [{ name: 'pager' }],
    status: { state: 'suppressed', silencedBy: ['wallet'], inhibitedBy: [] },
  }
  const answers: Readonly<Record<string, string>> = {
    '/api/v2/status': JSON.stringify({ config: { original } }),
    '/api/v2/alerts': JSON.stringify([alert]),
    '/api/v2/silences': JSON.stringify(silences),
    '/metrics': metrics,
  }
  const send: Http['send'] = ({ url }) => {
    const { port, pathname, search } = new URL(url)
    const matrix = JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: history } })
    const time = JSON.stringify({ status: 'success', data: { resultType: 'scalar', result: [0, '0'] } })
    const ofPrometheus = pathname === '/api/v1/query' ? (search === '' ? matrix : time) : undefined
    const text = port === '9093' ? answers[pathname] : ofPrometheus
    return Promise.resolve({ status: text === undefined ? 404 : 200, headers: {}, text: text ?? '' })
  }
  const connect = () => Promise.resolve({ send, close: () => Promise.resolve() })
  const words = ['doctor', '--json', '--alertmanager=http://alertmanager:9093']
  if (history) words.push('--prometheus=http://prometheus:9090')
  const { stdout } = await runCommand(words, { ...inPackage, connect })
  const { findings } = JSON.parse(stdout) as { findings: { check: string; found: string; fix?: string }[] }
  return (check: string) => findings.find((one) => one.check === check)!
}

test('that pages are routed to a receiver does not say that its key is right', async () => {
  const of = await doctor([])
  expect(of('alertmanager/critical')).toMatchObject({
    level: 'ok',
    found: 'go to pager (pagerduty); only a drill proves the key',
  })
})

test('what Alertmanager does not say about itself is unknown, and not well', async () => {
  const silent = await doctor([])
  expect(silent('alertmanager/reload')).toMatchObject({ level: 'unknown' })
  expect(silent('alertmanager/notifications')).toMatchObject({ level: 'unknown' })
  const counter = 'alertmanager_notification_requests_failed_total{integration="pagerduty"} 0'
  const speaking = await doctor([], `alertmanager_config_last_reload_successful 1\n${counter}\n`)
  expect(speaking('alertmanager/reload')).toMatchObject({ level: 'ok' })
  expect(speaking('alertmanager/notifications')).toMatchObject({ level: 'ok', found: 'none failed since it started' })
})

test('messages are counted for each receiver where Alertmanager does', async () => {
  const counted = (metric: string, receiver: string, count: number) =>
    `alertmanager_notification_requests_${metric}{integration="webhook",receiver_name="${receiver}"} ${count}\n`
  const well = [counted('total', 'a', 10), counted('failed_total', 'a', 0)]
  const ill = [counted('total', 'b', 5), counted('failed_total', 'b', 5)]
  const of = await doctor([], [...well, ...ill].join(''))
  expect(of('alertmanager/notifications')).toMatchObject({
    level: 'failed',
    found: '5 of 5 requests to b by webhook failed since it started',
  })
})

test.each([
  ['another Alertmanager', '100', '3 of 8 requests to webhook failed in the last hour'],
  ['itself before it started again', '6', '5 of 10 requests to webhook failed in the last hour'],
])('a higher count in the history is of %s, and hides no failure', async (who, higher, found) => {
  const then = Date.now() / 1_000 - 1_800
  const series = (name: string, instance: string, value: string) => ({
    metric: { __name__: name, integration: 'webhook', instance },
    values: [[then, value]],
  })
  const own = who === 'another Alertmanager' ? [series(FAILED, 'a', '2'), series(REQUESTS, 'a', '2')] : []
  const result = [...own, series(FAILED, 'b', higher), series(REQUESTS, 'b', `${Number(higher) + 10}`)]
  const metrics = `${FAILED}{integration="webhook"} 5\n${REQUESTS}{integration="webhook"} 10\n`
  const of = await doctor([], metrics, result)
  expect(of('alertmanager/notifications')).toMatchObject({ found })
})

test.each([
  ['one alone', [silenceOf('wallet', 'StakewatchWalletLow')], 'expire it: amtool silence expire wallet'],
  [
    'those that one command made',
    [
      silenceOf('wallet', 'StakewatchWalletLow'),
      silenceOf('node', 'StakewatchNodeUnhealthy', { startsAt: '2026-12-08T21:00:01.000Z' }),
      silenceOf('of-others', 'StakewatchNodeUnhealthy', { createdBy: 'me' }),
      silenceOf('later', 'StakewatchNodeUnhealthy', { endsAt: '2026-12-08T23:30:00.000Z' }),
      silenceOf('for-something-else', 'StakewatchNodeUnhealthy', { comment: 'move' }),
      silenceOf('over', 'StakewatchNodeUnhealthy', { status: { state: 'expired' } }),
    ],
    'expire all that were made with it: amtool silence expire wallet node',
  ],
])('a silence that hides a page is ended with its like: %s', async (_, silences, fix) => {
  expect((await doctor(silences))('alertmanager/silences')).toMatchObject({ level: 'warning', fix })
})

test.each([
  ['critical', 'severity', 'critical'],
  ['of the job', 'job', 'stakewatch'],
])('a silence hides every page before one fires: each that is %s', async (_, name, value) => {
  const silence = silenceOf('all', '', { matchers: [{ name, value, isRegex: false, isEqual: true }] })
  const found = `the silence all (by stakewatch, until ${ENDS.replace('.000', '')}: new disk) hides every page`
  expect((await doctor([silence]))('alertmanager/silences')).toMatchObject({ level: 'failed', found })
})
