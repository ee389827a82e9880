// doctor and the daemons themselves: each broken setup is found and named, and what doctor advises repairs it.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSink } from '../support/sink.ts'
import { doctor } from './support/doctor.ts'
import { startScraping } from './support/monitoring.ts'
import { stakewatch, temporaryFolder } from './support/processes.ts'
import { eventually } from './support/scrape.ts'
import { startSmallNetwork } from './support/small-network.ts'

/** Ended in reverse, whatever happened. */
const endings: (() => Promise<unknown>)[] = []
let daemon: string
let simulated: string
let write: (name: string, text: string) => Promise<string>

const yaml = (node: string) => `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "${node}" }]
    chains: [{ id: p-chain }]
`

const WEB = 'basic_auth_users: {}\n'
const at = (path: string) => `http://${daemon}${path}`
const reload = () => fetch(at('/-/reload'), { method: 'POST' })
const isReady = (address: string) =>
  eventually('the daemon is ready', async () => (await fetch(`http://${address}/-/ready`)).ok)

beforeAll(async () => {
  const folder = await temporaryFolder()
  endings.push(folder.remove)
  write = async (name, text) => {
    const path = join(folder.path, name)
    await writeFile(path, text)
    return path
  }
  const simulator = await startSmallNetwork(endings)
  simulated = simulator.nodes[0]!.url
  daemon = await started()
  await isReady(daemon)
})
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
})

/** host:port */
async function started(...flags: readonly string[]): Promise<string> {
  const running = stakewatch(
    `--config.file=${await write('stakewatch.yml', yaml(simulated))}`,
    `--web.config.file=${await write('web.yml', WEB)}`,
    '--web.listen-address=127.0.0.1:0',
    '--web.enable-lifecycle',
    ...flags,
  )
  endings.push(running.end)
  return running.said(/msg=listening address=(\S+)/)
}

const healthy = { code: 0, findings: [] }

test('nothing is wrong', async () => {
  expect(await doctor(`--url=${at('')}`)).toEqual(healthy)
})

interface Row {
  what: string
  check: string
  found: RegExp
  fix: RegExp
  break(): Promise<unknown>
  repair(): Promise<unknown>
}

/** The daemon renders it within a second. */
const isLoaded = (what: 'config' | 'web_config', value: 0 | 1) =>
  eventually('the metric says it', async () =>
    (await (await fetch(at('/metrics'))).text()).includes(`\nstakewatch_${what}_last_reload_successful ${value}\n`),
  )

const repaired = async () => {
  await write('stakewatch.yml', yaml(simulated))
  await reload()
  await isLoaded('config', 1)
  await isReady(daemon)
}

test.each<Row>([
  {
    what: 'the configuration was refused',
    check: 'daemon/configuration',
    found: /refused its configuration file$/,
    fix: /run stakewatch check, correct the configuration file and reload$/,
    async break() {
      await write('stakewatch.yml', 'networks: 7')
      await reload()
      await isLoaded('config', 0)
    },
    repair: repaired,
  },
  {
    what: 'the web configuration was refused',
    check: 'daemon/configuration',
    found: /refused its web configuration$/,
    fix: /run stakewatch check, correct the web configuration and reload$/,
    async break() {
      await write('web.yml', 'basic_auth: [')
      await isLoaded('web_config', 0)
    },
    async repair() {
      await write('web.yml', WEB)
      await isLoaded('web_config', 1)
    },
  },
])('$what', async ({ check, found, fix, ...row }) => {
  await row.break()
  const { code, findings } = await doctor(`--url=${at('')}`)
  const [first] = findings.filter((one) => one.check === check)
  expect(first, `in ${JSON.stringify(findings, undefined, 1)}`).toMatchObject({
    level: 'failed',
    found: expect.stringMatching(found) as unknown,
    fix: expect.stringMatching(fix) as unknown,
  })
  expect(code).toBe(11)
  await row.repair()
  expect(await doctor(`--url=${at('')}`)).toEqual(healthy)
})

