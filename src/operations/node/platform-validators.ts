// Who validates, by the P-Chain.

import { z } from 'zod'
import { optional, orNone, percent, timestamp, uint64, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

/** Who may spend what a P-Chain record names, as nodes give it. */
const owner = z.object({
  locktime: optional(unsigned),
  threshold: optional(unsigned),
  addresses: optional(z.array(z.string())),
})

const delegator = z.object({
  txID: optional(z.string()),
  startTime: orNone(timestamp),
  endTime: orNone(timestamp),
  weight: orNone(unsigned),
  nodeID: optional(z.string()),
  rewardOwner: optional(owner),
  potentialReward: optional(unsigned),
})

/** The documents spell the proof's key in one way and live nodes in another: both are read. */
const signer = z.object({
  publicKey: optional(z.string()),
  proofOfPosession: optional(z.string()),
  proofOfPossession: optional(z.string()),
})

const validator = z.object({
  nodeID: z.string().min(1),
  txID: optional(z.string()),
  startTime: orNone(timestamp),
  endTime: orNone(timestamp).describe('absent for L1 validators'),
  weight: orNone(unsigned),
  validationID: orNone(z.string()).describe('L1 validators only'),
  publicKey: optional(z.string()),
  minNonce: orNone(unsigned),
  balance: orNone(unsigned).describe('L1 validators only; 0 when inactive'),
  potentialReward: orNone(unsigned),
  accruedDelegateeReward: optional(unsigned).describe('live nodes only'),
  delegationFee: orNone(percent).describe('percent'),
  uptime: orNone(percent).describe('percent, 0 to 100, as the asked node sees it; primary network only'),
  connected: orNone(z.boolean()).describe('to the asked node; primary network only'),
  delegatorCount: orNone(unsigned),
  delegatorWeight: orNone(unsigned),
  signer: optional(signer),
  remainingBalanceOwner: optional(owner),
  deactivationOwner: optional(owner),
  validationRewardOwner: optional(owner),
  delegationRewardOwner: optional(owner),
  delegators: orNone(z.array(delegator)).describe('only when exactly one node id was asked for'),
  nextPeriod: orNone(unsigned).describe(
    'seconds; absent for a fixed term; auto-renewed validators on recent live nodes',
  ),
  autoCompoundRewardShares: optional(unsigned).describe('millionths; auto-renewed validators on recent live nodes'),
  validatorAuthority: optional(owner).describe('auto-renewed validators on recent live nodes'),
})

/**
 * The validators of a subnet, as the asked node knows them. An unknown subnet answers with an empty list. Ids that are not
 * among the current validators are left out.
 */
export const getCurrentValidators = defineMethod({
  name: 'platform.getCurrentValidators',
  source: 'document 2, P-Chain interface and Validator record',
  params: z.object({
    subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network'),
    nodeIDs: z.array(z.string().min(1)).optional().describe('only these nodes; default: all'),
  }),
  answer: z.object({ validators: z.array(validator) }),
  items: 'validators',
  // 100,000 validators of up to 1,340 bytes; those of a real node have up to 1,120.
  maxBytes: 128 * 1024 * 1024,
})

/**
 * One L1 validator by the id of its validation. The balance is as of the last block of the node, as in
 * platform.getCurrentValidators.
 */
export const getL1Validator = defineMethod({
  name: 'platform.getL1Validator',
  params: z.object({ validationID: z.string().min(1).describe('id of the validation') }),
  answer: z.object({
    subnetID: z.string(),
    nodeID: z.string(),
    weight: unsigned,
    startTime: optional(timestamp),
    validationID: optional(z.string()),
    publicKey: optional(z.string()),
    minNonce: optional(unsigned),
    balance: unsigned.describe('0 when inactive; in the smallest unit'),
    remainingBalanceOwner: optional(owner),
    deactivationOwner: optional(owner),
    height: optional(unsigned).describe('of the last block'),
  }),
  notFound: /^fetching L1 validator "\w+" failed: not found$/,
})

/**
 * The weights with which consensus counts. By node id. The empty node id has the weight of all inactive L1 validators. A
 * subnet that the node does not know has no validators. Nodes work out the sets of past heights step by step from the newest
 * one, which may take minutes for old ones.
 */
export const getValidatorsAt = defineMethod({
  name: 'platform.getValidatorsAt',
  params: z.object({
    height: z
      .union([uint64, z.enum(['proposed'])])
      .default('proposed')
      .describe('of the P-Chain; or proposed, the one whose validators would sign the next block'),
    subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network'),
  }),
  // A weight that cannot be read is unknown, and its record stays: a node without a record has none.
  answer: z.record(
    z.string(),
    orNone(
      z.object({
        publicKey: optional(z.string()),
        weight: optional(unsigned).describe('own and delegated stake, or weight'),
      }),
    ),
  ),
  // As many validators as the current ones may be, of up to 200 bytes each.
  maxBytes: 32 * 1024 * 1024,
})
