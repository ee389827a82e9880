// Validators and delegators of the primary network, and validators of L1s.

import { z } from 'zod'
import {
  count,
  decimal,
  flag,
  listOf,
  nextPageToken,
  optional,
  orNone,
  pageToken,
  percent,
  timestamp,
  unsigned,
  word,
} from '../fields.ts'
import { autoRenew, stakingType } from './shared.ts'
import { defineOperation } from '../define.ts'
import { areOfNetwork, network, OTHER_NETWORK, pageSize, someAddresses, sortOrder } from './parameters.ts'

const rewards = z.object({
  validationRewardAmount: optional(unsigned),
  delegationRewardAmount: optional(unsigned),
  rewardAddresses: optional(z.array(z.string())),
  rewardTxHash: optional(z.string()),
})

const health = z.object({
  reachabilityPercent: optional(percent).describe('of the requests in the last polling that it answered'),
  benchedPChainRequestsPercent: optional(percent).describe('of those on the P-Chain that it was benched for'),
  benchedXChainRequestsPercent: optional(percent),
  benchedCChainRequestsPercent: optional(percent),
})

const place = z.object({
  city: optional(z.string()),
  country: optional(z.string()),
  countryCode: optional(z.string()),
  latitude: optional(decimal),
  longitude: optional(decimal),
})

/** A validation. Which fields it has depends on its status; the SDK types the others away. */
const validatorDetails = z.object({
  txHash: optional(z.string()),
  nodeId: word.min(1),
  subnetId: orNone(z.string()),
  validationStatus: orNone(word).describe('active, pending, completed or removed'),
  amountStaked: optional(unsigned),
  startTimestamp: optional(timestamp),
  endTimestamp: optional(timestamp),
  stakingType,
  delegationFee: optional(decimal).describe("percent of the delegators' rewards"),
  blsCredentials: optional(z.object({ publicKey: optional(z.string()), proofOfPossession: optional(z.string()) })),
  stakePercentage: optional(percent).describe('of all active stake'),
  delegatorCount: optional(count),
  amountDelegated: optional(unsigned),
  delegationCapacity: optional(unsigned).describe('that can still be delegated to it'),
  uptimePerformance: optional(percent).describe("as the service's own node has seen it"),
  avalancheGoVersion: optional(word),
  validatorHealth: optional(health),
  geolocation: optional(place),
  potentialRewards: optional(rewards).describe('of an active one'),
  rewards: optional(rewards).describe('of a completed one'),
  autoRenew: optional(autoRenew),
  removeTxHash: optional(z.string()),
  removeTimestamp: optional(timestamp),
})

const validatorsPage = z.object({ nextPageToken, validators: listOf(validatorDetails) })

const validatorStatus = z
  .enum(['active', 'pending', 'completed', 'removed'])
  .optional()
  .describe('only those in that state; default: all')

/** Of the primary network and of permissioned subnets, with what the service's own node sees of them. */
export const listValidators = defineOperation({
  name: 'list-validators',
  source: "the data service's own interface, validators",
  via: { get: '/v1/networks/{network}/validators' },
  params: z.object({
    network,
    nodeIds: z.string().min(1).optional().describe('comma-separated node ids'),
    subnetId: z.string().min(1).optional().describe('only of this subnet; default: of all'),
    validationStatus: validatorStatus,
    pageToken,
    pageSize,
  }),
  answer: validatorsPage,
  items: 'validators',
  integers: 'exact',
  isOptional: true,
  cost: 20,
})

/** The validations of one node, the newest first. */
export const getSingleValidatorDetails = defineOperation({
  name: 'get-single-validator-details',
  source: "the data service's own interface, validators",
  via: { get: '/v1/networks/{network}/validators/{nodeId}' },
  params: z.object({
    network,
    nodeId: z.string().min(1),
    validationStatus: validatorStatus,
    sortOrder,
    pageToken,
    pageSize,
  }),
  answer: validatorsPage,
  items: 'validators',
  integers: 'exact',
  isOptional: true,
  cost: 20,
})

const delegation = z.object({
  txHash: z.string().min(1),
  nodeId: word.min(1),
  delegationStatus: orNone(word).describe('active, pending or completed'),
  rewardAddresses: optional(z.array(z.string())),
  amountDelegated: unsigned,
  startTimestamp: optional(timestamp),
  endTimestamp: timestamp,
  delegationFee: optional(decimal).describe('percent of the reward'),
  estimatedGrossReward: optional(unsigned).describe('of one that is not over'),
  estimatedNetReward: optional(unsigned).describe('of one that is not over, less the fee'),
  grossReward: optional(unsigned).describe('of a completed one'),
  netReward: optional(unsigned).describe('of a completed one, less the fee'),
})

/** Delegations to validators of the primary network, by validator or by owner. */
export const listDelegators = defineOperation({
  name: 'list-delegators',
  source: "the data service's own interface, delegators",
  via: { get: '/v1/networks/{network}/delegators' },
  params: z
    .object({
      network,
      nodeIds: z.string().min(1).optional().describe('comma-separated node ids of validators'),
      rewardAddresses: someAddresses,
      delegationStatus: z.enum(['active', 'pending', 'completed']).optional().describe('default: all'),
      sortOrder,
      pageToken,
      pageSize,
    })
    .refine(({ network, rewardAddresses: addresses }) => areOfNetwork({ network, addresses }), {
      ...OTHER_NETWORK,
      path: ['rewardAddresses'],
    }),
  answer: z.object({ nextPageToken, delegators: listOf(delegation) }),
  items: 'delegators',
  integers: 'exact',
  isOptional: true,
  cost: 20,
})

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
 * Those that pay by the second, with what is left of their balances, of one L1 or of all. Validators from before the
 * conversion of an L1 have no balance and are not among them. The SDK types weight and balance as numbers; services of the
 * same form have been seen to write them as texts.
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
