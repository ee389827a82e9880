// platform.getBlockchainStatus: both nodes validate the primary network, and follow an L1 at times.

import { primaryChains } from '../../lib/primary-network.ts'
import { getBlockchainStatus } from '../../operations/node/platform.getBlockchainStatus.ts'
import { handles } from '../serve.ts'

/** The P-Chain has no creation of its own and is reported as Syncing by every node. */
export const handleGetBlockchainStatus = handles(getBlockchainStatus, ({ world, observer }, { blockchainID }) => {
  const primary = ['P', 'X', 'C'].find((alias) => alias === blockchainID) ?? primaryChains[blockchainID]
  if (primary !== undefined) return { status: primary === 'P' ? 'Syncing' : 'Validating' }
  const l1 = world.l1s.all.find((one) => one.blockchainId === blockchainID)
  if (!l1) return { status: 'Unknown' }
  return { status: l1.followers.has(observer) ? 'Syncing' : 'Created' }
})
