// The newest page of the blocks that the data service lists (document 1, operations 12 and 14).

import { listLatestPrimaryNetworkBlocks } from '../../operations/data/list-latest-primary-network-blocks.ts'
import type { PrimaryNetworkBlock } from '../../operations/data/primary-network-block.ts'
import { isInFuture } from '../../lib/clock.ts'
import { type Asked, refuseOther } from './chain-info.ts'
import { inFuture } from '../counting/plausible.ts'
import type { Run } from '../define.ts'

export type BlockCall = Run<typeof listLatestPrimaryNetworkBlocks, never, never>['call']

interface Chain extends Asked {
  blockchainId: string
}

/**
 * All collectors ask for pages of this size, so that one answer serves them all. The C-Chain makes 15 to 30 blocks from one
 * poll to the next; the cost of an answer grows with its blocks.
 */
export const BLOCKS_PAGE = 50

/** Of a chain of the primary network: newest first, in whatever order the service lists them, without blocks that cannot have been made yet. */
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
