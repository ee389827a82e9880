// Restarts Prometheus, Alertmanager, stakewatch and a node in turn, with the configuration of deploy/compose, the rules and
// the example of Alertmanager, around a simulated network in which nothing happens by itself. A minute takes six seconds. One
// validator is disconnected throughout. No restart may cause a notification: no new alert, no page once more, no end of one.

import { type AddressInfo, createServer } from 'node:net'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'yaml'
import { rulesYaml } from '../../src/alerts/rules.ts'
import { collectors } from '../../src/collectors/index.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts'
import { exampleText, hastened as hastenedConfig, type Notification } from '../../test/e2e/support/alertmanager.ts'
import { stakewatch, start, type Started, temporaryFolder } from '../../test/e2e/support/processes.ts'
import { hastened as hastenedRules } from '../../test/e2e/support/prometheus.ts'
import { startSink } from '../../test/support/sink.ts'
import { postJson } from '../../test/support/post.ts'
import { payFees } from '../incidents/stage.ts'
import type { Judge, Scenario } from './runner.ts'

const MINUTE = 6_000
const DISCONNECTED = 'StakewatchValidatorDisconnected'
/** The network has warnings of its own: this is long enough for the last of them to be sent, after 26 minutes. */
const SETTLED = 32
/** From restart to restart: longer than Prometheus vouches for an alert and than a page waits, together. */
const PAUSE = 12

export interface Row {
  /** Which restart came last; '' before the first. */
  during: string
  receiver: string
  status: string
  alert: string
  labels: string
}

/** No server listens there yet. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What no restart may cause: a message of any kind. */
export function createJudge(): Judge<readonly Row[]> {
  let isPaged = false
  return {
    see(rows) {
      isPaged ||= rows.some(({ alert, receiver }) => receiver === 'pager' && alert === DISCONNECTED)
      return rows.flatMap(({ during, receiver, status, alert, labels }) =>
        during === '' ? [] : [{ rule: during, subject: `${alert} ${labels}`, says: `is ${status}, says ${receiver}` }],
      )
    },
    atLast: () => (isPaged ? [] : [{ rule: 'page', subject: DISCONNECTED, says: 'was never sent' }]),
  }
}

const compose = (path: string) => readFileSync(new URL(`../../deploy/compose/${path}`, import.meta.url), 'utf8')
const scaled = (time: string) => `${Math.ceil((parseDuration(time)! * MINUTE) / 60_000)}ms`

/** A service that can be ended and started again with the same flags. */
async function startService(run: () => Started, ready: RegExp) {
  let process = run()
  await process.said(ready)
  return {
    end: () => process.end(),
    async restart() {
      await process.end()
      process = run()
      await process.said(ready)
    },
  }
}

/** The flags of a service of compose that do not say where it is. */
function flagsOf(service: string): string[] {
  const { services } = parse(compose('compose.yml')) as { services: Record<string, { command: string[] }> }
  const flags = services[service]!.command.filter((flag) => !/^--(config\.file|storage\.|web\.external-url)/.test(flag))
  return flags.map((flag) =>
    flag.replace(/(grace-period|resend-delay)=(\w+)$/, (_, name: string, time: string) => `${name}=${scaled(time)}`),
  )
}

/** The services have a quota for each real minute, of which a restart of stakewatch must leave some. */
const ASKS_SERVICES = '2m'
const nodesAlone = collectors.filter(({ uses }) => uses.every(({ service }) => service === 'node'))
const ofNodes = new RegExp(`^( *(?:${nodesAlone.map(({ name }) => name).join('|')}): .*every: )\\w+`, 'gm')

/** Nodes are polled each minute. */
const configOf = (network: Simulator) =>
  network
    .config(collectors.map(({ name }) => name))
    .replaceAll(/every: \w+/g, `every: ${ASKS_SERVICES}`)
    // No window is open in it.
    .replace(/^    maintenance:\n(?: +- .*\n)*/m, '')
    .replaceAll(ofNodes, `$1${MINUTE / 1_000}s`)
    // By default the budget is little more than the plan needs, and a real minute lasts ten of the play.
    .replaceAll(/^( +(?:data|metrics)_api: \{ .*) \}$/gm, '$1, budget: { per_minute: 6000, per_day: 100000000 } }')

const OBJECT = ['network', 'subnet', 'validator', 'chain', 'source', 'address', 'route', 'instance', 'collector']

