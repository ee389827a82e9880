// A stranger's hour: the package, in an empty folder, and docs/install.md word for word, with a simulated node for the
// real one. In the end a daemon watches it, and an alert about its validator is with Alertmanager.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { rulesYaml } from '../../src/alerts/rules.ts'
import { closedPort } from '../support/hostile-server.ts'
import { postJson } from '../support/post.ts'
import { hastened } from './support/prometheus.ts'
import { stakewatch, type Started, temporaryFolder } from './support/processes.ts'
import { packRelease } from './support/release.ts'
import { eventually } from './support/scrape.ts'
import { type Block, blocksOf, openTerminal, type Terminal } from './support/walk.ts'

/** The folder that the page makes. */
const HOME = 'monitoring'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const pageOf = (path: string) => blocksOf(readFileSync(join(repository, path), 'utf8'))

/** By the first words of a block of the page: those that the test does not type, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'npm ci': 'the package is made before the test',
  'npm install --prefix . ../': 'the same package again, and commands that are above',
  'npm pack\ndocker': 'there is no container engine; test/e2e/container.test.ts carries the Dockerfile out',
  docker: 'the same',
  'npm run bundles': 'test/e2e/release.test.ts makes and installs it',
  dpkg: 'the same',
  'export PATH="/usr/lib': 'the same',
  'install --mode=640 --group=stakewatch stakewatch.yml /etc': 'the same',
  useradd: 'needs a machine of its own; test/e2e/systemd.test.ts tests the unit',
}
/** Those that do not end by themselves. */
const BACKGROUND = /^(stakewatch --config\.file|prometheus)/

/** Blocks of README: all begin in a checkout, or ask real networks. */
const README = [
  ['git clone', 'test/e2e/container.test.ts starts the demo of the package'],
  ['npm start --silent -- simulate', 'what it prints is checked below'],
  ['npm start -- watch', 'asks a public network; the package watches a simulated one below'],
  ['npm start -- init --node-url', 'the same command of the package is in docs/install.md'],
  ['npm run --silent start -- check', 'the same commands of the package are in docs/install.md'],
] as const

const ports = { daemon: '', prometheus: '', alertmanager: '' }
const running: Started[] = []
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let terminal: Terminal
let simulator: Started
let places: (readonly [string, string])[]
let upstreams: Record<'nodeA' | 'nodeB' | 'data' | 'metrics' | 'validator', string>

