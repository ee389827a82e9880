// List latest EVM blocks: newest first, pages that go on from a number.

import { listLatestEvmBlocks } from '../../operations/data/evm.ts'
import { type Dialect, handles } from '../handler.ts'
import type { EvmBlock, EvmChain } from '../world/evm-chains.ts'
import { evmChainOf, milliseconds } from './evm-record.ts'

export const handleListLatestEvmBlocks = handles(
  listLatestEvmBlocks,
  ({ world, paging, dialect }, { chainId, pageToken, pageSize }) => {
    const chain = evmChainOf(world, chainId)
    const { items, ...next } = paging.page<EvmBlock>({
      list: `evm blocks ${chain.chainId}`,
      pageToken,
      pageSize,
      now: world.now(),
      after: (last) => downwards(chain, last),
    })
    return { ...next, blocks: items.map((block) => record(chain, block, dialect)) }
  },
)

function* downwards(chain: EvmChain, last: EvmBlock | undefined): Generator<EvmBlock> {
  for (let number = last ? last.number - 1 : chain.head(); number >= 0; number -= 1) yield chain.block(number)!
}

function record({ chainId }: EvmChain, block: EvmBlock, dialect: Dialect) {
  return {
    chainId: String(chainId),
    blockNumber: String(block.number),
    blockTimestamp: block.time,
    ...milliseconds(block.time, dialect),
    blockHash: block.hash,
    parentHash: block.parentHash,
    txCount: block.txCount,
    baseFee: String(block.baseFee),
    gasUsed: String(block.gasUsed),
    gasLimit: String(block.gasLimit),
    gasCost: '0',
    feesSpent: String(block.fees),
    cumulativeTransactions: String(block.cumulative),
  }
}
