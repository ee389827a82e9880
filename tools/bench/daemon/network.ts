// A simulated network with a given number of validators, and the configuration of a daemon that tracks all of them with all collectors
// of validators, each at its default interval.

import { collectors, rooms } from '../../../src/collectors/index.ts'
import { startSimulator } from '../../../src/simulator/simulator.ts'
import { answer } from '../process.ts'

const [, , count] = process.argv as [string, string, string]

const begun = performance.now()
const { world, nodes, dataUrl, metricsUrl } = await startSimulator({
  seed: 1,
  epoch: Math.floor(Date.now() / 1_000),
  clock: () => (performance.now() - begun) / 1_000,
  validators: Number(count),
  delegations: 8 * Number(count),
  dialect: 'live',
})
const [node] = nodes
const ofValidators = new Set(rooms['validators']!.map(({ name }) => name))
const ids = [...world.validators.all.keys()]

answer(
  {
    node: node!.url,
    data: dataUrl,
    metrics: metricsUrl,
    yaml: `networks:
  - name: fuji
    nodes: [{ name: node-a, url: "${node!.url}" }]
    data_api: { url: "${dataUrl}", key: any }
    validators:
${ids.map((id, at) => `      - { node_id: ${id}, name: validator-${at} }`).join('\n')}
    subnets:
${world.l1s.all.map(({ subnetId, name }) => `      - { id: ${subnetId}, name: ${name}, validators: all }`).join('\n')}
collectors:
${collectors.map(({ name }) => `  ${name}: ${ofValidators.has(name) ? '{ enabled: true, max_series: 10000000 }' : '{ enabled: false }'}`).join('\n')}
`,
  },
  {},
)