test('a clock that is wrong', async () => {
  const clock = { ahead: -600_000 }
  // In front of the real daemon: the time of this machine cannot be changed.
  const proxy = await startSink(({ url = '' }, _, response) => {
    void fetch(at(url)).then(async (answer) => {
      response
        .writeHead(answer.status, { date: new Date(Date.now() + clock.ahead).toUTCString() })
        .end(await answer.text())
    })
  })
  endings.push(proxy.end)
  const { host } = new URL(proxy.url)
  const { findings } = await doctor(`--url=${proxy.url}`)
  expect(findings).toMatchObject([
    {
      check: 'daemon/clock',
      level: 'warning',
      found: expect.stringMatching(
        new RegExp(`^the clock of ${host} is (10m|10m1s|9m59s) behind the one here$`),
      ) as unknown,
      fix: `let ${host} and this machine take their time from a time server (timedatectl set-ntp true)`,
    },
  ])
  clock.ahead = 0
  expect(await doctor(`--url=${proxy.url}`)).toEqual(healthy)
})

test('a daemon that is not ready', async () => {
  const file = await write('other.yml', yaml('http://127.0.0.1:1'))
  const running = stakewatch(`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', '--web.enable-lifecycle')
  endings.push(running.end)
  const address = await running.said(/msg=listening address=(\S+)/)
  const url = `http://${address}`
  await eventually('it has tried', async () => /no network has data/.test(await (await fetch(`${url}/-/ready`)).text()))
  expect(await doctor(`--url=${url}`)).toMatchObject({
    code: 11,
    findings: [
      {
        check: 'daemon/ready',
        level: 'failed',
        found: expect.stringMatching(
          /: stakewatch is not ready: no network has data\.; fuji: \d+ of \d+ tasks attempted, 0 have data$/,
        ) as unknown,
        fix: expect.stringMatching(/correct the addresses that do not answer$/) as unknown,
      },
    ],
  })
  await write('other.yml', yaml(simulated))
  await fetch(`${url}/-/reload`, { method: 'POST' })
  await isReady(address)
  expect(await doctor(`--url=${url}`)).toEqual(healthy)
})

test('a daemon that is not there', async () => {
  expect(await doctor('--url=http://127.0.0.1:1')).toMatchObject({
    code: 11,
    findings: [
      {
        check: 'daemon/answers',
        level: 'failed',
        found: expect.stringMatching(/^127\.0\.0\.1:1: .*ECONNREFUSED/) as unknown,
      },
    ],
  })
})

test('a shard that is missing', async () => {
  const [first, second] = [await started('--shard=0/2'), await started('--shard=1/2')]
  const config = (targets: readonly string[]) =>
    `{ global: { scrape_interval: 1s }, scrape_configs: [{ job_name: stakewatch, static_configs: [{ targets: ${JSON.stringify(targets)} }] }] }`
  const prometheus = await startScraping({ 'prometheus.yml': config([first]) })
  endings.push(prometheus.end)
  const shards = async () =>
    (await doctor(`--prometheus=${prometheus.url}`)).findings.filter(({ check }) => check === 'daemon/shards')
  const isScraped = (address: string) =>
    eventually('the shard is scraped', async () => {
      const query = encodeURIComponent(`stakewatch_shards{instance="${address}"}`)
      return (await (await fetch(`${prometheus.url}/api/v1/query?query=${query}`)).text()).includes('"value"')
    })
  await isScraped(first)
  expect(await shards()).toMatchObject([
    {
      level: 'failed',
      found: '1 of 2 shards is missing: 1',
      fix: 'start stakewatch with --shard=1/2, and add it to the scrape job',
    },
  ])
  await prometheus.reload({ 'prometheus.yml': config([first, second]) })
  await isScraped(second)
  expect(await shards()).toEqual([])
})
