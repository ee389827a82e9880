// The whole way of a page: a validator goes away, and the operator on call is paged, and notified when it is back.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { panelId } from '../../src/alerts/rule.ts'
import { groupsOf } from '../../src/alerts/rules.ts'
import { runCommand } from '../support/command.ts'
import { type Notification, startAlertmanager } from './support/alertmanager.ts'
import { start, stakewatch, type Started, temporaryFolder } from './support/processes.ts'
import { hastened } from './support/prometheus.ts'
import { eventually, scrape } from './support/scrape.ts'
import { valueOf } from '../support/exposition.ts'
import { postJson } from '../support/post.ts'

/** The control endpoint's words. */
interface State {
  validators: { nodeId: string; views: Record<string, { connected: boolean }> }[]
}

type Alert = Notification['alerts'][number]

/** Milliseconds that a minute takes: five minutes are a second. */
const MINUTE = 200
const JOB = 'stakewatch-fuji'
const RUNBOOKS = 'https://wiki.example.org/stakewatch'
const GRAFANA = 'https://grafana.example.org'

/** The rules as an operator gets them, but that they wait for less. */
async function hastenedRules(): Promise<string> {
  const { stdout } = await runCommand([
    'alerts',
    `--runbook-base=${RUNBOOKS}`,
    `--dashboard-base=${GRAFANA}`,
    `--job=${JOB}`,
  ])
  return hastened(stdout, 60_000 / MINUTE)
}

describe('from a validator to the pager', () => {
  /** Ended in reverse, whatever happened. */
  const endings: (() => Promise<unknown>)[] = []
  let demo: Started
  let control: string
  /** Where the demo is scraped. */
  let instance: string
  const received: { receiver: string; alert: Alert }[] = []

  beforeAll(async () => {
    const folder = await temporaryFolder()
    endings.push(folder.remove)
    const write = async (name: string, text: string) => {
      await writeFile(join(folder.path, name), text)
      return join(folder.path, name)
    }

    // The world stands still: validators go away only at our word.
    demo = stakewatch('demo', '--web.listen-address=127.0.0.1:0', '--speed=0')
    endings.push(demo.end)
    const metrics = new URL(await demo.said(/metrics: +(\S+)/))
    instance = metrics.host
    control = await demo.said(/the network's own: +(\S+)\/state/)
    // Until then an instance does not say what the rules read. StakewatchSeriesMissing waits five minutes, which are a second.
    await eventually(
      'the rules are loaded',
      async () => valueOf(await scrape(metrics.href), 'stakewatch_alerting_series') !== undefined,
    )

    const alertmanager = await startAlertmanager(MINUTE, ({ receiver, alerts }) => {
      for (const alert of alerts) received.push({ receiver, alert })
    })
    endings.push(alertmanager.end)

    await mkdir(join(folder.path, 'data'))
    await write('rules.yaml', await hastenedRules())
    const prometheus = start('prometheus', [
      `--config.file=${await write(
        'prometheus.yml',
        `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yaml]
alerting: { alertmanagers: [{ static_configs: [{ targets: ["${alertmanager.address}"] }] }] }
scrape_configs:
  - { job_name: ${JOB}, metrics_path: ${metrics.pathname}, static_configs: [{ targets: ["${instance}"] }] }
`,
      )}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      '--web.listen-address=127.0.0.1:0',
      '--scrape.discovery-reload-interval=1s',
      '--rules.alert.resend-delay=1s',
      '--rules.alert.for-grace-period=0s',
    ])
    endings.push(prometheus.end)
    const prometheusAddress = await prometheus.said(/msg="Listening on" address=(\S+)/)
    const record = 'stakewatch_node_votes'
    await eventually('Prometheus has scraped who votes', async () => {
      const answer = await fetch(`http://${prometheusAddress}/api/v1/query?query=${record}`)
      return (await answer.text()).includes(record)
    })
  })

  afterAll(async () => {
    for (const end of endings.toReversed()) await end()
  })

  const act = (kind: 'disconnect' | 'reconnect', nodeId: string) => postJson(`${control}/actions`, { kind, nodeId })
  const heard = (status: Alert['status'], labels: Record<string, string>) =>
    eventually(`the ${status} page of ${JSON.stringify(labels)}`, async () =>
      received.find(
        ({ alert }) =>
          alert.status === status && Object.entries(labels).every(([name, value]) => alert.labels[name] === value),
      ),
    )

  test('a validator that goes away is a page, its return another, and the end of stakewatch the last', async () => {
    const { validators } = (await (await fetch(`${control}/state`)).json()) as State
    // The first two are the nodes themselves, the next four are watched by both.
    const at = validators.findIndex(
      ({ views }, position) => position >= 2 && Object.values(views).every(({ connected }) => connected),
    )
    const { nodeId } = validators[at]!
    expect(at).toBeLessThan(6)
    const page = { alertname: 'StakewatchValidatorDisconnected', node_id: nodeId }

    await act('disconnect', nodeId)
    const { receiver, alert } = await heard('firing', page)
    expect(receiver).toBe('pager')
    expect(alert.labels).toEqual({
      ...page,
      severity: 'critical',
      job: JOB,
      network: 'fuji',
      subnet: 'primary',
      validator: `val-${at + 1}`,
    })
    const rule = groupsOf()
      .flatMap(({ rules }) => rules)
      .find((one) => one.alert === page.alertname)!
    expect(alert.annotations).toEqual({
      title: `val-${at + 1} disconnected`,
      summary: rule.summary,
      description: expect.stringContaining(`val-${at + 1} (${nodeId}) on fuji/primary`) as string,
      action: expect.stringMatching(new RegExp(`^Start the node of val-${at + 1} `)) as string,
      runbook_url: 'https://wiki.example.org/stakewatch/StakewatchValidatorDisconnected.md',
      dashboard_url: `https://grafana.example.org/d/stakewatch-validator?viewPanel=${panelId('Connection by observer')}&var-network=fuji&var-subnet=primary&var-validator=val-${at + 1}`,
    })
    expect(alert.annotations['description']).not.toMatch(/[{}]/)
    // No one is paged for those that at least half of the nodes see, and there are two.
    const disconnected = received.filter(({ alert }) => alert.labels['alertname'] === page.alertname)
    const seen = validators.filter(({ views }) => Object.values(views).some(({ connected }) => connected))
    const wronged = seen.filter((one) => disconnected.some(({ alert }) => alert.labels['node_id'] === one.nodeId))
    expect(wronged.map((one) => one.nodeId)).toEqual([nodeId])

    await act('reconnect', nodeId)
    expect((await heard('resolved', page)).receiver).toBe('pager')

    // Then stakewatch itself goes away. Without an instance this was said before the first scrape: it takes five seconds.
    const down = { alertname: 'StakewatchDown', job: JOB, instance }
    expect(received.filter(({ alert }) => alert.labels['instance'] === instance)).toEqual([])
    expect(await demo.end()).toBe(0)
    const last = await heard('firing', down)
    expect(last.receiver).toBe('pager')
    expect(last.alert.labels).toEqual({ ...down, severity: 'critical' })
  })
})
