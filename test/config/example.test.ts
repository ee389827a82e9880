import { describe, expect, test } from 'vitest'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { collectors } from '../../src/collectors/index.ts'
import { configSchema, type Network } from '../../src/config/schema.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { example, loadAsExample } from '../support/example.ts'
import { type KeyPath, keyPaths } from '../support/schema-keys.ts'

const names = collectors.map(({ name }) => name)

/** The line on which each key stands first. */
function firstLines(): Map<string, number> {
  const counter = new LineCounter()
  const lines = new Map<string, number>()
  const walk = (node: unknown, at: KeyPath) => {
    if (isSeq(node)) node.items.forEach((item) => walk(item, [...at, 0]))
    if (!isMap(node)) return
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue
      const path = [...at, String(key.value)]
      const shown = JSON.stringify(path)
      if (!lines.has(shown)) lines.set(shown, counter.linePos(key.range?.[0] ?? 0).line)
      walk(value, path)
    }
  }
  walk(parseDocument(example, { lineCounter: counter }).contents, [])
  return lines
}

describe('config.example.yaml', () => {
  test('is a valid configuration', () => {
    const { networks } = loadAsExample(example)
    const shown = networks.map(({ name, nodes, validators, chains, addresses, data_api, metrics_api }) => ({
      name,
      nodes: nodes.map(({ name, url }) => `${name} ${url.reveal()}`),
      validators: validators.map(({ name, subnet }) => `${name} of ${subnet}`),
      chains: chains.map(({ name, evm_chain_id, decimals }) => [name, evm_chain_id, decimals]),
      wallets: addresses.map(({ name, addresses }) => `${name} ${addresses.length}`),
      data: [data_api?.network, data_api?.url.reveal(), data_api?.key?.reveal()],
      metrics: metrics_api?.url.reveal(),
    }))
    expect(shown).toEqual([
      {
        name: 'mainnet',
        nodes: ['node-a http://10.0.0.5:9650', 'node-b https://10.0.1.5:9650'],
        validators: ['val-1 of primary', 'val-2 of primary', 'val-2 of my-l1'],
        chains: [
          ['p-chain', undefined, 18],
          ['c', 43_114, 18],
          ['my-chain', 99_999, 6],
        ],
        wallets: ['treasury 2', 'relayer 1'],
        data: ['mainnet', 'https://data.example', 'the-key'],
        metrics: 'https://metrics.example',
      },
      {
        name: 'test',
        nodes: ['node-a https://10.1.0.5:9650'],
        validators: ['NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN of primary'],
        chains: [['p-chain', undefined, 18]],
        wallets: [],
        data: ['fuji', 'https://data.example/path-of-the-key', 'the-test-key'],
        metrics: 'https://metrics.example/path-of-the-key',
      },
    ])
  })

  test('explains every key that exists, on the line where it stands first', () => {
    const lines = firstLines()
    const texts = example.split('\n')
    const unexplained = keyPaths(configSchema(names)).filter((path) => {
      // All collectors have the same settings: the example explains one, docs/metrics.md lists all.
      // An interval and a schedule exclude each other.
      const shown = /^(schedule|timezone)$/.test(String(path[2])) ? 'pending-rewards' : 'uptime'
      const place = path[0] === 'collectors' && path.length > 1 ? [path[0], shown, ...path.slice(2)] : path
      // Proxies and TLS are explained at the nodes: services have the same keys.
      const at = /^(proxy|proxy_file|tls_config)$/.test(String(path[3])) ? ['networks', 0, 'nodes', 0] : undefined
      const wanted = at && String(path[2]).endsWith('_api') ? [...at, ...path.slice(3)] : place
      const line = lines.get(JSON.stringify(wanted))
      return line === undefined || !/ # \S/.test(texts[line - 1]!)
    })
    expect(unexplained).toEqual([])
  })

  test('shows the defaults', () => {
    const shown = loadAsExample(example)
    const { defaults, networks } = loadAsExample('networks: [{ name: fuji }]')
    expect(shown.defaults).toEqual(defaults)
    // The second network is Fuji, and writes down what is known of it.
    const known = ({ upgrade_time, l1_fee, delegation }: Network) => ({ upgrade_time, l1_fee, delegation })
    expect(known(shown.networks[1]!)).toEqual(known(networks[0]!))
    const own = collectors.map(({ name, every }) => [
      name,
      { enabled: true, every: parseDuration(every), max_series: 100_000 },
    ])
    const { 'pending-rewards': scheduled, ...withIntervals } = shown.collectors
    expect(scheduled).toEqual({ schedule: '0 2 * * *', timezone: 'Europe/Berlin' })
    expect(withIntervals).not.toEqual({})
    expect(Object.fromEntries(own)).toMatchObject(withIntervals)
  })
})
