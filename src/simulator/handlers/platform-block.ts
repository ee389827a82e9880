// P-Chain blocks in the node's words: their bytes, or their content (document 2, P-Chain block).

import { rawJson } from '../../lib/raw-json.ts'
import type { Dialect } from '../serve.ts'
import type { Block } from '../world/blocks.ts'
import { bytesOf } from '../world/bytes.ts'
import { chainIds } from '../world/ids.ts'
import type { Transaction, Utxo } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { hexOf } from './hex.ts'

export function blockAnswer(block: Block, encoding: 'hex' | 'json', dialect: Dialect, { ledger }: World) {
  if (encoding === 'hex') return { block: hexOf(bytesOf(block.hash, block.size), dialect), encoding }
  const transactions = block.transactions.flatMap((id) => ledger.find(id) ?? [])
  return { block: dialect === 'live' ? liveContent(block, transactions) : content(block, transactions), encoding }
}

function content({ parentHash, height }: Block, transactions: readonly Transaction[]) {
  return {
    parentID: parentHash,
    height,
    txs: transactions.map((one) => ({
      unsignedTx: { inputs: base(one), ...exported(one) },
      credentials: credentialsOf(one),
    })),
  }
}

/**
 * Live nodes add id and time, do not wrap the inputs, and keep the transaction that a proposal is about by itself. A
 * block that only decides has no transactions to tell of.
 */
function liveContent({ hash, parentHash, height, time, type }: Block, transactions: readonly Transaction[]) {
  const txs = transactions.map((one) => ({
    unsignedTx: { ...base(one), ...exported(one) },
    credentials: credentialsOf(one),
    id: one.id,
  }))
  const head = { time, parentID: parentHash, height, id: hash }
  if (!type.includes('Proposal')) return txs.length > 0 ? { ...head, txs } : head
  const [tx, ...decided] = txs
  return { ...head, txs: decided.length > 0 ? decided : null, tx }
}

/** The test network's number among the networks. */
const NETWORK = 5
/** The id of the usual kind of coins. */
const SECP256K1 = 'spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ'

function base({ consumed, emitted, facts: { memo = '' } }: Transaction) {
  return {
    networkID: NETWORK,
    blockchainID: chainIds.P,
    outputs: emitted.filter(({ destination }) => destination === 'P').map(output),
    inputs: consumed.map(({ txId, index, asset, amount }) => ({
      txID: txId,
      outputIndex: index,
      assetID: asset.id,
      fxID: SECP256K1,
      input: { amount: bare(amount), signatureIndices: [0] },
    })),
    memo: `0x${Buffer.from(memo).toString('hex')}`,
  }
}

function exported({ emitted }: Transaction) {
  const leaving = emitted.filter(({ destination }) => destination !== 'P')
  if (leaving.length === 0) return {}
  return { destinationChain: chainIds[leaving[0]!.destination], exportedOutputs: leaving.map(output) }
}

function output({ asset, owner, amount, destination, platformLocktime = 0 }: Utxo) {
  return {
    assetID: asset.id,
    fxID: SECP256K1,
    output: {
      addresses: [`${destination}-${owner}`],
      amount: bare(amount),
      locktime: platformLocktime,
      threshold: 1,
    },
  }
}

/** A JSON number, however large. */
function bare(amount: bigint): number {
  return rawJson(String(amount)) as number
}

/** One signature, of 65 bytes, for each input. */
function credentialsOf({ id, consumed }: Transaction) {
  return consumed.map((_, at) => ({ signatures: [`0x${bytesOf(`signature ${at} of ${id}`, 65)}`] }))
}
