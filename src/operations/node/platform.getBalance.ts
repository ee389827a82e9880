// platform.getBalance: what addresses hold on the P-Chain.

import { z } from 'zod'
import { integer, optional, orNone, unsigned } from '../fields.ts'
import { defineMethod } from './method.ts'

const amounts = orNone(z.record(z.string(), unsigned))

/**
 * Deprecated as of node version 1.9.12. What is staked is in none of the amounts. The asked node reads all that the
 * addresses own: do not ask often.
 */
export const getBalance = defineMethod({
  name: 'platform.getBalance',
  source: 'document 2, P-Chain interface',
  params: z.object({ addresses: z.array(z.string().min(1)).describe('their holdings are added up') }),
  answer: z.object({
    balance: optional(unsigned).describe('of the staking token, in its smallest unit, as are the three that follow'),
    unlocked: orNone(unsigned),
    lockedStakeable: orNone(unsigned).describe('cannot be sent yet, but staked'),
    lockedNotStakeable: orNone(unsigned).describe('can neither be sent yet nor staked'),
    balances: amounts.describe('by asset id'),
    unlockeds: amounts,
    lockedStakeables: amounts,
    lockedNotStakeables: amounts,
    utxoIDs: optional(z.array(z.object({ txID: optional(z.string()), outputIndex: optional(integer) }))).describe(
      'what the amounts are made of; null on live nodes when there is nothing',
    ),
  }),
  // 100,000 outputs.
  maxBytes: 16 * 1024 * 1024,
})
