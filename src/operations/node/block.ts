// A P-Chain block as the node gives it: its bytes, or its content.

import { z } from 'zod'
import { integer, optional, timestamp, unsigned } from '../fields.ts'

export const encoding = z.enum(['hex', 'json']).default('hex')

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
export const block = z.object({ block: z.union([z.string(), content]), encoding: optional(z.string()) })
