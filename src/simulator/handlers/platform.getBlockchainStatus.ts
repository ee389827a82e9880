// platform.getBlockchainStatus: both nodes validate the primary network, and run the chain of an L1 at times.

import { primaryChains } from '../../lib/primary-network.ts'
import { getBlockchainStatus } from '../../operations/node/platform-subnets.ts'
import { chainIdOf, runsChain } from '../node/node-state.ts'
import { idFlaw, notGiven, refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'

/** The P-Chain has no creation of its own: a live node reports it as Syncing whatever it does. */
export const handleGetBlockchainStatus = handles(getBlockchainStatus, (place, { blockchainID }) => {
  const node = nodeOf(place)
  const known = chainIdOf(node, place.world, blockchainID)
  if (blockchainID === '') throw notGiven('blockchainID')
  const flaw = known === undefined && place.dialect === 'live' ? idFlaw(blockchainID) : undefined
  if (flaw !== undefined) throw refusal(`problem parsing blockchainID "${blockchainID}": ${flaw}`)
  const id = known ?? blockchainID
  // By the document also by the names that the data service has for them, and by their ids on any network.
  const primary = place.dialect === 'live' && known === undefined ? undefined : primaryChains[id]
  if (primary !== undefined) return { status: primary === 'P' && place.dialect === 'live' ? 'Syncing' : 'Validating' }
  const l1 = place.world.l1s.all.find(({ blockchainId, hasChain }) => hasChain && blockchainId === id)
  if (!l1) return { status: 'Unknown' }
  if (!runsChain(node, place.world, id)) return { status: 'Created' }
  const members = [...l1.validators, ...l1.legacy]
  return { status: members.some(({ nodeId }) => nodeId === node.nodeId) ? 'Validating' : 'Syncing' }
})
