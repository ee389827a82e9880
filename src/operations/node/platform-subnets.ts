// What the P-Chain says about subnets, their blockchains and their tokens, and about addresses.

import { z } from 'zod'
import { integer, optional, orNone, unsigned, word } from '../fields.ts'
import { defineMethod } from './method.ts'

const amounts = orNone(z.record(z.string(), unsigned))

/**
 * What addresses hold on the P-Chain. Deprecated as of node version 1.9.12. What is staked is in none of the amounts. The
 * asked node reads all that the addresses own: do not ask often.
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

const blockchain = z.object({
  id: z.string().min(1),
  name: optional(word).describe('chosen by its creator; not unique'),
  subnetID: orNone(word).describe('the subnet that validates it'),
  vmID: optional(word).describe('its virtual machine'),
})

/**
 * Every blockchain but the P-Chain, of all subnets. Deprecated as of node version 1.9.12. Hundreds of records that hardly
 * change.
 */
export const getBlockchains = defineMethod({
  name: 'platform.getBlockchains',
  source: 'document 2, P-Chain interface and Blockchain record',
  answer: z.object({ blockchains: z.array(blockchain) }),
  items: 'blockchains',
})

/**
 * What the asked node does with a blockchain. Live nodes always say Syncing for the P-Chain, and for any chain they run
 * without validating it: it does not mean that they are behind. The set of states is open.
 */
export const getBlockchainStatus = defineMethod({
  name: 'platform.getBlockchainStatus',
  source: 'document 2, P-Chain interface and States',
  params: z.object({ blockchainID: z.string().min(1).describe('blockchain id; live nodes take an alias as well') }),
  answer: z.object({ status: z.string().describe('Validating, Created, Preferred, Syncing or Unknown') }),
})

/**
 * An upper bound on the tokens that can stake a subnet. Burnt tokens, fees among them, are not deducted. A subnet without
 * supply of its own answers with an error that ends in `not found`. Live nodes add the height.
 */
export const getCurrentSupply = defineMethod({
  name: 'platform.getCurrentSupply',
  source: 'document 2, P-Chain interface',
  params: z.object({ subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network') }),
  answer: z.object({
    supply: unsigned.describe('in the smallest unit of the staking token'),
    height: optional(unsigned).describe('live nodes only: the height at which it holds'),
  }),
  notFound: /not found$/,
  notFoundLasts: true,
})

/** The least that a validator and a delegator have to stake. A subnet without a staking token of its own has none. */
export const getMinStake = defineMethod({
  name: 'platform.getMinStake',
  params: z.object({ subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network') }),
  answer: z.object({
    minValidatorStake: unsigned.describe('in the smallest unit'),
    minDelegatorStake: unsigned.describe('in the smallest unit'),
  }),
  notFound: /^failed fetching subnet transformation for \w+: not found$/,
  notFoundLasts: true,
})

/**
 * Who owns a subnet, and who decides on its validators. After the conversion to an L1 the old owner stays. The primary network
 * does not count as a subnet here.
 */
export const getSubnet = defineMethod({
  name: 'platform.getSubnet',
  params: z.object({ subnetID: z.string().min(1).describe('the subnet') }),
  answer: z.object({
    isPermissioned: z.boolean().describe('whether the owner adds validators'),
    controlKeys: z.array(z.string()).describe('addresses of the owner'),
    threshold: unsigned.describe('number of keys that have to sign'),
    locktime: optional(unsigned),
    subnetTransformationTxID: optional(word).describe('the empty id unless it has a staking token of its own'),
    conversionID: word.describe('of the conversion to an L1; the empty id for a permissioned subnet'),
    managerChainID: word.describe('the chain with the contract that manages the validators; the empty id without one'),
    managerAddress: orNone(word).describe('of that contract, hexadecimal'),
  }),
  notFound: /is(?: not|n't) a subnet$/,
  notFoundLasts: true,
})

/**
 * The weight of all validators of a subnet. On the primary network it is own and delegated stake. A subnet that the node does
 * not know has 0.
 */
export const getTotalStake = defineMethod({
  name: 'platform.getTotalStake',
  params: z.object({ subnetID: z.string().min(1).optional().describe('the subnet; default: the primary network') }),
  answer: z.object({
    weight: unsigned.describe('inactive L1 validators count as well; on the primary network in the smallest unit'),
    stake: optional(unsigned).describe('the same, by its old name'),
  }),
})
