// deploy/compose without a container engine: what its files say of each other, judged by the tools of those who read them.

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { dashboards } from '../../dashboards/src/all.ts'
import { JOB } from '../../src/alerts/groups.ts'
import { DEFAULT_PORT } from '../../src/commands/io.ts'
import { environment, TARGET } from '../../tools/history.ts'
import { imagesIn, pinned } from '../../tools/pin-images.ts'
import { variablesOf } from '../dashboards/lint.ts'
import { temporaryFolder } from './support/processes.ts'

interface Service {
  image: string
  command: string | string[]
  ports: string[]
  volumes?: string[]
  networks: string[]
  environment?: Record<string, string>
}
interface Compose {
  services: Record<string, Service>
  networks: object
  volumes: object
}

const folder = fileURLToPath(new URL('../../deploy/compose/', import.meta.url))
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const text = read('compose.yml')
const { services, networks, volumes } = parse(text) as Compose
const named = Object.entries(services)

/** What is mounted of the checkout: the path in the container, and the file or folder. */
function mounts(service: string): Map<string, string> {
  const files = (services[service]!.volumes ?? []).filter((one) => one.startsWith('.'))
  return new Map(files.map((one) => one.split(':')).map(([from, to]) => [to!, join(folder, from!)]))
}

let temporary: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  temporary = await temporaryFolder()
})
afterAll(() => temporary.remove())

/** The configuration of a service, with the paths that its files have here. */
function asHere(service: string, path: string): string {
  const all = mounts(service)
  const said = readFileSync(all.get(path)!, 'utf8')
  const file = join(temporary.path, `${service}.yml`)
  writeFileSync(
    file,
    [...all].reduce((some, [inside, here]) => some.replaceAll(inside, here), said),
  )
  return file
}

describe('the services', () => {
  test('are four, in one network, with each port on this machine alone', () => {
    expect(Object.keys(services)).toEqual(['stakewatch', 'prometheus', 'alertmanager', 'grafana'])
    expect(Object.keys(networks)).toEqual(['monitoring'])
    for (const [, service] of named) {
      expect(service.networks).toEqual(['monitoring'])
      for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/)
    }
  })

  test.each(named)('%s: writes to its volumes alone, and has no rights that it could gain', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  })

  test('have images with a tag, behind which a digest can stand', () => {
    expect(imagesIn(text)).toHaveLength(3)
    const digest = `sha256:${'a'.repeat(64)}`
    const after = (parse(pinned(text, () => digest)) as Compose).services
    for (const [name, { image }] of named.slice(1)) {
      expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[\w/]+:v?\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?\}$/)
      expect(after[name]!.image).toMatch(new RegExp(`@${digest}\\}$`))
    }
    expect(after['stakewatch']!.image).toBe(services['stakewatch']!.image)
  })

  test.each(named)('%s mounts what is there', (name, service) => {
    expect([...mounts(name).values()].filter((path) => !existsSync(path))).toEqual([])
    const others = (service.volumes ?? []).map((one) => one.replace(/^\$\{\w+:-(\w+)\}/, '$1'))
    for (const one of others.filter((other) => !other.startsWith('.'))) {
      expect(volumes).toHaveProperty(one.split(':')[0]!)
    }
  })
})