beforeAll(async () => {
  folder = await temporaryFolder()
  // As in a checkout with the clone's usual name next to it: neither npm nor mkdir may come upon them.
  writeFileSync(join(folder.path, 'package.json'), '{}')
  mkdirSync(join(folder.path, 'stakewatch'))
  packRelease(folder.path)
  simulator = stakewatch('simulate', '--dialect=live')
  const control = await simulator.said(/its own state is at (\S+)\/state/)
  const config = simulator.stdout()
  const [nodeA, nodeB, data, metrics] = [...config.matchAll(/url: "([^"]+)"/g)].map(([, url]) => url!)
  const validator = /node_id: (\S+), name: val-3/.exec(config)![1]!
  upstreams = { nodeA: nodeA!, nodeB: nodeB!, data: data!, metrics: metrics!, validator }
  await postJson(`${control}/actions`, { kind: 'disconnect', nodeId: validator })
  for (const name of ['daemon', 'prometheus', 'alertmanager'] as const) ports[name] = new URL(await closedPort()).port
  places = [
    ['http://10.0.0.5:9650', nodeA!],
    ['NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', validator],
    ['19650', ports.daemon],
    ['9090', ports.prometheus],
    ['9093', ports.alertmanager],
    // A test cannot wait for minutes.
    ['scrape_interval: 15s', 'scrape_interval: 1s'],
    ['evaluation_interval: 30s', 'evaluation_interval: 1s'],
  ]
  const path = process.env['PATH']!.split(':').filter((one) => !one.endsWith('node_modules/.bin'))
  const node = join(process.execPath, '..')
  terminal = await openTerminal(folder.path, {
    PATH: [node, ...path].join(':'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  })
})

afterAll(async () => {
  for (const one of running.toReversed()) await one.end()
  await simulator?.end()
  await folder?.remove()
})

const typed = (text: string) =>
  places.reduce((all, [written, here]) => all.replaceAll(new RegExp(written, 'g'), here), text)

/** What a reader does with a block of the page. */
async function follow({ language, text }: Block): Promise<void> {
  const [, file] = /^# (\S+)\n/.exec(text) ?? []
  if (language === 'yaml') return writeFileSync(join(folder.path, HOME, file!), typed(text))
  if (Object.keys(LEFT_OUT).some((words) => text.startsWith(words))) return
  if (BACKGROUND.test(text)) {
    const one = terminal.background(typed(text))
    running.push(one)
    await one.said(/(listening|Server is ready|Listening on)/)
    return
  }
  if (text.includes('stakewatch init')) return initialize(typed(text))
  const command = /^stakewatch (doctor|drill)/.exec(text)?.[1]
  if (command !== undefined) return seeTheChain(typed(text), CHAIN[command]!)
  await terminal.run(typed(text).replace(/^(curl .*)$/gm, 'until $1; do sleep 0.1; done'))
  if (text.includes('stakewatch alerts')) hasten(join(folder.path, HOME, 'stakewatch.rules.yaml'))
  if (text.startsWith('cp ')) sendAtOnce(join(folder.path, HOME, 'alertmanager.yml'))
}

/** What these commands find where the pager's key is still missing. */
const CHAIN: Readonly<Record<string, RegExp>> = {
  doctor: /^ok +daemon\/answers .*[^]*^ok +prometheus\/targets .*[^]*^failed +alertmanager\/watchdog .* placeholder /m,
  drill: / s {2}firing .*[^]* s {2}sent .*[^]* s {2}NOT notified .*\bpager by pagerduty/m,
}

async function seeTheChain(text: string, found: RegExp): Promise<void> {
  const says = async (path: string) => (await fetch(`http://127.0.0.1:${ports.prometheus}/api/v1/${path}`)).text()
  await eventually(
    'Prometheus has scraped and knows Alertmanager, seconds after its start',
    async () =>
      (await says('query?query=stakewatch_build_info')).includes(packageFile.version) &&
      (await says('alertmanagers')).includes(`:${ports.alertmanager}/`),
  )
  expect(await terminal.run(`${text.trim()} || [ $? -eq 11 ]`)).toMatch(found)
}

function sendAtOnce(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace('group_wait: 30s', 'group_wait: 1s'))
}

/** What `init` writes leads to public addresses. The last check finds the validator that is disconnected, and ends with 1. */
async function initialize(text: string): Promise<void> {
  const [init, check, live, ...more] = text.trim().split('\n')
  await terminal.run(init!)
  toTheSimulatedServices(join(folder.path, HOME, 'stakewatch.yml'))
  await terminal.run(check!)
  const found = await terminal.run(`${live} || [ $? -eq 1 ]`)
  expect(found).toMatch(
    new RegExp(`^problem +validator +fuji/primary/${upstreams.validator} +in the set; .*not connected to`, 'm'),
  )
  expect(more).toEqual([])
}

/** The public addresses lead to the simulated network. */
function toTheSimulatedServices(file: string): void {
  const written = readFileSync(file, 'utf8')
  expect(written).toContain('preset: fuji')
  const services = `data_api: { url: "${upstreams.data}", key: any }\n    metrics_api: { url: "${upstreams.metrics}" }`
  writeFileSync(
    file,
    written.replace(/preset: fuji.*/, services).replace('https://api.avax-test.network', upstreams.nodeB),
  )
}

function hasten(file: string): void {
  const rules = readFileSync(file, 'utf8')
  expect(rules).toBe(
    rulesYaml({ runbooks: 'https://wiki.example.org/stakewatch/', dashboards: 'https://grafana.example.org/' }),
  )
  writeFileSync(file, hastened(rules, 600))
}

test('the commands of README are those that are known here', () => {
  const blocks = pageOf('README.md').filter(({ language }) => language === 'sh')
  expect(blocks.map(({ text }) => README.find(([words]) => text.startsWith(words))?.[0])).toEqual(
    README.map(([words]) => words),
  )
})

