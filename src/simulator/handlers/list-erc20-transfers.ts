// List ERC-20 transfers: of an address, in a range of blocks, newest first.

import { listErc20Transfers } from '../../operations/data/evm.ts'
import { handles, type Place } from '../handler.ts'
import type { EvmChain } from '../world/evm-chains.ts'
import type { TokenTransfer } from '../world/evm-transactions.ts'
import { accountRecord, evmChainOf, milliseconds, tokenRecord } from './evm-record.ts'

export const handleListErc20Transfers = handles(
  listErc20Transfers,
  (place, { chainId, address: given, startBlock = 0n, endBlock, pageToken, pageSize }) => {
    const chain = evmChainOf(place.world, chainId)
    const address = given.toLowerCase()
    const { items, ...next } = place.paging.page<TokenTransfer>({
      list: ['erc20', chain.chainId, address, startBlock, endBlock].join(' '),
      pageToken,
      pageSize,
      now: place.world.now(),
      after: (last) => transfers(chain, address, Number(startBlock), Number(endBlock ?? Infinity), last),
    })
    return { ...next, transactions: items.map((one) => record(one, chain, place)) }
  },
)

function* transfers(
  chain: EvmChain,
  address: string,
  start: number,
  end: number,
  last: TokenTransfer | undefined,
): Generator<TokenTransfer> {
  const newest = last?.transaction.number ?? chain.transactionsBefore(Math.min(end, chain.head() + 1)) - 1
  const oldest = chain.transactionsBefore(Math.min(start, chain.head() + 1))
  for (const one of chain.transfers(address, oldest, newest)) {
    const isServed = last?.transaction.number === one.transaction.number && one.logIndex >= last.logIndex
    if (!isServed) yield one
  }
}

function record(
  { transaction, logIndex, token, from, to, value }: TokenTransfer,
  chain: EvmChain,
  { world, dialect }: Place,
) {
  const block = chain.block(transaction.block)!
  return {
    blockNumber: String(block.number),
    blockTimestamp: block.time,
    ...milliseconds(block.time, dialect),
    blockHash: block.hash,
    txHash: transaction.hash,
    from: accountRecord(chain, from, dialect),
    to: accountRecord(chain, to, dialect),
    logIndex,
    value: String(value),
    erc20Token: tokenRecord(token, world, dialect),
  }
}
