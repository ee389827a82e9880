// node-identity: which node answers at each configured address, its software, and whether it belongs to the configured
// network (the node's own interface, info).

import { z } from 'zod'
import { refusal } from '../../errors.ts'
import { ofNode } from '../../metrics/define.ts'
import { getNetworkID, getNodeID, getNodeVersion } from '../../operations/node/info.ts'
import { countType } from '../counting/remembered.ts'
import { defineCollector, type Part } from '../define.ts'

const info = ofNode.gauge('stakewatch_node_info', {
  help: 'Node id and version that the node reports, always 1 (info.getNodeID, info.getNodeVersion).',
  labels: ['id', 'version'],
})
const idChanges = ofNode.counter('stakewatch_node_id_changes_total', {
  help: "How often a different node answered at the node's address (info.getNodeID).",
  details: 'The node was replaced, or the address leads to several nodes.',
})
const networkId = ofNode.gauge('stakewatch_node_network_id', {
  help: 'Number of the network that the node belongs to: 1 is mainnet, 5 is fuji (info.getNetworkID).',
})
const inNetwork = ofNode.gauge('stakewatch_node_in_network', {
  help: 'Whether the node belongs to the configured network: 1 or 0; absent for a custom network (info.getNetworkID).',
  details: 'The configuration does not state the number of a custom network.',
})

const memory = z.object({ nodeId: z.string(), changes: countType })

export const nodeIdentity = defineCollector({
  name: 'node-identity',
  about: 'Id, version and network of each node, and whether another node answers in its place.',
  every: '1m',
  uses: [getNodeID, getNetworkID, getNodeVersion],
  observer: 'each',
  isEssential: true,
  metrics: [info, idChanges, networkId, inNetwork],
  memory,
  subjects: () => [{ name: 'all', labels: {} }],
  estimate: () => ({ series: 4 }),
  async collect({ network, memory: before, call, attempt, flawed }) {
    const { nodeID } = (await call(getNodeID, {})).value
    const changes = before ? before.changes + (before.nodeId === nodeID ? 0 : 1) : 0
    const own = { samples: [idChanges.sample({}, changes)], memory: { nodeId: nodeID, changes } }
    const belongs = await attempt((ask) => ask.call(getNetworkID, {}))
    const number = belongs.value?.value.networkID
    const isForeign = number !== undefined && network.network_id !== undefined && number !== network.network_id
    const parts: Part[] = [
      {
        name: 'network',
        of: [belongs],
        samples: [
          ...networkId.ifKnown({}, number),
          ...inNetwork.ifKnown({}, number === undefined || network.network_id === undefined ? undefined : !isForeign),
        ],
      },
    ]
    if (isForeign) {
      flawed(refusal('network', `the node belongs to network ${number}, expected ${network.network_id}`))
      return { ...own, parts }
    }
    const software = await attempt((ask) => ask.call(getNodeVersion, {}))
    const version = software.value?.value.version
    parts.push({
      name: 'version',
      of: [software],
      samples: version === undefined ? [] : [info.sample({ id: nodeID, version }, 1)],
    })
    return { ...own, parts }
  },
})
