// A validation as the data service lists it. Which fields it has depends on its status; the SDK types the others away.

import { z } from 'zod'
import {
  count,
  decimal,
  listOf,
  nextPageToken,
  optional,
  percent,
  orNone,
  timestamp,
  unsigned,
  word,
} from '../fields.ts'
import { autoRenew, stakingType } from './auto-renew.ts'

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

export const validatorsPage = z.object({ nextPageToken, validators: listOf(validatorDetails) })

export const validatorStatus = z
  .enum(['active', 'pending', 'completed', 'removed'])
  .optional()
  .describe('only those in that state; default: all')
