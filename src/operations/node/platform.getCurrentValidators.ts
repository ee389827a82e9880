// platform.getCurrentValidators: the validators of a subnet, as the asked node knows them.

import { z } from 'zod'
import { optional, percent, orNone, timestamp, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'
import { owner } from './owner.ts'

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

/** An unknown subnet answers with an empty list. Ids that are not among the current validators are left out. */
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
