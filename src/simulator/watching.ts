// The configuration of a daemon that watches the simulated network.

import type { World } from './world/world.ts'

export interface SimulatedNode {
  name: string
  url: string
  nodeId: string
}

interface Services {
  dataUrl: string
  metricsUrl: string
}

/**
 * Watches the two nodes' own validators and four others, one of them with a poor uptime in everybody's eyes and one in
 * the eyes of the first node alone. It asks often: whoever looks at a simulated network wants to see it move.
 */
export function configFor(nodes: readonly SimulatedNode[], { dataUrl, metricsUrl }: Services, world: World): string {
  // Most validations began before the upgrade: when they are renewed, they need more uptime than before.
  const upgrade = new Date(world.upgrade * 1_000).toISOString()
  const evmKey = (chainId: number) =>
    world.evm.some((one) => one.chainId === chainId) ? `, evm_chain_id: ${chainId}` : ''
  const watched = [...world.validators.all.values()].slice(0, 6)
  const rows = (items: readonly string[]) => items.map((item) => `      - { ${item} }`).join('\n')
  return `networks:
  - name: fuji
    upgrade_time: ${upgrade}
    nodes:
${rows(nodes.map(({ name, url, nodeId }) => `name: ${name}, url: "${url}", node_id: ${nodeId}, admin: on`))}
    data_api: { url: "${dataUrl}" }
    metrics_api: { url: "${metricsUrl}" }
    validators:
${rows(watched.map(({ nodeId }, at) => `node_id: ${nodeId}, name: val-${at + 1}`))}
    subnets:
${rows(world.l1s.all.map(({ subnetId, name }) => `id: ${subnetId}, name: ${name}, validators: all`))}
    chains:
      - { id: p-chain }
      - { id: x-chain }
      - { id: c-chain, evm_chain_id: 43113, stall_after: 2m, expect: { status: validating } }
${rows(world.l1s.all.map(({ blockchainId, name, evmChainId }) => `id: ${blockchainId}, name: ${name}${evmKey(evmChainId)}`))}
    addresses:
      - { name: operator, addresses: [P-${watched[2]!.owner}, P-${watched[5]!.owner}], min_balance: 1 }
      - { name: delegator, addresses: [P-${watched[0]!.delegations[0]?.owner ?? watched[0]!.owner}] }
collectors:
${SOON.map(([name, every]) => `  ${name}: { every: ${every} }`).join('\n')}
`
}

/** How often a simulated network is asked: within the allowance of its services. */
const SOON = [
  ['uptime', '10s'],
  ['validators', '10s'],
  ['supply', '10s'],
  ['blockchain-status', '10s'],
  ['primary-blocks', '5s'],
  ['evm-blocks', '5s'],
  ['l1-validators', '10s'],
  ['subnet', '30s'],
  ['subnet-uptime', '30s'],
  ['delegations', '30s'],
  ['pending-rewards', '30s'],
  ['avg-tps', '30s'],
] as const
