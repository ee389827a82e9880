// The configuration as it takes effect: what is printed, where it comes from, and that it means the same.

import { describe, expect, test } from 'vitest'
import { collectors } from '../../../src/collectors/index.ts'
import { packed } from '../../../src/config/file/packed.ts'
import type { Config } from '../../../src/config/schema.ts'
import { explained } from '../../../src/config/file/effective.ts'
import { type LoadOptions, loadWithPlaces } from '../../../src/config/load.ts'
import { plan, settingsOf } from '../../../src/scheduler/plan.ts'
import { example, exampleOptions, loadAsExample } from '../../support/example.ts'

const FILE = 'stakewatch.yml'
const files: Readonly<Record<string, string>> = {
  'secrets/node-b': 'http://10.0.1.5:9650/MARKER\n',
  '/run/key': 'MARKER\n',
}
const options: LoadOptions = {
  file: FILE,
  env: { NODE: '10.0.0.5', TOKEN: 'MARKER', TTL: '4', KEY_FILE: '/run/key' },
  readFile: (path) => files[path]!,
  collectors: collectors.map(({ name }) => name),
}

function explain(yaml: string, given: LoadOptions = options): string {
  const loaded = loadWithPlaces(yaml, given)
  const settings = collectors.map((one) => [one.name, settingsOf(loaded.value, one)] as const)
  return explained(loaded, given.file, Object.fromEntries(settings))
}

const yaml = `networks:
  - name: fuji
    preset: fuji
    nodes:
      - { name: node-a, url: "http://\${NODE}:9650/\${TOKEN}" }
      - name: node-b
        url_file: secrets/node-b
    data_api:
      key_file: \${KEY_FILE}
      budget: { per_minute: 100 }
    validators:
      - &one { node_id: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg }
    delegation: { min_duration: 36h }
defaults: { ttl: "\${TTL}" }
collectors:
  uptime: { every: 90s }
  data-usage: { enabled: true }
`

describe('the configuration as it takes effect', () => {
  const lines = explain(yaml).split('\n')

  test.each([
    ['a value that is written', '  - name: fuji # stakewatch.yml:2'],
    [
      'an address of which parts come from the environment, without its path',
      '        url: http://10.0.0.5:9650/<secret> # environment variable NODE, TOKEN, stakewatch.yml:5',
    ],
    [
      'an address from a file, in a list whose other values are defaults',
      '        url: http://10.0.1.5:9650/<secret> # file secrets/node-b, stakewatch.yml:7',
    ],
    ['a default next to it', '        admin: off # default'],
    ['a key from a file that a variable names', '      key: <secret> # file named by KEY_FILE, stakewatch.yml:9'],
    ['a value of the preset', '      key_header: x-glacier-api-key # preset fuji'],
    ['a value that replaces one of the preset', '        per_minute: 100 # stakewatch.yml:10'],
    ['its neighbour, which is that of the preset', '        per_day: 1200000 # preset fuji'],
    ['an entry of a list of the preset', '        evm_chain_id: 43113 # preset fuji'],
    ['a default of an entry of the preset', '        decimals: 18 # default'],
    ['a name that is the id', '        name: NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg # default'],
    ['an empty list', '    addresses: [] # default'],
    ['a default of the known network', '      excess_constant: 51937021 # default of fuji'],
    ['its time, as it would be written', '    upgrade_time: 2026-07-28T15:00:00Z # default of fuji'],
    ['a duration, as it is written', '      min_duration: 36h # stakewatch.yml:13'],
    ['a duration by default', '  timeout: 10s # default'],
    ['a number from the environment', '  ttl: 4 # environment variable TTL, stakewatch.yml:14'],
    ['the interval of a collector that is named', '    every: 90s # stakewatch.yml:16'],
    ['a collector that is turned on', '    enabled: true # stakewatch.yml:17'],
  ])('has %s', (_, line) => {
    expect(lines).toContain(line)
  })

  test('has every collector, those that are off as well', () => {
    const at = lines.indexOf('  evm-transactions:')
    expect(lines.slice(at + 1, at + 4)).toEqual([
      '    enabled: false # default',
      '    every: 1m # default',
      '    max_series: 100000 # default',
    ])
    expect(lines.slice(lines.indexOf('collectors:')).filter((line) => /^ {2}\S/.test(line))).toHaveLength(
      collectors.length,
    )
  })

  test('has no node of the preset when nodes are written', () => {
    expect(lines.filter((line) => line.includes('api.avax-test.network'))).toEqual([])
  })

  test('shows no secret', () => {
    expect(lines.join('\n')).not.toContain('MARKER')
  })
})

test('a value that an alias repeats stands where its anchor is', () => {
  const twice = `networks:
  - name: a
    nodes: &nodes
      - { name: node-a, url: "http://10.0.0.5:9650" }
  - name: b
    nodes: *nodes
`
  expect(explain(twice).match(/name: node-a # stakewatch\.yml:4/g)).toHaveLength(2)
})

test('printed and read again, the example does the same', () => {
  const before = loadAsExample(example)
  const secrets = before.networks.flatMap(({ nodes, data_api, metrics_api }) => {
    // In the order in which they are printed.
    const ofNodes = nodes.flatMap(({ url, proxy, tls_config: tls }) => [url, proxy, tls?.ca, tls?.cert, tls?.key])
    const found = [...ofNodes, data_api?.url, data_api?.key, metrics_api?.url]
    return found.filter((one) => typeof one === 'object')
  })
  const left = secrets.values()
  const printed = explain(example, exampleOptions).replace(
    /^( +(?:- )?(?:url|key|proxy|ca|cert): ).*$/gm,
    (_, start: string) => start + JSON.stringify(left.next().value!.reveal()),
  )
  expect(left.next().done).toBe(true)
  const after = loadAsExample(printed)
  const tasksOf = (config: Config) => plan(config, collectors).map(({ key, settings }) => [key, settings])
  expect(tasksOf(after)).toEqual(tasksOf(before))
  // By what they are: keys are in another order.
  const revealed = ({ networks, defaults }: Config) => packed({ networks, defaults, collectors: {} })
  expect(revealed(after)).toEqual(revealed(before))
})
