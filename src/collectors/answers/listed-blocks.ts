// One page of the newest blocks of a chain of the primary network (document 1, operation 14), for collectors that compare
// something with them.

import { listLatestPrimaryNetworkBlocks } from '../../operations/data/list-latest-primary-network-blocks.ts'
import type { PrimaryNetworkBlock } from '../../operations/data/primary-network-block.ts'
import { type Asked, refuseOther } from './chain-info.ts'
import type { Run } from '../define.ts'

export type BlockCall = Run<typeof listLatestPrimaryNetworkBlocks, never, never>['call']

interface Page extends Asked {
  blockchainId: string
  pageSize: number
}

/** Newest first, in whatever order the service lists them. */
export async function listedBlocks(
  call: BlockCall,
  { chain, network, ...asked }: Page,
  how?: { maxAge: string },
): Promise<readonly PrimaryNetworkBlock[]> {
  const { value } = await call(listLatestPrimaryNetworkBlocks, { network, ...asked }, how)
  refuseOther(value.chainInfo, { chain, network })
  return value.blocks.toSorted((a, b) => (a.blockNumber < b.blockNumber ? 1 : -1))
}
