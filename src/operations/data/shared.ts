// What several operations of the data service share: auto-renewed validations, amounts and prices.

import { z } from 'zod'
import { count, optional, orNone, percent, timestamp, unsigned, word, decimalPlaces, measure } from '../fields.ts'

/** `fixed` or `autoRenewed`; of the latter, the period and the amount next to it are those of the current period. */
export const stakingType = optional(word).describe('fixed or autoRenewed')

/** How an auto-renewed validation goes on (ACP-236); the SDK types it. */
export const autoRenew = z.object({
  state: optional(word).describe('renewing, exiting (this period is the last one), exited or aborted'),
  nextPeriodSeconds: orNone(count).describe('0 when it leaves after this period'),
  autoCompoundSharePercent: optional(percent).describe('of the rewards that are staked again'),
  compoundedWeight: orNone(unsigned).describe('own stake with all rewards that were staked again, in nAVAX'),
  accruedValidationRewards: optional(unsigned).describe('that were staked again in earlier periods, in nAVAX'),
  accruedDelegateeRewards: optional(unsigned).describe('that were staked again in earlier periods, in nAVAX'),
  validationRewardAddresses: optional(z.array(z.string())),
  delegationRewardAddresses: optional(z.array(z.string())),
  exitReason: optional(word).describe('graceful or uptime_not_met, once it is over'),
  endedAtTimestamp: optional(timestamp),
})

/** Document 1, AssetAmount, without what only balances have. */
export const assetAmount = z.object({
  assetId: orNone(z.string()),
  name: optional(z.string()),
  symbol: optional(z.string()),
  denomination: decimalPlaces,
  type: optional(z.string()),
  amount: unsigned.describe('in the smallest unit'),
})

/** Document 1, AssetAmount: `Price`. The document gives a text, live services a number. */
export const price = z.object({ currencyCode: optional(z.string()), value: measure })
