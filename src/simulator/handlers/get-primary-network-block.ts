// Get primary network block: by height or by hash.

import { getPrimaryNetworkBlock } from '../../operations/data/primary-network-blocks.ts'
import type { PrimaryChain } from '../../lib/primary-network.ts'
import { handles, type Place, Refusal } from '../handler.ts'
import { blockRecord, chainOf } from './primary-network-block.ts'

export const handleGetPrimaryNetworkBlock = handles(
  getPrimaryNetworkBlock,
  (place, { network, blockchainId, blockId }) => {
    const name = chainOf(network, blockchainId)
    const chain = place.world.chains[name]
    const height = /^\d+$/.test(blockId) ? Number(blockId) : heightOf(blockId, name, place)
    const block = height === undefined ? undefined : chain.block(height)
    if (!block) throw new Refusal(404, `block ${blockId} not found`)
    return blockRecord(block, name, place)
  },
)

function heightOf(hash: string, chain: PrimaryChain, { world, dialect }: Place): number | undefined {
  if (chain === 'C' && dialect === 'live') return world.evm[0]!.find(hash.toLowerCase())?.number
  return world.chains[chain].find(hash)?.height
}
