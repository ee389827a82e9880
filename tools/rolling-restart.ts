// Restarts Prometheus, Alertmanager, stakewatch and a node in turn, with the configuration of deploy/compose, the rules and
// the example of Alertmanager, around a simulated network in which nothing happens by itself: node tools/rolling-restart.ts.
// A minute takes six seconds. One validator is disconnected throughout. No restart may cause a notification: no new alert, no
// page once more, no end of one. Prints every notification as a table, and ends with 1 otherwise. Takes nine minutes.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'yaml'
import { rulesYaml } from '../src/alerts/rules.ts'
import { collectors } from '../src/collectors/index.ts'
import { parseDuration } from '../src/lib/duration.ts'
import { type Simulator, startSimulator } from '../src/simulator/simulator.ts'
import { exampleText, hastened as hastenedConfig, type Notification } from '../test/e2e/support/alertmanager.ts'
import { stakewatch, start, type Started, temporaryFolder } from '../test/e2e/support/processes.ts'
import { hastened as hastenedRules } from '../test/e2e/support/prometheus.ts'
import { eventually } from '../test/e2e/support/scrape.ts'
import { freePort } from '../test/e2e/support/walk.ts'
import { payFees } from './incidents/stage.ts'

const MINUTE = 6_000
const DISCONNECTED = 'StakewatchValidatorDisconnected'
/** The network has warnings of its own: this is long enough for the last of them to be sent, after 26 minutes. */
const SETTLED = 32
/** After each restart: longer than Prometheus vouches for an alert and than a page waits, together. */
const PAUSE = 12

interface Row {
  minute: number
  during: string
  receiver: string
  status: string
  alert: string
  labels: string
}

interface Setting {
  folder: string
  /** Ports. */
  daemon: number
  prometheus: number
  alertmanager: number
}

const compose = (path: string) => readFile(new URL(`../deploy/compose/${path}`, import.meta.url), 'utf8')
const scaled = (time: string) => `${Math.ceil((parseDuration(time)! * MINUTE) / 60_000)}ms`

/** A service that can be ended and started again with the same flags. */
interface Service {
  run: () => Started
  ready: RegExp
  process: Started
}

async function startService(run: () => Started, ready: RegExp): Promise<Service> {
  const service = { run, ready, process: run() }
  await service.process.said(ready)
  return service
}

async function restart(service: Service): Promise<void> {
  await service.process.end()
  service.process = service.run()
  await service.process.said(service.ready)
}

/** The flags of a service of compose that do not say where it is. */
async function flagsOf(service: string): Promise<string[]> {
  const { services } = parse(await compose('compose.yml')) as { services: Record<string, { command: string[] }> }
  return services[service]!.command.filter((flag) => !/^--(config\.file|storage\.|web\.external-url)/.test(flag)).map(
    (flag) =>
      flag.replace(/(grace-period|resend-delay)=(\w+)$/, (_, name: string, time: string) => `${name}=${scaled(time)}`),
  )
}

