import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { collectors } from '../../src/collectors/index.ts'
import { loadConfig } from '../../src/config/load.ts'
import { configSchema } from '../../src/config/schema.ts'
import { parseDuration } from '../../src/lib/duration.ts'
import { type KeyPath, keyPaths } from '../support/schema-keys.ts'

const yaml = readFileSync(new URL('../../config.example.yaml', import.meta.url), 'utf8')
const names = collectors.map(({ name }) => name)

function load(text: string) {
  const files: Record<string, string> = {
    '/run/secrets/node-b-url': 'http://10.0.1.5:9650\n',
    '/run/secrets/data-url': 'https://data.example/path-of-the-key\n',
    '/run/secrets/data-api-key': 'the-key\n',
    '/run/secrets/metrics-url': 'https://metrics.example/path-of-the-key\n',
  }
  return loadConfig(text, {
    file: 'config.example.yaml',
    env: { DATA_API_KEY: 'the-test-key' },
    readFile: (path) => {
      const text = files[path]
      if (text !== undefined) return text
      throw new Error(`the example reads ${path}`)
    },
    collectors: names,
  })
}

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
  walk(parseDocument(yaml, { lineCounter: counter }).contents, [])
  return lines
}

describe('config.example.yaml', () => {
  test('is a valid configuration', () => {
    const { networks } = load(yaml)
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
        nodes: ['node-a http://10.0.0.5:9650', 'node-b http://10.0.1.5:9650'],
        validators: ['val-1 of primary', 'val-2 of primary', 'val-2 of my-l1'],
        chains: [
          ['p-chain', undefined, 18],
          ['x-chain', undefined, 18],
          ['c', 43_114, 18],
          ['my-chain', 99_999, 6],
        ],
        wallets: ['treasury 2', 'relayer 1'],
        data: ['mainnet', 'https://data.example', 'the-key'],
        metrics: 'https://metrics.example',
      },
      {
        name: 'test',
        nodes: ['node-a http://10.1.0.5:9650'],
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
    const texts = yaml.split('\n')
    const unexplained = keyPaths(configSchema(names)).filter((path) => {
      // What a collector may be told is the same for all of them: one explains it, docs/metrics.md lists them.
      const wanted = path[0] === 'collectors' && path.length > 1 ? [path[0], 'uptime', ...path.slice(2)] : path
      const line = lines.get(JSON.stringify(wanted))
      return line === undefined || !/ # \S/.test(texts[line - 1]!)
    })
    expect(unexplained).toEqual([])
  })

  test('shows the defaults', () => {
    const shown = load(yaml)
    const { defaults, networks } = load('networks: [{ name: fuji, data_api: { url: "https://data.example" } }]')
    expect(shown.defaults).toEqual(defaults)
    expect(shown.networks[0]?.data_api?.key_header).toBe(networks[0]?.data_api?.key_header)
    const own = collectors.map(({ name, every }) => [name, { enabled: true, every: parseDuration(every) }])
    expect(shown.collectors).not.toEqual({})
    expect(Object.fromEntries(own)).toMatchObject(shown.collectors)
  })
})
