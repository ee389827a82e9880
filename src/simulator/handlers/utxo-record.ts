// UTXOs of the simulated network in the data service's words.

import { type Asset, chainIds } from '../world/ids.ts'
import type { Utxo } from '../world/transactions.ts'
import type { Dialect } from '../serve.ts'

export function amountOf({ id, name, symbol, denomination }: Asset, amount: bigint) {
  return { assetId: id, name, symbol, denomination, type: 'secp256k1', amount: String(amount) }
}

/** The live service has another shape for what was made on the X- or the C-Chain. */
export function utxoRecord(utxo: Utxo, dialect: Dialect) {
  const { id, owner, asset, amount, chain, destination, stake, spent } = utxo
  const common = {
    utxoId: id,
    addresses: [owner],
    asset: amountOf(asset, amount),
    createdOnChainId: chainIds[chain],
    consumedOnChainId: chainIds[destination],
    threshold: 1,
    utxoType: stake ? 'STAKE' : 'TRANSFER',
    ...(spent ? { consumingTxHash: spent.txId } : {}),
  }
  return dialect === 'live' && chain !== 'P' ? { ...common, ...liveFacts(utxo) } : { ...common, ...facts(utxo) }
}

function facts(utxo: Utxo) {
  const { asset, amount, txId, index, height, time, platformLocktime, stakeableLocktime, stake, rewardType, spent } =
    utxo
  return {
    amount: String(amount),
    assetId: asset.id,
    txHash: txId,
    outputIndex: index,
    blockNumber: String(height),
    blockTimestamp: time,
    platformLocktime: platformLocktime ?? 0,
    ...(stakeableLocktime === undefined ? {} : { stakeableLocktime }),
    ...(rewardType === undefined ? {} : { rewardType }),
    staked: stake !== undefined,
    ...(stake ? { utxoStartTimestamp: stake.start, utxoEndTimestamp: stake.end } : {}),
    ...(spent ? { consumingBlockNumber: String(spent.height), consumingBlockTimestamp: spent.time } : {}),
  }
}

function liveFacts({ txId, index, time, spent }: Utxo) {
  return {
    creationTxHash: txId,
    outputIndex: String(index),
    timestamp: time,
    locktime: 0,
    ...(spent ? { consumingTxTimestamp: spent.time } : {}),
  }
}
