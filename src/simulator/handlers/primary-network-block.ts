// Blocks of the simulated primary network in the data service's words.

import { type PrimaryChain, primaryChains } from '../../lib/primary-network.ts'
import { type Place, Refusal } from '../handler.ts'
import type { Block } from '../world/blocks.ts'
import type { World } from '../world/world.ts'
import { mustBeFuji } from './must-be-fuji.ts'

export function chainOf(network: string, blockchainId: string): PrimaryChain {
  mustBeFuji(network)
  const chain = primaryChains[blockchainId]
  if (chain === undefined) throw new Refusal(400, 'blockchainId must be a primary network chain identifier or alias')
  return chain
}

/** The live service has the blocks of the C-Chain by the hashes of its EVM. */
function hashesOf(block: Block, chain: PrimaryChain, { world, dialect }: Place) {
  const { hash, parentHash } = chain === 'C' && dialect === 'live' ? world.evm[0]!.block(block.height)! : block
  return { blockHash: hash, parentHash }
}

export function blockRecord(block: Block, chain: PrimaryChain, place: Place) {
  const { id, parentId, proposer, pChainHeight } = place.world.proposals[chain].of(block)
  return {
    blockNumber: String(block.height),
    ...hashesOf(block, chain, place),
    blockTimestamp: block.time,
    blockType: block.type,
    txCount: block.count,
    transactions: block.transactions,
    blockSizeBytes: block.size,
    ...(chain === 'P' ? pChainFacts(block, place.world) : {}),
    proposerDetails: {
      proposerId: id,
      proposerParentId: parentId,
      ...(proposer === undefined ? {} : { proposerNodeId: proposer }),
      ...(chain === 'C' ? {} : { proposerPChainHeight: pChainHeight }),
      proposerTimestamp: block.turn,
    },
  }
}

function pChainFacts({ time }: Block, { supply, l1s }: World) {
  const { accrued, active } = l1s.market.at(time)
  const then = supply(time)
  return {
    ...(then === undefined ? {} : { currentSupply: String(then) }),
    l1ValidatorsAccruedFees: accrued,
    activeL1Validators: active,
  }
}
