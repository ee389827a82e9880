// platform.getBlockchainStatus: both nodes validate the primary network, and run the chain of an L1 at times.

import { primaryChains } from '../../lib/primary-network.ts'
import { getBlockchainStatus } from '../../operations/node/platform.getBlockchainStatus.ts'
import { chainIdOf, isId } from '../node-state.ts'
import { refusal } from '../node-words.ts'
import { handles, nodeOf } from '../serve.ts'

/** The P-Chain has no creation of its own: a live node reports it as Syncing whatever it does. */
export const handleGetBlockchainStatus = handles(getBlockchainStatus, (place, { blockchainID }) => {
  const node = nodeOf(place)
  const known = chainIdOf(node, place.world, blockchainID)
  if (known === undefined && place.dialect === 'live' && !isId(blockchainID)) {
    throw refusal(`problem parsing blockchainID "${blockchainID}"`)
  }
  const id = known ?? blockchainID
  const primary = primaryChains[id]
  if (primary !== undefined) return { status: primary === 'P' && place.dialect === 'live' ? 'Syncing' : 'Validating' }
  const l1 = place.world.l1s.all.find(({ blockchainId, hasChain }) => hasChain && blockchainId === id)
  if (!l1) return { status: 'Unknown' }
  if (!l1.followers.has(node.nodeId)) return { status: 'Created' }
  const members = [...l1.validators, ...l1.legacy]
  return { status: members.some(({ nodeId }) => nodeId === node.nodeId) ? 'Validating' : 'Syncing' }
})
