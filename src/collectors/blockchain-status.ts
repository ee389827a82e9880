// blockchain-status: what each node does with the configured chains. platform.getBlockchainStatus (document 2, States).

import { primaryChains } from '../lib/primary-network.ts'
import { gauge, stateSamples } from '../metrics/define.ts'
import { getBlockchainStatus } from '../operations/node/platform.getBlockchainStatus.ts'
import { defineCollector } from './define.ts'

const status = gauge({
  name: 'stakewatch_blockchain_status',
  help: 'What the node `source` does with the chain: 1 for the current state. Syncing means that it takes part without validating, and is what every node says of the P-Chain (platform.getBlockchainStatus).',
  of: 'chain',
  opinion: true,
  labels: ['state'],
})

const states = ['validating', 'created', 'preferred', 'syncing', 'unknown', 'other']

export const blockchainStatus = defineCollector({
  name: 'blockchain-status',
  about: 'Whether each node validates, follows or knows the configured chains.',
  every: '1m',
  uses: [getBlockchainStatus],
  observer: 'each',
  metrics: [status],
  // Nodes know the primary network's chains by one letter; the data service's aliases mean nothing to them.
  subjects: ({ chains }) =>
    chains.map(({ id, name }) => ({ name, labels: { chain: name }, blockchainID: primaryChains[id] ?? id })),
  estimate: () => ({ calls: [{ operation: getBlockchainStatus, times: 1 }], series: states.length }),
  async collect({ subject, call }) {
    const { value } = await call(getBlockchainStatus, { blockchainID: subject.blockchainID })
    return { samples: stateSamples(status, {}, states, value.status.toLowerCase()) }
  },
})