export async function restarts(): Promise<Scenario<readonly Row[]>> {
  const { path: folder, remove } = await temporaryFolder()
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  let rows: Row[] = []
  let during = ''
  const sink = await startSink((_, body, response) => {
    const { receiver, alerts } = JSON.parse(body) as Notification
    for (const { status, labels } of receiver === 'dead-mans-switch' ? [] : alerts) {
      const object = OBJECT.flatMap((label) => labels[label] ?? []).join(' ')
      rows.push({ during, receiver, status, alert: labels['alertname']!, labels: object })
    }
    response.end()
  })
  const network = await startSimulator({
    seed: 1,
    epoch: Math.floor(Date.now() / 1_000),
    clock: () => performance.now() / 1_000,
    dialect: 'live',
    isCalm: true,
  })
  payFees(network)
  const ports = { daemon: await freePort(), prometheus: await freePort(), alertmanager: await freePort() }
  const listen = (port: number) => `--web.listen-address=127.0.0.1:${port}`
  const daemonFlags = [
    `--config.file=${write('stakewatch.yml', configOf(network))}`,
    `--storage.path=${join(folder, 'storage')}`,
    listen(ports.daemon),
  ]
  const daemon = await startService(() => stakewatch(...daemonFlags), /(listening)/)
  const alertmanagerFlags = [
    `--config.file=${write('alertmanager.yml', hastenedConfig(exampleText, `${sink.url}/`, MINUTE))}`,
    `--storage.path=${join(folder, 'alertmanager')}`,
    listen(ports.alertmanager),
    ...flagsOf('alertmanager'),
  ]
  const ready = /msg="(Listening on)"/
  const alertmanager = await startService(() => start('prometheus-alertmanager', alertmanagerFlags), ready)
  const addresses: Record<string, string> = {
    'stakewatch:19650': `127.0.0.1:${ports.daemon}`,
    'alertmanager:9093': `127.0.0.1:${ports.alertmanager}`,
    'localhost:9090': `127.0.0.1:${ports.prometheus}`,
    '/etc/prometheus/stakewatch.rules.yaml': write('rules.yml', hastenedRules(rulesYaml(), 60_000 / MINUTE)),
  }
  const prometheusConfig = Object.entries(addresses)
    .reduce((text, [shipped, here]) => text.replaceAll(shipped, here), compose('prometheus.yml'))
    .replace(/(\w+_interval): (\w+)/g, (_, key: string, time: string) => `${key}: ${scaled(time)}`)
  const prometheusFlags = [
    `--config.file=${write('prometheus.yml', prometheusConfig)}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    listen(ports.prometheus),
    `--rules.alert.resend-delay=${scaled('1m')}`,
    '--scrape.discovery-reload-interval=1s',
    ...flagsOf('prometheus'),
  ]
  const prometheus = await startService(
    () => start('prometheus', prometheusFlags),
    /msg="(Server is ready) to receive web requests/,
  )

  const order = (path: string, body: object) => postJson(`${network.controlUrl}/${path}`, body)
  /** A node is down for a minute, then starts, bootstraps and answers again. */
  async function restartNode(): Promise<void> {
    await order('faults', { server: 'node-a', fault: { kind: 'reset' } })
    await wait(MINUTE)
    await order('actions', { kind: 'start', node: 'node-a' })
    await fetch(`${network.controlUrl}/faults`, { method: 'DELETE' })
    for (const kind of ['bootstrap', 'bootstrapped']) {
      await wait(MINUTE / 2)
      await order('actions', { kind, node: 'node-a' })
    }
  }
  /** A validator that neither of the two nodes is, and that both see. */
  const [disconnected] = [...network.world.validators.all.values()]
    .slice(2, 6)
    .filter(({ views }) => [...views.values()].every(({ since }) => since === undefined))
  const turns: readonly [string, () => Promise<void>][] = [
    ['Prometheus', prometheus.restart],
    ['Alertmanager', alertmanager.restart],
    ['stakewatch', daemon.restart],
    ['node-a', restartNode],
  ]
  const began = performance.now()
  return {
    stage: {
      now: () => performance.now() - began,
      step: () => wait(MINUTE / 6),
      async look() {
        const seen = rows
        rows = []
        return seen
      },
      async end() {
        for (const end of [prometheus.end, alertmanager.end, daemon.end, network.stop, sink.end, remove]) await end()
      },
    },
    disturbances: [
      {
        at: 3 * MINUTE,
        name: 'a validator is disconnected',
        happen: () => order('actions', { kind: 'disconnect', nodeId: disconnected!.nodeId }),
      },
      ...turns.map(([what, turn], at) => ({
        at: (SETTLED + at * PAUSE) * MINUTE,
        name: `a restart of ${what}`,
        happen() {
          during = what
          return turn()
        },
      })),
    ],
    judges: [createJudge()],
    until: (SETTLED + turns.length * PAUSE) * MINUTE,
    every: 0,
    figures: () => ({}),
  }
}
