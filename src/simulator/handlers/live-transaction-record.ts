// Transactions of the X- and the C-Chain in the live service's forms: linear ones, those from before the X-Chain had
// blocks, and those that go between chains.

import type { Dialect } from '../handler.ts'
import type { Chain } from '../world/blocks.ts'
import { bytesOf, idOf } from '../world/ids.ts'
import type { EvmChain } from '../world/evm-chains.ts'
import { AVAX, chainIds } from '../world/fixed-ids.ts'
import type { Transaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { amountsOf, inputsOf, outputsOf } from './transaction-amounts.ts'
import { memoRecord } from './transaction-record.ts'
import { amountOf, assetRecord, utxoRecord } from './utxo-record.ts'

const LIVE: Dialect = 'live'

export function liveTransactionRecord(transaction: Transaction, { chains, evm }: World) {
  const { id, chain, type, time, facts } = transaction
  const { memo = '', sourceChain, destinationChain } = facts
  const common = {
    txHash: id,
    txType: type,
    timestamp: time,
    memo: memoRecord(memo),
    amountUnlocked: amountsOf(inputsOf(transaction)),
    amountCreated: amountsOf(outputsOf(transaction)),
    ...(sourceChain ? { sourceChain: chainIds[sourceChain] } : {}),
    ...(destinationChain ? { destinationChain: chainIds[destinationChain] } : {}),
  }
  return chain === 'X' ? { ...common, ...ofX(transaction, chains.X) } : { ...common, ...atomic(transaction, evm[0]!) }
}

function ofX({ id, type, height, time, position, consumed, emitted }: Transaction, chain: Chain) {
  const made = type === 'CreateAssetTx' ? emitted.find(({ asset }) => asset.id !== AVAX.id) : undefined
  return {
    ...(position < 0
      ? { chainFormat: 'non-linear', vertices: [{ hash: vertexOf(id), height: FIRST_VERTEX, timestamp: time }] }
      : { chainFormat: 'linear', blockHeight: height, blockHash: chain.block(height)!.hash }),
    consumedUtxos: consumed.map((utxo) => utxoRecord(utxo, 'X', LIVE)),
    emittedUtxos: emitted.map((utxo) => utxoRecord(utxo, 'X', LIVE)),
    ...(made ? { assetCreated: { ...assetRecord(made.asset), createdAtTimestamp: time, cap: 'variable' } } : {}),
  }
}

/** Where the graph was when the wallets of this network were endowed. */
const FIRST_VERTEX = 1_000
const vertexOf = (txId: string) => idOf(`vertex of ${txId}`)

/** An export has no UTXOs that it consumes, an import none that it makes. */
function atomic({ id, height, consumed, emitted, facts }: Transaction, chain: EvmChain) {
  const evm = facts.evm ?? []
  const block = { blockHeight: height, blockHash: chain.block(height)!.hash }
  if (facts.sourceChain === 'C') {
    return {
      ...block,
      evmInputs: evm.map(({ address, amount }) => ({
        fromAddress: address,
        asset: amountOf(AVAX, amount),
        credentials: [{ signature: `0x${bytesOf(`signature ${id}`, 65)}`, publicKey: `0x${bytesOf(address, 33)}` }],
      })),
      emittedUtxos: emitted.map((utxo) => utxoRecord(utxo, 'C', LIVE)),
    }
  }
  return {
    ...block,
    evmOutputs: evm.map(({ address, amount }) => ({ toAddress: address, asset: amountOf(AVAX, amount) })),
    consumedUtxos: consumed.map((utxo) => utxoRecord(utxo, 'C', LIVE)),
  }
}
