// Get primary network block: by height or by hash.

import { getPrimaryNetworkBlock } from '../../operations/data/get-primary-network-block.ts'
import { handles, Refusal } from '../serve.ts'
import { blockRecord, chainOf } from './primary-network-block.ts'

export const handleGetPrimaryNetworkBlock = handles(
  getPrimaryNetworkBlock,
  ({ world }, { network, blockchainId, blockId }) => {
    const name = chainOf(network, blockchainId)
    const chain = world.chains[name]
    const block = /^\d+$/.test(blockId) ? chain.block(Number(blockId)) : chain.find(blockId)
    if (!block) throw new Refusal(404, `block ${blockId} not found`)
    return blockRecord(block, name, world)
  },
)
