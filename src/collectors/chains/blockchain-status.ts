// blockchain-status: what each node does with the configured chains. platform.getBlockchainStatus (document 2, States).

import { equal } from '../../judgements/expectations.ts'
import { primaryChains } from '../../lib/primary-network.ts'
import { gauge, stateSamples } from '../../metrics/define.ts'
import { getBlockchainStatus } from '../../operations/node/platform.getBlockchainStatus.ts'
import { defineCollector, toldBy } from '../define.ts'

const status = gauge({
  name: 'stakewatch_blockchain_status',
  help: 'What the node `source` does with the chain: 1 for the current state. Syncing means that it takes part without validating, and is what every node says of the P-Chain (platform.getBlockchainStatus).',
  of: 'chain',
  opinion: true,
  labels: ['state'],
})

const expectationMet = gauge({
  name: 'stakewatch_blockchain_status_expectation_met',
  help: 'Whether the node `source` does with the chain what the configuration expects of it: 1 or 0 (platform.getBlockchainStatus).',
  of: 'chain',
  opinion: true,
  labels: ['expectation'],
})

const states = ['validating', 'created', 'preferred', 'syncing', 'unknown', 'other']

export const blockchainStatus = defineCollector({
  name: 'blockchain-status',
  about: 'Whether each node validates, follows or knows the configured chains.',
  every: '1m',
  uses: [getBlockchainStatus],
  observer: 'each',
  metrics: [status, expectationMet],
  // Nodes know the primary network's chains by one letter; the data service's aliases mean nothing to them.
  subjects: ({ chains }) =>
    chains.map(({ id, name, expect }) => ({
      name,
      labels: { chain: name },
      blockchainID: primaryChains[id] ?? id,
      expected: expect.status,
    })),
  estimate: ({ expected }) => ({
    calls: [{ operation: getBlockchainStatus, times: 1 }],
    series: states.length + (expected === undefined ? 0 : 1),
  }),
  async collect({ subject: { blockchainID, expected }, call }) {
    const { value } = await call(getBlockchainStatus, { blockchainID })
    const state = value.status.toLowerCase()
    return {
      samples: stateSamples(status, {}, states, state),
      expectations: toldBy(expectationMet, equal('status', expected, state)),
    }
  },
})