describe('Prometheus', () => {
  const config = parse(read('prometheus.yml')) as {
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
    alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] }
    global: { scrape_interval: string }
  }
  const targetsOf = (job: string) =>
    config.scrape_configs.find(({ job_name: name }) => name === job)!.static_configs[0]!

  test('has a configuration that promtool takes, with all of the rules', () => {
    const file = asHere('prometheus', '/etc/prometheus/prometheus.yml')
    const said = execFileSync('promtool', ['check', 'config', file], { encoding: 'utf8' })
    expect(said).toMatch(/SUCCESS: \d{2,} rules found/)
  })

  test('scrapes stakewatch under the name that the rules rely on, where a history says that it was', () => {
    expect(targetsOf(JOB).targets).toEqual([`stakewatch:${DEFAULT_PORT}`])
    expect(TARGET).toEqual({ job: JOB, instance: `stakewatch:${DEFAULT_PORT}` })
  })

  test('notifies the Alertmanager that is there', () => {
    expect(config.alerting.alertmanagers[0]!.static_configs[0]!.targets).toEqual(['alertmanager:9093'])
    expect(services['alertmanager']!.ports).toEqual(['127.0.0.1:9093:9093'])
  })

  test('begins with the folder that a history writes, which is next to it', () => {
    const lines = environment('--seed=1 --since=1780000000').trimEnd().split('\n')
    const given = Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2) as [string, string]))
    const interpolated = (line: string) =>
      line.replaceAll(/\$\{(\w+):-[^}]*\}/g, (all, name: string) => given[name] ?? all)
    expect(services['prometheus']!.volumes!.map(interpolated)).toContain('./history:/prometheus')
    expect(interpolated(services['stakewatch']!.command as string)).toBe(
      `demo --seed=1 --since=1780000000 --web.listen-address=:${DEFAULT_PORT}`,
    )
    expect(services['prometheus']!.command).toContain('--storage.tsdb.path=/prometheus')
  })
})

test('Alertmanager has a configuration that amtool takes', () => {
  const file = asHere('alertmanager', '/etc/alertmanager/alertmanager.yml')
  expect(execFileSync('amtool', ['check-config', file], { encoding: 'utf8', stdio: 'pipe' })).toContain('SUCCESS')
  expect(services['alertmanager']!.command).toContain('--config.file=/etc/alertmanager/alertmanager.yml')
})

test('own.yml mounts the configuration that it names', () => {
  const own = (parse(read('own.yml')) as Compose).services['stakewatch']!
  const [, path] = /--config\.file=(\S+)/.exec(own.command as string)!
  expect(own.volumes).toEqual([`./stakewatch.yml:${path}:ro`])
})

describe('Grafana', () => {
  const [source] = (parse(read('grafana/datasource.yml')) as { datasources: Record<string, unknown>[] }).datasources
  const [provider] = (parse(read('grafana/dashboards.yml')) as { providers: { options: { path: string } }[] }).providers
  const files = mounts('grafana')

  test('lists both where it looks', () => {
    expect(files.get('/etc/grafana/provisioning/datasources/stakewatch.yml')).toBe(
      join(folder, 'grafana/datasource.yml'),
    )
    expect(files.get('/etc/grafana/provisioning/dashboards/stakewatch.yml')).toBe(
      join(folder, 'grafana/dashboards.yml'),
    )
  })

  test('has one data source: it is what the dashboards ask for', () => {
    const { scrape_interval: interval } = (parse(read('prometheus.yml')) as { global: { scrape_interval: string } })
      .global
    expect(source).toMatchObject({
      type: 'prometheus',
      url: 'http://prometheus:9090',
      isDefault: true,
      jsonData: { timeInterval: interval },
    })
    for (const dashboard of Object.values(dashboards)) {
      const [variable] = variablesOf(dashboard).filter(({ name }) => name === 'datasource')
      expect(variable).toMatchObject({ type: 'datasource', query: source!['type'] })
      const uids = [...JSON.stringify(dashboard).matchAll(/"datasource":\{[^}]*?"uid":"([^"]*)"/g)].map(
        ([, uid]) => uid,
      )
      expect(new Set(uids)).toEqual(new Set(['${datasource}']))
    }
  })

  test('finds all dashboards, and begins with Fleet', () => {
    const here = files.get(provider!.options.path)!
    const found = readdirSync(here).filter((file) => file.endsWith('.json'))
    expect(found.toSorted()).toEqual(
      Object.keys(dashboards)
        .map((page) => `${page}.json`)
        .toSorted(),
    )
    const home = services['grafana']!.environment!['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH']!
    expect(existsSync(home.replace(provider!.options.path, here))).toBe(true)
  })
})
