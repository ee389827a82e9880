// The whole way of a page: a validator goes away, and whoever is on call hears of it, and hears that it is back.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { start, stakewatch, type Started, temporaryFolder } from './support/processes.ts'
import { eventually } from './support/scrape.ts'

const example = new URL('../../alerts/alertmanager.example.yml', import.meta.url).pathname

describe('the example of Alertmanager', () => {
  test('has the right form', () => {
    expect(execFileSync('amtool', ['check-config', example], { encoding: 'utf8' })).toContain('SUCCESS')
  })

  test.each([
    ['pager', ['alertname=StakewatchDown', 'severity=critical']],
    ['pager', ['alertname=StakewatchValidatorDisconnected', 'severity=critical']],
    ['team', ['alertname=StakewatchStakeEnding', 'severity=warning']],
    ['team', ['alertname=SomethingElse']],
    ['dead-mans-switch', ['alertname=StakewatchWatchdog', 'severity=none']],
    ['nobody', ['alertname=StakewatchGasPriceHigh', 'severity=info']],
  ])('tells %s of %o', (receiver, labels) => {
    const args = ['config', 'routes', 'test', `--config.file=${example}`, ...labels]
    // It warns on stderr that a file was given.
    expect(execFileSync('amtool', args, { encoding: 'utf8', stdio: 'pipe' }).trim()).toBe(receiver)
  })
})

/** What Alertmanager posts, as far as it matters here. */
interface Alert {
  status: 'firing' | 'resolved'
  labels: Record<string, string>
  annotations: Record<string, string>
}

/** The people on call: keeps what each receiver was told, oldest first. */
async function startReceivers() {
  const told: { receiver: string; alert: Alert }[] = []
  const server: Server = createServer((request, response) => {
    const receiver = request.url!.slice(1)
    void json(request).then((body) => {
      for (const alert of (body as { alerts: Alert[] }).alerts) told.push({ receiver, alert })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    told,
    end: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The control endpoint's words. */
interface State {
  validators: { nodeId: string; views: Record<string, { connected: boolean }> }[]
}

/** Five minutes are a second. */
const HASTE = 300

describe('from a validator to the pager', () => {
  /** Ended in reverse, whatever happened. */
  const endings: (() => Promise<unknown>)[] = []
  let demo: Started
  let control: string
  /** Where the demo is scraped. */
  let instance: string
  let told: { receiver: string; alert: Alert }[]

  beforeAll(async () => {
    const folder = await temporaryFolder()
    endings.push(folder.remove)
    const write = async (name: string, text: string) => {
      await writeFile(join(folder.path, name), text)
      return join(folder.path, name)
    }

    // The world stands still: nobody goes away but at our word.
    demo = stakewatch('demo', '--web.listen-address=127.0.0.1:0', '--speed=0')
    endings.push(demo.end)
    const metrics = new URL(await demo.said(/metrics: +(\S+)/))
    instance = metrics.host
    control = await demo.said(/the network's own: +(\S+)\/state/)

    const receivers = await startReceivers()
    endings.push(receivers.end)
    told = receivers.told

    const config = readFileSync(example, 'utf8')
      .replace(/https:\/\/(\w+)\.example\/stakewatch/g, `${receivers.url}/$1`)
      .replace(/group_wait: \w+/g, 'group_wait: 0s')
      .replace(/group_interval: \w+/g, 'group_interval: 1s')
    const alertmanager = start('prometheus-alertmanager', [
      `--config.file=${await write('alertmanager.yml', config)}`,
      `--storage.path=${join(folder.path, 'alertmanager')}`,
      '--web.listen-address=127.0.0.1:0',
      '--cluster.listen-address=',
    ])
    endings.push(alertmanager.end)
    const alertmanagerAddress = await alertmanager.said(/msg="Listening on" address=(\S+)/)

    await mkdir(join(folder.path, 'data'))
    await write('rules.yaml', rulesYaml({ haste: HASTE }))
    const prometheus = start('prometheus', [
      `--config.file=${await write(
        'prometheus.yml',
        `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yaml]
alerting: { alertmanagers: [{ static_configs: [{ targets: ["${alertmanagerAddress}"] }] }] }
scrape_configs:
  - { job_name: stakewatch, metrics_path: ${metrics.pathname}, static_configs: [{ targets: ["${instance}"] }] }
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
    const query = `http://${prometheusAddress}/api/v1/query?query=stakewatch_validator_connected`
    await eventually(
      'Prometheus knows who is connected',
      async () => (await (await fetch(query)).text()).includes('"source":"node-b"'),
      30,
    )
  }, 60_000)

  afterAll(async () => {
    for (const end of endings.toReversed()) await end()
  }, 60_000)

  const act = async (kind: 'disconnect' | 'reconnect', nodeId: string) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${control}/actions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ kind, nodeId }),
    })
    expect(answer.status).toBe(200)
  }
  const heard = (status: Alert['status'], labels: Record<string, string>) =>
    eventually(
      `the ${status} page of ${JSON.stringify(labels)}`,
      async () =>
        told.find(
          ({ alert }) =>
            alert.status === status && Object.entries(labels).every(([name, value]) => alert.labels[name] === value),
        ),
      30,
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
      job: 'stakewatch',
      network: 'fuji',
      subnet: 'primary',
      validator: `val-${at + 1}`,
    })
    expect(alert.annotations).toEqual({
      summary: 'No node that watches the validator is connected to it.',
      description: `Every node with an opinion says that validator val-${at + 1} (${nodeId}) of fuji/primary is disconnected. Each second of it is taken from its downtime budget.`,
      runbook_url: 'https://stakewatch.example/runbooks/StakewatchValidatorDisconnected.md',
    })
    // Nobody is told of those that at least one node sees.
    const disconnected = told.filter(({ alert }) => alert.labels['alertname'] === page.alertname)
    const seen = validators.filter(({ views }) => Object.values(views).some(({ connected }) => connected))
    const wronged = seen.filter((one) => disconnected.some(({ alert }) => alert.labels['node_id'] === one.nodeId))
    expect(wronged.map((one) => one.nodeId)).toEqual([nodeId])

    await act('reconnect', nodeId)
    expect((await heard('resolved', page)).receiver).toBe('pager')

    // Then stakewatch itself goes away. Without an instance this was said before the first scrape: it takes five seconds.
    const down = { alertname: 'StakewatchDown', job: 'stakewatch', instance }
    expect(told.filter(({ alert }) => alert.labels['instance'] === instance)).toEqual([])
    expect(await demo.end()).toBe(0)
    const last = await heard('firing', down)
    expect(last.receiver).toBe('pager')
    expect(last.alert.labels).toEqual({ ...down, severity: 'critical' })
  }, 120_000)
})