describe('docs/install.md', () => {
  // A block without a language is what a command prints.
  const blocks = pageOf('docs/install.md').filter(({ language }) => language !== '')

  test('has the blocks that are left out', () => {
    const isThere = (words: string) => blocks.some(({ text }) => text.startsWith(words))
    expect(Object.keys(LEFT_OUT).filter((words) => !isThere(words))).toEqual([])
  })

  test.each(blocks)('$text', async (block) => {
    await expect(follow(block)).resolves.toBeUndefined()
  })

  test('leads to a daemon that watches the node', async () => {
    const metrics = await eventually('the validator is known', async () => {
      const text = curl(secured())
      return text.includes(`stakewatch_validator_connected{`) && text
    })
    expect(metrics).toContain(`node_id="${upstreams.validator}"`)
    expect(metrics).toContain(`stakewatch_build_info{version="${packageFile.version}"`)
  })

  test('leads to a daemon with the runbooks that alerts link to with its address', async () => {
    const base = `https://localhost:${ports.daemon}/runbooks/`
    const rules = await terminal.run(`stakewatch alerts --runbook-base=${base}`)
    const links = [...rules.matchAll(/runbook_url: (\S+)/g)].map(([, url]) => url!)
    expect(new Set(links.map((one) => one.slice(0, base.length)))).toEqual(new Set([base]))
    const { pathname } = new URL(links[0]!)
    const [, alert] = /(\w+)\.md$/.exec(pathname)!
    expect(curl(secured(), pathname)).toContain(`<title>${alert} - stakewatch</title>`)
  })

  test('leads to a daemon that answers nothing without the password', () => {
    expect(() => curl(authority())).toThrow('returned error: 401')
  })

  test('leads to an alert about the validator that is down, at Alertmanager', async () => {
    const alerts = await eventually('the alert has arrived', async () => {
      const answer = await fetch(`http://127.0.0.1:${ports.alertmanager}/api/v2/alerts`)
      const all = (await answer.json()) as { labels: Record<string, string>; annotations: Record<string, string> }[]
      const found = all.filter(({ labels }) => labels['alertname'] === 'StakewatchValidatorDisconnected')
      return found.length > 0 && found
    })
    expect(alerts.map(({ labels }) => labels['node_id'])).toEqual([upstreams.validator])
    expect(alerts[0]!.annotations['runbook_url']).toBe(
      'https://wiki.example.org/stakewatch/StakewatchValidatorDisconnected.md',
    )
  })
})

function curl(options: readonly string[], path = '/metrics'): string {
  const url = `https://localhost:${ports.daemon}${path}`
  return execFileSync('curl', ['--silent', '--show-error', '--fail', ...options, url], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

const authority = () => ['--cacert', join(folder.path, HOME, 'stakewatch.crt')]
const secured = () => [
  ...authority(),
  '--user',
  `prometheus:${readFileSync(join(folder.path, HOME, 'password'), 'utf8').trim()}`,
]

describe('the package', () => {
  const installed = () => join(folder.path, HOME, 'node_modules/stakewatch')

  test('has what the documents say is in it, and no sources', () => {
    const documented = [
      'LICENSE',
      'README.md',
      'config.example.yaml',
      'config.schema.json',
      'alerts/stakewatch.rules.yaml',
      'alerts/alertmanager.example.yml',
      'dashboards/fleet.json',
      'deploy/systemd/stakewatch.service',
      'docs/runbooks/StakewatchDown.md',
    ]
    expect(documented.filter((path) => !existsSync(join(installed(), path)))).toEqual([])
    const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' })
    expect(files.filter((path) => /\.ts$|^(src|test|tools|node_modules)\b/.test(path))).toEqual([])
  })

  test('prints a whole configuration of a simulated network', async () => {
    writeFileSync(join(folder.path, HOME, 'simulated.yml'), simulator.stdout())
    await expect(terminal.run('stakewatch check --config.file=simulated.yml')).resolves.toMatch(
      /^simulated\.yml: valid/,
    )
  })
})
