// The committed exposition: its diff shows every change of a name, a label or a value.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { everyMetric } from '../src/commands/catalogue.ts'
import { failedRequests, removeMachineDetails, renderGolden } from '../tools/golden.ts'

const committed = readFileSync(new URL('metrics.golden.txt', import.meta.url), 'utf8')

/** No request has come to the server, and no file configures who may connect. */
const unused = ['stakewatch_http_requests_total', 'stakewatch_web_config_last_reload_successful']

/** They have series only of what is a problem just now. */
const ofProblems = [
  'stakewatch_collector_stale_since_timestamp_seconds',
  'stakewatch_condition',
  'stakewatch_condition_value',
  'stakewatch_condition_detail',
  'stakewatch_condition_ended',
  'stakewatch_condition_unknown_since_timestamp_seconds',
]

describe('the exposition of the golden network', () => {
  test('is the committed one; if the change is meant: npm run generate', async () => {
    expect(await renderGolden()).toBe(committed)
  })

  test('is the same in another time zone and language', () => {
    const tool = fileURLToPath(new URL('../tools/golden.ts', import.meta.url))
    const script = `process.stdout.write(await (await import(${JSON.stringify(tool)})).renderGolden())`
    const env = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8', env })
    expect(printed).toBe(committed)
  })

  test('counts no error of an upstream that works', () => {
    expect(failedRequests(committed)).toEqual([])
    const line = 'stakewatch_upstream_requests_total{operation="x",code="CODE"} 1'
    const lines = ['ok', 'not_found', 'unsupported', 'timeout'].map((code) => line.replace('CODE', code))
    expect(failedRequests([...lines, `${lines[3]!.slice(0, -1)}0`].join('\n'))).toEqual([lines[3]])
  })

  test('has every metric of the catalogue, with its labels, and no other', () => {
    const families = committed.split(/^(?=# HELP )/m).map((family) => {
      const [head, name = '', help = '', type = ''] = /^# HELP (\w+) (.+)\n# TYPE \w+ (\w+)\n/.exec(family)!
      const series = family.slice(head.length)
      const labels = new Set(
        [...series.matchAll(/(\w+)="/g)].map(([, label]) => label!).filter((label) => label !== 'le'),
      )
      return { name, help, type, labels: series === '' ? 'no series' : [...labels].toSorted().join(' ') }
    })
    const catalogue = everyMetric().map(({ name, help, type, labels }) => ({
      name,
      help,
      type,
      labels: unused.includes(name) ? 'no series' : labels.toSorted().join(' '),
    }))
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    const isFixed = ({ name }: { name: string }) => !ofProblems.includes(name)
    expect(families.filter(isFixed).toSorted(byName)).toEqual(catalogue.filter(isFixed).toSorted(byName))
  })

  test('can be read in one sitting', () => {
    // Each condition has a line or two.
    expect(committed.split('\n').length).toBeLessThan(3_400)
  })
})

test('what depends on the machine and on the order of polls is removed', () => {
  const family = (name: string, ...lines: string[]) =>
    [`# HELP ${name} It.`, `# TYPE ${name} gauge`, ...lines, ''].join('\n')
  const exposition = [
    family('stakewatch_a', 'stakewatch_a{x="b"} 0.30000000000000004', 'stakewatch_a{x="a"} 123456789012345680'),
    family(
      'stakewatch_h',
      ...['z', 'y'].flatMap((x) => [
        `stakewatch_h_bucket{le="0.5",x="${x}"} 1`,
        `stakewatch_h_bucket{le="+Inf",x="${x}"} 2`,
        `stakewatch_h_sum{x="${x}"} +Inf`,
      ]),
    ),
    family(
      'stakewatch_collector_success',
      'stakewatch_collector_success{network="n",collector="c",source="b",target="x"} 1',
      'stakewatch_collector_success{network="n",collector="c",source="a",target="y"} 1',
    ),
    family(
      'stakewatch_upstream_requests_total',
      'stakewatch_upstream_requests_total{network="n",source="b",operation="x",code="timeout"} 0',
      'stakewatch_upstream_requests_total{network="n",source="a",operation="x",code="ok"} 3',
      'stakewatch_upstream_requests_total{network="n",source="a",operation="y",code="timeout"} 0',
      'stakewatch_upstream_requests_total{network="n",source="a",operation="x",code="timeout"} 0',
    ),
    family('process_cpu_seconds_total', 'process_cpu_seconds_total 0.1'),
    family('stakewatch_build_info', 'stakewatch_build_info{version="0.0.0",node_version="v24.1.0"} 1'),
    family('nodejs_version_info', 'nodejs_version_info{version="v24.1.0"} 1'),
  ].join('')
  expect(removeMachineDetails(exposition)).toBe(
    [
      family('stakewatch_a', 'stakewatch_a{x="a"} 123456789012345680', 'stakewatch_a{x="b"} 0.3'),
      family(
        'stakewatch_h',
        ...['y', 'z'].flatMap((x) => [
          `stakewatch_h_bucket{le="0.5",x="${x}"} 1`,
          `stakewatch_h_bucket{le="+Inf",x="${x}"} 2`,
          `stakewatch_h_sum{x="${x}"} +Inf`,
        ]),
      ),
      family(
        'stakewatch_collector_success',
        'stakewatch_collector_success{network="n",collector="c",source="a",target="y"} 1',
      ),
      family(
        'stakewatch_upstream_requests_total',
        'stakewatch_upstream_requests_total{network="n",source="a",operation="x",code="ok"} 3',
        'stakewatch_upstream_requests_total{network="n",source="a",operation="x",code="timeout"} 0',
      ),
      family('stakewatch_build_info', 'stakewatch_build_info{version="0.0.0",node_version="-"} 1'),
    ].join(''),
  )
})
