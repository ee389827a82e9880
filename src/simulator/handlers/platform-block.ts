// P-Chain blocks in the node's words: their bytes, or their content (document 2, P-Chain block).

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import type { Dialect } from '../serve.ts'
import type { Block } from '../world/blocks.ts'
import { bytesOf } from '../world/bytes.ts'
import { random } from '../world/random.ts'
import { X_CHAIN_ID } from '../world/world.ts'
import { hexOf } from './hex.ts'

export function blockAnswer(block: Block, encoding: 'hex' | 'json', dialect: Dialect) {
  if (encoding === 'hex') return { block: hexOf(bytesOf(block.hash, block.size), dialect), encoding }
  return { block: dialect === 'live' ? liveContent(block) : content(block), encoding }
}

function content({ parentHash, height, transactions }: Block) {
  return {
    parentID: parentHash,
    height,
    txs: transactions.map((id) => {
      const { base, exported } = exportOf(id)
      return { unsignedTx: { inputs: base, ...exported }, credentials: credentialsOf(id) }
    }),
  }
}

/**
 * Live nodes add id and time, do not wrap the inputs, and keep the transaction that a proposal is about by itself. A
 * block that only decides has no transactions to tell of.
 */
function liveContent({ hash, parentHash, height, time, type, transactions }: Block) {
  const txs = transactions.map((id) => {
    const { base, exported } = exportOf(id)
    return { unsignedTx: { ...base, ...exported }, credentials: credentialsOf(id), id }
  })
  const head = { time, parentID: parentHash, height, id: hash }
  if (!type.includes('Proposal')) return txs.length > 0 ? { ...head, txs } : head
  const [tx, ...decided] = txs
  return { ...head, txs: decided.length > 0 ? decided : null, tx }
}

const ASSET = 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK'
const SECP256K1 = 'spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ'
const FEE = 1_000_000

/** Only exports have a documented content: tokens go to the X-Chain, the change comes back, the fee is burned. */
function exportOf(id: string) {
  const dice = random('export', id)
  const [sent, change] = [dice.between(1, 2_000_000_000), dice.between(0, 2_000_000_000)]
  const [owner, receiver] = [`fuji1${dice.base58(38).toLowerCase()}`, `fuji1${dice.base58(38).toLowerCase()}`]
  const output = (amount: number, address: string) => ({
    assetID: ASSET,
    fxID: SECP256K1,
    output: { addresses: [address], amount, locktime: 0, threshold: 1 },
  })
  const input = { amount: sent + change + FEE, signatureIndices: [0] }
  return {
    base: {
      networkID: 5,
      blockchainID: PRIMARY_NETWORK_ID,
      outputs: [output(change, `P-${owner}`)],
      inputs: [{ txID: dice.base58(50), outputIndex: dice.between(0, 2), assetID: ASSET, fxID: SECP256K1, input }],
      memo: '0x',
    },
    exported: { destinationChain: X_CHAIN_ID, exportedOutputs: [output(sent, `X-${receiver}`)] },
  }
}

/** A signature has 65 bytes. */
function credentialsOf(id: string) {
  return [{ signatures: [`0x${bytesOf(`signature of ${id}`, 65)}`] }]
}