async function startPrometheus({ folder, daemon, prometheus, alertmanager }: Setting): Promise<Service> {
  const addresses: Record<string, string> = {
    'stakewatch:19650': `127.0.0.1:${daemon}`,
    'alertmanager:9093': `127.0.0.1:${alertmanager}`,
    'localhost:9090': `127.0.0.1:${prometheus}`,
    '/etc/prometheus/stakewatch.rules.yaml': join(folder, 'rules.yml'),
  }
  const config = Object.entries(addresses)
    .reduce((text, [shipped, here]) => text.replaceAll(shipped, here), await compose('prometheus.yml'))
    .replace(/(\w+_interval): (\w+)/g, (_, key: string, time: string) => `${key}: ${scaled(time)}`)
  await writeFile(join(folder, 'prometheus.yml'), config)
  await writeFile(join(folder, 'rules.yml'), hastenedRules(rulesYaml(), 60_000 / MINUTE))
  const flags = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${prometheus}`,
    `--rules.alert.resend-delay=${scaled('1m')}`,
    '--scrape.discovery-reload-interval=1s',
    ...(await flagsOf('prometheus')),
  ]
  return startService(() => start('prometheus', flags), /msg="(Server is ready) to receive web requests/)
}

async function startAlertmanager({ folder, alertmanager }: Setting, sink: string): Promise<Service> {
  await writeFile(join(folder, 'alertmanager.yml'), hastenedConfig(exampleText, sink, MINUTE))
  const flags = [
    `--config.file=${join(folder, 'alertmanager.yml')}`,
    `--storage.path=${join(folder, 'alertmanager')}`,
    `--web.listen-address=127.0.0.1:${alertmanager}`,
    ...(await flagsOf('alertmanager')),
  ]
  return startService(() => start('prometheus-alertmanager', flags), /msg="(Listening on)"/)
}

/** The services have a quota for each real minute, of which a restart of stakewatch must leave some. */
const ASKS_SERVICES = '2m'
const nodesAlone = collectors.filter(({ uses }) => uses.every(({ service }) => service === 'node'))
const intervals = nodesAlone.map(({ name }) => name).join('|')
const ofNodes = new RegExp(`^( *(?:${intervals}): .*every: )\\w+`, 'gm')

/** The simulated network alone, and the configuration for it, in which nodes are polled each minute. */
async function startNetwork(folder: string): Promise<Simulator> {
  const network = await startSimulator({
    seed: 1,
    epoch: Math.floor(Date.now() / 1_000),
    clock: () => performance.now() / 1_000,
    dialect: 'live',
    isCalm: true,
  })
  payFees(network)
  const config = network.config(collectors.map(({ name }) => name))
  const text = config
    .replaceAll(/every: \w+/g, `every: ${ASKS_SERVICES}`)
    // No window is open in it.
    .replace(/^    maintenance:\n(?: +- .*\n)*/m, '')
    .replaceAll(ofNodes, `$1${MINUTE / 1_000}s`)
    // By default the budget is little more than the plan needs, and a real minute lasts ten of the play.
    .replaceAll(/^( +(?:data|metrics)_api: \{ .*) \}$/gm, '$1, budget: { per_minute: 6000, per_day: 100000000 } }')
  await writeFile(join(folder, 'stakewatch.yml'), text)
  return network
}

async function order({ controlUrl }: Simulator, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${controlUrl}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

/** A node is down for a minute, then starts, bootstraps and answers again. */
async function restartNode(network: Simulator): Promise<void> {
  await order(network, 'faults', { server: 'node-a', fault: { kind: 'reset' } })
  await wait(MINUTE)
  await order(network, 'actions', { kind: 'start', node: 'node-a' })
  await fetch(`${network.controlUrl}/faults`, { method: 'DELETE' })
  await wait(MINUTE / 2)
  await order(network, 'actions', { kind: 'bootstrap', node: 'node-a' })
  await wait(MINUTE / 2)
  await order(network, 'actions', { kind: 'bootstrapped', node: 'node-a' })
}

/** A validator that neither of the two nodes is, and that both see. */
async function watchedValidator({ controlUrl }: Simulator): Promise<string> {
  const state = (await (await fetch(`${controlUrl}/state`)).json()) as {
    validators: { nodeId: string; views: Record<string, { connected: boolean }> }[]
  }
  return state.validators.slice(2, 6).find(({ views }) => Object.values(views).every(({ connected }) => connected))!
    .nodeId
}

const OBJECT = ['network', 'subnet', 'validator', 'chain', 'source', 'address', 'route', 'instance', 'collector']

/** What the notifications say, but those of the dead man's switch. */
async function listen(rows: Row[], now: () => { minute: number; during: string }): Promise<string> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { receiver, alerts } = body as Notification
      for (const { status, labels } of receiver === 'dead-mans-switch' ? [] : alerts) {
        const object = OBJECT.flatMap((label) => labels[label] ?? []).join(' ')
        rows.push({ ...now(), receiver, status, alert: labels['alertname']!, labels: object })
      }
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** What no restart may cause: a message of any kind. */
export const unwanted = (rows: readonly Row[]): Row[] => rows.filter(({ during }) => during !== '')

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.minute.toFixed(1), row.during, row.receiver, row.status, row.alert, row.labels])
  const head = ['minute', 'after the restart of', 'receiver', 'status', 'alert', 'about']
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

async function play(setting: Setting, endings: (() => Promise<unknown>)[]): Promise<Row[]> {
  const rows: Row[] = []
  const began = performance.now()
  let during = ''
  const sink = await listen(rows, () => ({ minute: (performance.now() - began) / MINUTE, during }))
  const network = await startNetwork(setting.folder)
  endings.push(() => network.stop())
  const flags = [
    `--config.file=${join(setting.folder, 'stakewatch.yml')}`,
    `--web.listen-address=127.0.0.1:${setting.daemon}`,
    `--storage.path=${join(setting.folder, 'storage')}`,
  ]
  const daemon = await startService(() => stakewatch(...flags), /(listening)/)
  endings.push(() => daemon.process.end())
  const alertmanager = await startAlertmanager(setting, sink)
  endings.push(() => alertmanager.process.end())
  const prometheus = await startPrometheus(setting)
  endings.push(() => prometheus.process.end())

  await wait(3 * MINUTE)
  await order(network, 'actions', { kind: 'disconnect', nodeId: await watchedValidator(network) })
  await eventually(
    'the page has been sent',
    async () => rows.some(({ alert, receiver }) => receiver === 'pager' && alert === DISCONNECTED),
    (SETTLED * MINUTE) / 1_000,
  )
  await wait(Math.max(0, SETTLED * MINUTE - (performance.now() - began)))
  const turns: [string, () => Promise<void>][] = [
    ['Prometheus', () => restart(prometheus)],
    ['Alertmanager', () => restart(alertmanager)],
    ['stakewatch', () => restart(daemon)],
    ['node-a', () => restartNode(network)],
  ]
  for (const [what, turn] of turns) {
    during = what
    await turn()
    await wait(PAUSE * MINUTE)
  }
  return rows
}

async function main(): Promise<void> {
  const folder = await temporaryFolder()
  const endings: (() => Promise<unknown>)[] = [folder.remove]
  try {
    await mkdir(join(folder.path, 'storage'))
    const [daemon, prometheus, alertmanager] = [await freePort(), await freePort(), await freePort()]
    const rows = await play({ folder: folder.path, daemon, prometheus, alertmanager }, endings)
    const wrong = unwanted(rows)
    console.log(tableOf(rows))
    console.log(wrong.length === 0 ? '\nNo restart has caused a notification.' : `\nNot due:\n\n${tableOf(wrong)}`)
    if (wrong.length > 0) process.exitCode = 1
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

if (import.meta.main) await main()
