// List transactions for an EVM block: in the order of the block. A page size of 0 gives all of them in one page.

import { listEvmBlockTransactions } from '../../operations/data/evm.ts'
import { type Dialect, handles, Refusal } from '../handler.ts'
import type { EvmBlock, EvmChain } from '../world/evm-chains.ts'
import type { EvmTransaction } from '../world/evm-transactions.ts'
import { accountRecord, evmChainOf, milliseconds } from './evm-record.ts'

export const handleListEvmBlockTransactions = handles(
  listEvmBlockTransactions,
  ({ world, paging, dialect }, { chainId, blockId, pageToken, pageSize }) => {
    const chain = evmChainOf(world, chainId)
    const block = /^\d+$/.test(blockId) ? chain.block(Number(blockId)) : chain.find(blockId.toLowerCase())
    if (!block) throw new Refusal(404, `block ${blockId} not found`)
    const all = chain.transactions(block.number)
    const { items, ...next } = paging.page<EvmTransaction>({
      list: `evm transactions ${chain.chainId} ${block.number}`,
      pageToken,
      pageSize: pageSize === 0 ? Infinity : pageSize,
      now: world.now(),
      after: (last) => all.slice(last === undefined ? 0 : last.index + 1),
    })
    return { ...next, transactions: items.map((one) => record(one, block, chain, dialect)) }
  },
)

/** Hash and name of what a step calls; anything else calls the last one. */
const METHODS = {
  relay: ['0xccb5f809', 'receiveCrossChainMessage(uint32,address)'],
  message: ['0x62448850', 'sendCrossChainMessage((bytes32,address,(address,uint256),uint256,address[],bytes))'],
  token: ['0xa9059cbb', 'transfer(address,uint256)'],
  airdrop: ['0xc204642c', 'airdrop(address[],uint256)'],
  other: ['0x0121b93f', 'vote(uint256)'],
} as const

function record(one: EvmTransaction, block: EvmBlock, chain: EvmChain, dialect: Dialect) {
  const { callType, gasUsed } = one
  return {
    blockNumber: String(block.number),
    blockTimestamp: block.time,
    ...milliseconds(block.time, dialect),
    blockHash: block.hash,
    chainId: String(chain.chainId),
    blockIndex: one.index,
    txHash: one.hash,
    txStatus: one.isDone ? '1' : '0',
    txType: 2,
    gasLimit: String(callType === 'NATIVE_TRANSFER' ? gasUsed : Math.ceil(gasUsed * 1.25)),
    gasUsed: String(gasUsed),
    gasPrice: String(one.gasPrice),
    nonce: String(one.nonce),
    from: accountRecord(chain, one.from, dialect),
    to: accountRecord(chain, one.to, dialect),
    method: { callType, ...methodOf(one) },
    value: String(one.value),
  }
}

/** Only a call has a hash. */
function methodOf({ callType, step, order }: EvmTransaction) {
  if (callType === 'NATIVE_TRANSFER') return { methodHash: '', methodName: 'Native Transfer' }
  if (callType === 'CONTRACT_CREATION') return { methodHash: '', methodName: 'Contract Created' }
  const known = Object.entries(METHODS).find(([kind]) => kind === (order?.token ? 'token' : step?.kind))
  const [methodHash, methodName] = known?.[1] ?? METHODS.other
  return { methodHash, methodName }
}
