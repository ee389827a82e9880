// The UTXO of a primary network chain, as lists of UTXOs and transactions give it.

import { z } from 'zod'
import { flag, integer, optional, telling, timestamp, unsigned, word } from '../fields.ts'
import { assetAmount } from './asset.ts'

/** Anybody can lock an output until the end of time, which is beyond 2^53. Absent: not locked. */
const locktime = unsigned.describe('Unix time in seconds')

/** Live X- and C-Chain alone. */
export const credential = z.object({ signature: optional(z.string()), publicKey: optional(z.string()) })

/**
 * Document 1, Utxo. Of the X- and C-Chain live services give another shape: the amount stands in `asset` alone, and the
 * last fields here take the place of those that are left out.
 */
export const utxo = z.object({
  utxoId: z.string().min(1),
  addresses: telling(z.array(z.string())),
  asset: telling(assetAmount),
  amount: telling(unsigned).describe('in the smallest unit'),
  assetId: telling(z.string()),
  createdOnChainId: telling(z.string()),
  consumedOnChainId: telling(z.string()),
  txHash: optional(z.string()).describe('of the transaction that made it'),
  outputIndex: optional(integer),
  blockNumber: optional(unsigned),
  blockTimestamp: optional(timestamp),
  consumingTxHash: telling(z.string()).describe('absent: unspent'),
  consumingBlockNumber: telling(unsigned),
  consumingBlockTimestamp: telling(timestamp),
  platformLocktime: telling(locktime),
  stakeableLocktime: telling(locktime),
  threshold: optional(integer),
  staked: telling(flag),
  rewardType: optional(word).describe('VALIDATOR, and on live services DELEGATOR, VALIDATOR_FEE: an open set'),
  utxoType: telling(word).describe('STAKE, and on live services TRANSFER: an open set'),
  utxoStartTimestamp: optional(timestamp),
  utxoEndTimestamp: telling(timestamp),
  utxoBytes: optional(z.string()),
  creationTxHash: optional(z.string()),
  timestamp: optional(timestamp),
  locktime: telling(locktime),
  consumingTxTimestamp: optional(timestamp),
  groupId: optional(integer),
  payload: optional(z.string()),
  credentials: optional(z.array(credential)),
})
