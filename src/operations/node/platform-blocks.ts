// Blocks of the P-Chain.

import { z } from 'zod'
import { integer, optional, timestamp, uint64, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/** The bytes of a block, or its content. */
const encoding = z.enum(['hex', 'json']).default('hex')

const input = z.object({
  txID: optional(z.string()),
  outputIndex: optional(integer),
  assetID: optional(z.string()),
  fxID: optional(z.string()),
  input: optional(z.object({ amount: optional(unsigned), signatureIndices: optional(z.array(integer)) })),
})

const output = z.object({
  assetID: optional(z.string()),
  fxID: optional(z.string()),
  output: optional(
    z.object({
      addresses: optional(z.array(z.string())),
      amount: optional(unsigned),
      locktime: optional(unsigned),
      threshold: optional(integer),
    }),
  ),
})

const base = {
  networkID: optional(integer),
  blockchainID: optional(z.string()),
  outputs: optional(z.array(output)),
  memo: optional(z.string()).describe('hex'),
}

/** The document shows only the export of funds, with its inputs in an object; nodes give a list. */
const unsignedTx = z.object({
  ...base,
  inputs: optional(z.union([z.array(input), z.object({ ...base, inputs: optional(z.array(input)) })])),
  destinationChain: optional(z.string()),
  exportedOutputs: optional(z.array(output)),
})

const transaction = z.object({
  unsignedTx: optional(unsignedTx),
  credentials: optional(z.array(z.object({ signatures: optional(z.array(z.string())) }))),
  id: optional(z.string()).describe('live nodes only'),
})

const content = z.object({
  parentID: z.string(),
  height: unsigned,
  txs: optional(z.array(transaction)),
  tx: optional(transaction).describe('live nodes only: of a block that proposes to reward a validator'),
  id: optional(z.string()).describe('live nodes only'),
  time: optional(timestamp).describe('live nodes only, not of their oldest blocks'),
})

/** Bytes as 0x..., on live nodes with a checksum of four bytes at their end. */
const block = z.object({ block: z.union([z.string(), content]), encoding: optional(z.string()) })

/**
 * A P-Chain block by its id. A block that the node does not have answers with an error. On live nodes the index of blocks has
 * other ids.
 */
export const getBlock = defineMethod({
  name: 'platform.getBlock',
  source: 'document 2, P-Chain interface and P-Chain block',
  params: z.object({
    blockID: z.string().min(1).describe('block id, cb58'),
    encoding: encoding.describe('of the answer'),
  }),
  answer: block,
  isPartial: true,
  notFound: /not found$/,
  integers: 'exact',
})

/**
 * A P-Chain block by its height. A height that the node does not have, or not yet, answers with an error that ends in `not
 * found`.
 */
export const getBlockByHeight = defineMethod({
  name: 'platform.getBlockByHeight',
  source: 'document 2, P-Chain interface and P-Chain block',
  params: z.object({ height: uint64, encoding: encoding.describe('of the answer') }),
  answer: block,
  isPartial: true,
  notFound: /not found$/,
  integers: 'exact',
})
