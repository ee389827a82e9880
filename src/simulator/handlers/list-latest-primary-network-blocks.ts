// List latest primary network blocks: newest first, pages that go on from a height.

import { listLatestPrimaryNetworkBlocks } from '../../operations/data/primary-network-blocks.ts'
import { handles } from '../handler.ts'
import type { Block, Chain } from '../world/blocks.ts'
import { blockRecord, chainOf } from './primary-network-block.ts'

export const handleListLatestPrimaryNetworkBlocks = handles(
  listLatestPrimaryNetworkBlocks,
  (place, { network, blockchainId, startTimestamp = 0, endTimestamp = Infinity, pageToken, pageSize }) => {
    const name = chainOf(network, blockchainId)
    const { world, paging } = place
    const chain = world.chains[name]
    const { items, ...next } = paging.page<Block>({
      list: ['blocks', name, startTimestamp, endTimestamp].join(' '),
      pageToken,
      pageSize,
      now: world.now(),
      after: (last) => downwards(chain, last, startTimestamp, endTimestamp),
    })
    return {
      ...next,
      blocks: items.map((block) => blockRecord(block, name, place)),
      chainInfo: { chainName: `${name.toLowerCase()}-chain`, network: 'fuji' },
    }
  },
)

function* downwards(chain: Chain, last: Block | undefined, start: number, end: number): Generator<Block> {
  for (let height = last ? last.height - 1 : chain.head(); height >= 0; height -= 1) {
    const block = chain.block(height)!
    if (block.time < start) return
    if (block.time <= end) yield block
  }
}
