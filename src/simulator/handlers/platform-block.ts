// P-Chain blocks in the node's words: their bytes, or their content (document 2, P-Chain block).

import type { Dialect } from '../handler.ts'
import { type Block, isDecision } from '../world/blocks.ts'
import { bytesOf } from '../world/ids.ts'
import type { Transaction } from '../world/transactions.ts'
import type { World } from '../world/world.ts'
import { hexOf } from './hex.ts'
import { isAuthorized, isReward, unsignedTx, wrappedInputs } from './platform-transaction.ts'

export function blockAnswer(block: Block, encoding: 'hex' | 'json', dialect: Dialect, world: World) {
  if (encoding === 'hex') return { block: hexOf(world.proposals.P.inner(block), dialect), encoding }
  const transactions = block.transactions.flatMap((id) => world.ledger.find(id) ?? [])
  const toContent = dialect === 'live' ? liveContent : content
  return { block: toContent(block, transactions, world), encoding }
}

function content({ parentHash, height }: Block, transactions: readonly Transaction[], world: World) {
  return {
    parentID: parentHash,
    height,
    txs: transactions.map((one) => ({
      unsignedTx: wrappedInputs(unsignedTx(one, world)),
      credentials: credentialsOf(one),
    })),
  }
}

/**
 * Live nodes add the id and the time, do not wrap the inputs, and keep the transaction of a proposal apart from the list.
 * A block that only decides has no list. The first block has neither a time nor a list.
 */
function liveContent(
  { hash, parentHash, height, time, type, count }: Block,
  transactions: readonly Transaction[],
  world: World,
) {
  if (height === 0) return { parentID: parentHash, height, id: hash }
  const record = (one: Transaction) => transactionContent(one, world)
  const head = { time, parentID: parentHash, height, id: hash }
  if (!type.includes('Proposal')) {
    return isDecision({ type, count }) ? head : { ...head, txs: transactions.map(record) }
  }
  const proposed = transactions.find(isReward) ?? transactions[0]!
  return { ...head, txs: transactions.filter((one) => one !== proposed).map(record), tx: record(proposed) }
}

/** A transaction in the form of live nodes. */
function transactionContent(one: Transaction, world: World) {
  return { unsignedTx: unsignedTx(one, world), credentials: credentialsOf(one), id: one.id }
}

/** A signature of 65 bytes for each input, and one by the owner of the subnet or L1 validator that is changed. */
function credentialsOf(transaction: Transaction) {
  if (isReward(transaction)) return []
  const { id, consumed } = transaction
  const count = consumed.length + (isAuthorized(transaction) ? 1 : 0)
  return Array.from({ length: count }, (_, at) => ({
    signatures: [`0x${bytesOf(`signature ${at} of ${id}`, 65)}`],
  }))
}
