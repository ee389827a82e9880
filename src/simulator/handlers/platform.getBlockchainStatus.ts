// platform.getBlockchainStatus: the nodes validate the primary network; anything else was never proposed here.

import { primaryChains } from '../../lib/primary-network.ts'
import { getBlockchainStatus } from '../../operations/node/platform.getBlockchainStatus.ts'
import { handles } from '../serve.ts'

/** The P-Chain has no creation of its own and is reported as Syncing by every node. */
export const handleGetBlockchainStatus = handles(getBlockchainStatus, (_, { blockchainID }) => {
  const chain = ['P', 'X', 'C'].find((alias) => alias === blockchainID) ?? primaryChains[blockchainID]
  if (chain === undefined) return { status: 'Unknown' }
  return { status: chain === 'P' ? 'Syncing' : 'Validating' }
})
