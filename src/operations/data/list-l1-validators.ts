// List L1 validators: those that pay by the second, with what is left of their balances, of one L1 or of all.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import {
  count,
  flag,
  listOf,
  nextPageToken,
  optional,
  pageToken,
  orNone,
  timestamp,
  unsigned,
  word,
} from '../fields.ts'
import { network, pageSize } from './parameters.ts'

const owner = z.object({ addresses: z.array(z.string()), threshold: optional(count) })

const validator = z.object({
  validationId: word.min(1).describe('until its weight is 0'),
  validationIdHex: optional(z.string()),
  nodeId: word.min(1),
  subnetId: z.string().min(1),
  weight: unsigned.describe('0: it has left the L1'),
  remainingBalance: unsigned.describe('in the smallest unit, at blockHeight; 0: it is inactive'),
  creationTimestamp: optional(timestamp),
  blsCredentials: optional(z.object({ publicKey: optional(z.string()), proofOfPossession: optional(z.string()) })),
  remainingBalanceOwner: optional(owner).describe('gets what is left when it is disabled or removed'),
  deactivationOwner: optional(owner).describe('may disable it'),
})

/**
 * Validators from before the conversion of an L1 have no balance and are not among them. The SDK types weight and balance
 * as numbers; services of the same form have been seen to write them as texts.
 */
export const listL1Validators = defineOperation({
  name: 'list-l1-validators',
  source: "the data service's own interface, l1Validators",
  via: { get: '/v1/networks/{network}/l1Validators' },
  params: z.object({
    network,
    subnetId: z.string().min(1).optional().describe('only of this L1; default: of all'),
    nodeId: z.string().min(1).optional().describe('only those of this node'),
    l1ValidationId: z.string().min(1).optional().describe('only this validation'),
    includeInactiveL1Validators: flag.optional().describe('those without a balance as well'),
    pageToken,
    pageSize,
  }),
  answer: z.object({
    nextPageToken,
    validators: listOf(validator),
    blockHeight: orNone(unsigned).describe('of the P-Chain block that the balances are of'),
  }),
  items: 'validators',
  integers: 'exact',
  isOptional: true,
  cost: 20,
})
