// The UTXO of a primary network chain, as lists of UTXOs and transactions give it.

import { z } from 'zod'
import { flag, integer, optional, orNone, timestamp, unsigned, word } from '../fields.ts'
import { assetAmount } from './asset.ts'

/** The owner of an output may choose any time, even beyond 2^53. Absent: not locked. */
const locktime = unsigned.describe('Unix time in seconds')

/** Only live services have these, for the X- and C-Chain. */
export const credential = z.object({ signature: optional(z.string()), publicKey: optional(z.string()) })

/**
 * Document 1, Utxo. For the X- and C-Chain live services give another shape: only `asset` has the amount, and the last
 * fields here replace some of the others.
 */
export const utxo = z.object({
  utxoId: z.string().min(1),
  addresses: orNone(z.array(z.string())),
  asset: orNone(assetAmount),
  amount: orNone(unsigned).describe('in the smallest unit'),
  assetId: orNone(z.string()),
  createdOnChainId: orNone(z.string()),
  consumedOnChainId: orNone(z.string()),
  txHash: optional(z.string()).describe('of the transaction that made it'),
  outputIndex: optional(integer),
  blockNumber: optional(unsigned),
  blockTimestamp: optional(timestamp),
  consumingTxHash: orNone(z.string()).describe('absent: unspent'),
  consumingBlockNumber: orNone(unsigned),
  consumingBlockTimestamp: orNone(timestamp),
  platformLocktime: orNone(locktime),
  stakeableLocktime: orNone(locktime),
  threshold: optional(integer),
  staked: orNone(flag),
  rewardType: optional(word).describe('VALIDATOR, and on live services DELEGATOR, VALIDATOR_FEE: an open set'),
  utxoType: orNone(word).describe('STAKE, and on live services TRANSFER: an open set'),
  utxoStartTimestamp: optional(timestamp),
  utxoEndTimestamp: orNone(timestamp),
  utxoBytes: optional(z.string()),
  creationTxHash: optional(z.string()),
  timestamp: optional(timestamp),
  locktime: orNone(locktime),
  consumingTxTimestamp: optional(timestamp),
  groupId: optional(integer),
  payload: optional(z.string()),
  credentials: optional(z.array(credential)),
})
