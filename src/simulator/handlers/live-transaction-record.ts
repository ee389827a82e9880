// Transactions of the X- and the C-Chain in the live service's forms: linear ones, and those that go between chains.

import type { Dialect } from '../serve.ts'
import { bytesOf } from '../world/bytes.ts'
import { AVAX, chainIds } from '../world/ids.ts'
import type { Transaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { amountsOf, inputsOf, outputsOf } from './transaction-amounts.ts'
import { memoRecord } from './transaction-record.ts'
import { amountOf, assetRecord, utxoRecord } from './utxo-record.ts'

const LIVE: Dialect = 'live'

export function liveTransactionRecord(transaction: Transaction, { chains }: World) {
  const { id, chain, type, height, time, facts } = transaction
  const { memo = '', sourceChain, destinationChain } = facts
  const common = {
    txHash: id,
    txType: type,
    timestamp: time,
    blockHeight: height,
    blockHash: chains[chain].block(height)!.hash,
    memo: memoRecord(memo),
    amountUnlocked: amountsOf(inputsOf(transaction)),
    amountCreated: amountsOf(outputsOf(transaction)),
    ...(sourceChain ? { sourceChain: chainIds[sourceChain] } : {}),
    ...(destinationChain ? { destinationChain: chainIds[destinationChain] } : {}),
  }
  return chain === 'X' ? { ...common, ...linear(transaction) } : { ...common, ...atomic(transaction) }
}

function linear({ type, time, consumed, emitted }: Transaction) {
  const made = type === 'CreateAssetTx' ? emitted.find(({ asset }) => asset.id !== AVAX.id) : undefined
  return {
    chainFormat: 'linear',
    consumedUtxos: consumed.map((utxo) => utxoRecord(utxo, 'X', LIVE)),
    emittedUtxos: emitted.map((utxo) => utxoRecord(utxo, 'X', LIVE)),
    ...(made ? { assetCreated: { ...assetRecord(made.asset), createdAtTimestamp: time, cap: 'variable' } } : {}),
  }
}

/** An export has no UTXOs that it consumes, an import none that it makes. */
function atomic({ id, consumed, emitted, facts }: Transaction) {
  const evm = facts.evm ?? []
  if (facts.sourceChain === 'C') {
    return {
      evmInputs: evm.map(({ address, amount }) => ({
        fromAddress: address,
        asset: amountOf(AVAX, amount),
        credentials: [{ signature: `0x${bytesOf(`signature ${id}`, 65)}`, publicKey: `0x${bytesOf(address, 33)}` }],
      })),
      emittedUtxos: emitted.map((utxo) => utxoRecord(utxo, 'C', LIVE)),
    }
  }
  return {
    evmOutputs: evm.map(({ address, amount }) => ({ toAddress: address, asset: amountOf(AVAX, amount) })),
    consumedUtxos: consumed.map((utxo) => utxoRecord(utxo, 'C', LIVE)),
  }
}
