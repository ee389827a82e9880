// The aggregation of signatures: it makes validators sign.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { integer, uint64 } from '../fields.ts'
import { base58, network } from './parameters.ts'

const hex = /^(0x)?[0-9a-fA-F]+$/
const hexText = z.string().regex(hex, 'expected hexadecimal digits, with or without 0x').optional()

const PERCENT = 'expected a percentage: 0 to 100'
const percent = integer.pipe(z.int().min(0, PERCENT).max(100, PERCENT))

/**
 * Has the validators of a subnet sign a message to another chain, and gives the signed message. Live services answer with 201,
 * and may take most of a minute: give it at least 60 seconds.
 */
export const aggregateSignatures = defineOperation({
  name: 'aggregate-signatures',
  source: 'document 1, operation 1',
  effect: 'action',
  via: {
    post: '/v1/signatureAggregator/{network}/aggregateSignatures',
    body: ['message', 'justification', 'signingSubnetId', 'quorumPercentage', 'quorumPercentageBuffer', 'pChainHeight'],
  },
  params: z
    .object({
      network,
      message: hexText.describe('what is to be signed, hexadecimal; this or justification must be given'),
      justification: hexText.describe('why it may be signed, hexadecimal; this or message must be given'),
      signingSubnetId: z
        .string()
        .refine((id) => base58.test(id) || hex.test(id), {
          message: 'expected a subnet id: base58 or hexadecimal',
        })
        .optional()
        .describe('whose validators sign, base58 or hexadecimal; default: the subnet of the source chain'),
      quorumPercentage: percent.default(67).describe("share of the subnet's weight that must sign, 0 to 100"),
      quorumPercentageBuffer: percent
        .default(0)
        .describe(
          'further share to try for, in all at most 100. Takes longer, and changes of weight invalidate it less',
        ),
      pChainHeight: uint64.default(0n).describe('height whose validators sign; 0 is the proposed height'),
    })
    .refine(({ message, justification }) => message !== undefined || justification !== undefined, {
      message: 'one of message and justification is required',
    })
    .refine(({ quorumPercentage, quorumPercentageBuffer }) => quorumPercentage + quorumPercentageBuffer <= 100, {
      path: ['quorumPercentageBuffer'],
      message: 'expected at most 100 together with quorumPercentage',
    }),
  answer: z.object({ signedMessage: z.string().describe('hexadecimal') }),
  cost: 20,
})

/** The signed message of one that concerns an L1. More than a read: it makes validators sign. Live services answer with 201. */
export const getAggregatedSignatures = defineOperation({
  name: 'get-aggregated-signatures',
  source: 'document 1, operation 2',
  effect: 'action',
  via: { get: '/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}' },
  params: z.object({ network, txHash: z.string().min(1).describe('of a transaction of the P- or X-Chain') }),
  answer: z.object({ signedMessage: z.string().describe('hexadecimal') }),
  cost: 20,
})
