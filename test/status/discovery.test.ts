import { expect, test } from 'vitest'
import { VAL_1 } from '../support/status.ts'
import { discovered } from '../../src/status/endpoints.ts'
import { configFrom } from '../support/poll.ts'

const nodeAt = (url: string, more = '') => `{ name: node-a, url: '${url}'${more} }`
const listed = (node: string, more = '') =>
  discovered(configFrom(`networks: [{ name: fuji, network: custom, nodes: [${node}]${more} }]`))
const labels = { __scheme__: 'http', __metrics_path__: '/ext/metrics', network: 'fuji', node: 'node-a' }

test.each([
  [nodeAt('http://10.0.0.5:9650'), '10.0.0.5:9650', labels],
  [nodeAt('http://10.0.0.5:9650/'), '10.0.0.5:9650', labels],
  // Prometheus adds no port of its own.
  [nodeAt('http://10.0.0.5'), '10.0.0.5:80', labels],
  [nodeAt('https://node.example'), 'node.example:443', { ...labels, __scheme__: 'https' }],
  [nodeAt('http://[fd00::5]:9650'), '[fd00::5]:9650', labels],
  [nodeAt('http://10.0.0.5:9650', `, node_id: ${VAL_1}`), '10.0.0.5:9650', { ...labels, node_id: VAL_1 }],
])('%s is a target', (node, target, expected) => {
  expect(listed(node)).toEqual([{ targets: [target], labels: expected }])
})

test.each([
  ['a path', 'http://10.0.0.5:9650/hunter2'],
  ['a query', 'http://10.0.0.5:9650/?key=hunter2'],
  ['a user', 'http://hunter2@10.0.0.5:9650'],
])('a node whose address has %s is left out: it may be secret', (_, url) => {
  expect(listed(nodeAt(url))).toEqual([])
})

test('omits the public nodes of presets', () => {
  expect(discovered(configFrom('networks: [{ name: main, preset: mainnet }]'))).toEqual([])
})
