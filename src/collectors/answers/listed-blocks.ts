// One page of the newest blocks of a chain of the primary network (document 1, operation 14), for collectors that compare
// something with them.

import { listLatestPrimaryNetworkBlocks } from '../../operations/data/list-latest-primary-network-blocks.ts'
import type { PrimaryNetworkBlock } from '../../operations/data/primary-network-block.ts'
import { isInFuture } from '../../lib/clock.ts'
import { type Asked, refuseOther } from './chain-info.ts'
import { inFuture } from '../counting/plausible.ts'
import type { Run } from '../define.ts'

export type BlockCall = Run<typeof listLatestPrimaryNetworkBlocks, never, never>['call']

interface Page extends Asked {
  blockchainId: string
  pageSize: number
}

/** Newest first, in whatever order the service lists them, without blocks that cannot have been made yet. */
export async function listedBlocks(
  call: BlockCall,
  { chain, network, ...asked }: Page,
  now: number,
  how?: { maxAge: string },
): Promise<readonly PrimaryNetworkBlock[]> {
  const { value } = await call(listLatestPrimaryNetworkBlocks, { network, ...asked }, how)
  refuseOther(value.chainInfo, { chain, network })
  const present = value.blocks.filter(({ blockTimestamp }) => !isInFuture(blockTimestamp, now))
  if (present.length === 0 && value.blocks.length > 0) throw inFuture('every listed block')
  return present.toSorted((a, b) => (a.blockNumber < b.blockNumber ? 1 : -1))
}
