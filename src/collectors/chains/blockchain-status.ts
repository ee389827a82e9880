// blockchain-status: the state of the configured chains on each node, and whether the nodes that must validate them do.
// platform.getBlockchainStatus (document 2, States); platform.getBlockchains gives the subnet that validates a chain.

import type { Network } from '../../config/schema.ts'
import { equal } from '../../judgements/expectations.ts'
import { PRIMARY_NETWORK_ID, primaryChains } from '../../lib/primary-network.ts'
import { opinionOfChain } from '../../metrics/define.ts'
import { getBlockchains, getBlockchainStatus } from '../../operations/node/platform-subnets.ts'
import { lookUp } from '../answers/blockchain-list.ts'
import { ifUnsupported } from '../answers/not-found.ts'
import { asExpectations, type Ask, defineCollector } from '../define.ts'

const status = opinionOfChain.stateSet('stakewatch_blockchain_status', {
  help: 'Status of the chain on the node `source`: 1 for the current one (platform.getBlockchainStatus).',
  details: '`syncing`: the node runs the chain without validating it; every node reports this for the P-Chain.',
  states: ['validating', 'created', 'preferred', 'syncing', 'unknown', 'other'],
})
const expectationMet = opinionOfChain.gauge('stakewatch_blockchain_status_expectation_met', {
  help: 'Whether the chain has the expected status on the node `source`: 1 or 0 (platform.getBlockchainStatus).',
  details:
    "A node that does not validate as expected counts as 0 only if it is a tracked validator of the chain's subnet; for any other node the series is absent.",
  labels: ['expectation'],
})

export const blockchainStatus = defineCollector({
  name: 'blockchain-status',
  about: 'Whether each node validates, follows or knows the configured chains.',
  every: '1m',
  uses: [getBlockchainStatus, getBlockchains],
  observer: 'each',
  metrics: [status, expectationMet],
  subjects: ({ chains, validators, subnets }) =>
    chains.map(({ id, name, expect: { status: expected } }) => ({
      id,
      name,
      labels: { chain: name },
      expected,
      // Only this expectation depends on who has to validate the chain.
      tracked: expected === 'validating' ? validatorsBySubnet(validators, subnets) : [],
    })),
  estimate: ({ expected }) => ({
    calls: [getBlockchainStatus],
    series: status.states.length + (expected === undefined ? 0 : 1),
  }),
  async collect({ subject: { id, expected, tracked }, call }) {
    // Nodes name the chains of the primary network by one letter, not by the data service's aliases.
    const { value, nodeId } = await call(getBlockchainStatus, { blockchainID: primaryChains[id] ?? id })
    const state = value.status.toLowerCase()
    // Live nodes report Syncing for the P-Chain even if they validate it; the document says Validating.
    const found = primaryChains[id] === 'P' && state === 'validating' ? 'syncing' : state
    const isObserver =
      expected === 'validating' && state !== expected && !(await mustValidate(id, nodeId, tracked, call))
    return {
      samples: [status.sample({}, state)],
      expectations: asExpectations(expectationMet, equal('status', expected, isObserver ? undefined : found)),
    }
  },
})

/** Pairs of a node id and the id of a subnet that it validates. */
type Tracked = readonly (readonly [node: string, subnet: string])[]

function validatorsBySubnet(validators: Network['validators'], subnets: Network['subnets']): Tracked {
  const idOf = new Map(subnets.map(({ name, id }) => [name, id]))
  return validators.map(({ node_id, subnet }) => [node_id, idOf.get(subnet)!])
}

type ListCall = Ask<typeof getBlockchains>['call']

/** Only a tracked validator of the chain's subnet has to validate it: other nodes may rightly observe. */
async function mustValidate(
  chainId: string,
  nodeId: string | undefined,
  tracked: Tracked,
  call: ListCall,
): Promise<boolean> {
  const own = tracked.filter(([node]) => node === nodeId)
  if (own.length === 0) return false
  const subnetId = primaryChains[chainId]
    ? PRIMARY_NETWORK_ID
    : (await lookUp(call, chainId).catch(ifUnsupported))?.record?.subnetID
  return own.some(([, subnet]) => subnet === subnetId)
}
