// UTXOs of the simulated network in the data service's words.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import type { Dialect } from '../handler.ts'
import { bytesOf } from '../world/ids.ts'
import { type Asset, chainIds } from '../world/fixed-ids.ts'
import type { Utxo } from '../world/transactions.ts'

/** Of an output with one owner. */
const BYTES = 118

/** Of an asset, without an amount. */
export function assetRecord({ id, name, symbol, denomination, type = 'secp256k1' }: Asset) {
  return { assetId: id, name, symbol, denomination, type }
}

export function amountOf(asset: Asset, amount: bigint) {
  return { ...assetRecord(asset), amount: String(amount) }
}

/** `on` is the chain that was asked about: where that is the X- or the C-Chain the live service has another shape. */
export function utxoRecord(utxo: Utxo, on: PrimaryChain, dialect: Dialect) {
  const { id, owner, asset, amount, chain, destination, stake, spent } = utxo
  const isLive = dialect === 'live' && on !== 'P'
  const type = stake ? 'STAKE' : 'TRANSFER'
  const common = {
    utxoId: id,
    utxoBytes: `0x${bytesOf(`utxo ${id}`, BYTES)}`,
    addresses: [owner],
    asset: amountOf(asset, amount),
    createdOnChainId: chainIds[chain],
    consumedOnChainId: chainIds[destination],
    threshold: 1,
    // Of the X- and the C-Chain the live service writes it in small letters.
    utxoType: isLive ? type.toLowerCase() : type,
    ...(spent ? { consumingTxHash: spent.txId } : {}),
  }
  return isLive ? { ...common, ...liveFacts(utxo) } : { ...common, ...facts(utxo) }
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

function liveFacts({ txId, index, time, platformLocktime, spent, nft }: Utxo) {
  return {
    creationTxHash: txId,
    outputIndex: String(index),
    timestamp: time,
    locktime: platformLocktime ?? 0,
    ...nft,
    ...(spent ? { consumingTxTimestamp: spent.time } : {}),
  }
}
