// The newest page of the blocks that the data service lists (document 1, operations 12 and 14).

import type { Answer } from '../../operations/define.ts'
import type { EvmBlock } from '../../operations/data/evm.ts'
import {
  listLatestPrimaryNetworkBlocks,
  type PrimaryNetworkBlock,
} from '../../operations/data/primary-network-blocks.ts'
import { isInFuture } from '../../lib/clock.ts'
import { type Asked, refuseOther, refuseOtherChain } from './chain-info.ts'
import { inFuture } from '../counting/believed.ts'
import type { Ask } from '../define.ts'

export type BlockCall = Ask<typeof listLatestPrimaryNetworkBlocks>['call']

interface Chain extends Asked {
  blockchainId: string
}

/**
 * All collectors ask for pages of this size, so that one answer serves them all. The C-Chain makes 15 to 30 blocks
 * between two polls; the cost of an answer grows with its blocks.
 */
export const BLOCKS_PAGE = 50

/** The blocks of each page, and how many of the items so far were unreadable. */
export function readableBlocks<B>(answers: AsyncIterable<Answer<{ blocks: B[] }>>) {
  let unread = 0
  async function* blocks() {
    for await (const { value, dropped } of answers) {
      unread += dropped
      yield value.blocks
    }
  }
  return { blocks: blocks(), unread: () => unread }
}

/** The blocks of each page of an EVM chain; throws if one is of another chain. */
export async function* blocksOfChain(pages: AsyncIterable<EvmBlock[]>, chainId: string): AsyncGenerator<EvmBlock[]> {
  for await (const blocks of pages) {
    for (const block of blocks) refuseOtherChain(block.chainId, chainId)
    yield blocks
  }
}

/** Blocks of a primary network chain, newest first, without blocks from the future. */
export async function listedBlocks(
  call: BlockCall,
  { chain, network, ...asked }: Chain,
  now: number,
  how?: { maxAge: string },
): Promise<readonly PrimaryNetworkBlock[]> {
  const { value } = await call(listLatestPrimaryNetworkBlocks, { network, ...asked, pageSize: BLOCKS_PAGE }, how)
  refuseOther(value.chainInfo, { chain, network })
  const present = value.blocks.filter(({ blockTimestamp }) => !isInFuture(blockTimestamp, now))
  if (present.length === 0 && value.blocks.length > 0) throw inFuture('every listed block')
  return present.toSorted((a, b) => (a.blockNumber < b.blockNumber ? 1 : -1))
}
