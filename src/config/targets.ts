// The keys of watched things and their expectations: validators, subnets, chains, wallets, message routes and probes.

import { z } from 'zod'
import * as form from './forms.ts'

const ADDRESSES = 'expected a list of addresses such as [P-avax1qm0...]'
const owner = z.array(form.ownerAddress, ADDRESSES).min(1, ADDRESSES)

const EXPECT = 'what must be true of it; each part becomes a series of its own'

const validatorExpectations = z.strictObject({
  reward_addresses: owner
    .optional()
    .describe('the only addresses that may receive its validation and delegation rewards'),
  delegation_fee: form.share.optional().describe('share of the rewards of its delegators'),
  min_stake: form.amount(0, form.MOST_TOKENS, 2_000).optional().describe('minimum own stake, in tokens'),
  bls_public_key: form.blsKey.optional().describe('the key that it signs messages with'),
  remaining_balance_owner: owner
    .optional()
    .describe('the only addresses that may receive its remaining balance; L1 validators only'),
  auto_renew: z
    .boolean('expected true or false')
    .optional()
    .describe('whether it renews itself at the end of its period'),
})

export const validator = z.strictObject({
  node_id: form.nodeId.describe('id of the node that validates'),
  subnet: form.name.optional().describe('name of the subnet that it validates; default: the primary network'),
  name: form.name.optional().describe('label `validator`; default: the node id'),
  required_uptime: form.ratio
    .optional()
    .describe('overrides the value derived from the start of the stake and upgrade_time'),
  planned_end: form.time
    .optional()
    .describe('its validation ends at this time as planned, without an alert; default: it continues'),
  expect: validatorExpectations.default({}).describe(EXPECT),
})

export const subnet = z.strictObject({
  id: form.subnetId.describe('id of the subnet'),
  name: form.name.optional().describe('label `subnet`; default: the id'),
  validators: z
    .enum(['tracked', 'all'], 'expected tracked or all')
    .default('tracked')
    .describe('series of those listed under validators, or of every validator in the set'),
})

const chainExpectations = z.strictObject({
  status: z
    .enum(
      ['validating', 'created', 'preferred', 'syncing', 'unknown'],
      'expected validating, created, preferred, syncing or unknown',
    )
    .optional()
    .describe(
      'status of the chain on the nodes; validating is only expected of nodes listed as validators of its subnet',
    ),
  gas_limit: form
    .wholeNumberFrom(1, form.MOST_UNITS, 15_000_000)
    .optional()
    .describe('gas limit of a block, from its genesis'),
  target_gas: form
    .wholeNumberFrom(1, form.MOST_UNITS, 15_000_000)
    .optional()
    .describe('gas target of the fees, from its genesis'),
  min_base_fee: form
    .wholeNumberFrom(0, form.MOST_UNITS, 25_000_000_000)
    .optional()
    .describe('of its own token in the smallest unit, by its genesis'),
})

export const chain = z.strictObject({
  id: form.chainId.describe('p-chain, x-chain, c-chain or a blockchain id'),
  name: form.name.optional().describe('label `chain`; default: the id'),
  evm_chain_id: form
    .wholeNumberFrom(1, Number.MAX_SAFE_INTEGER, 43_114)
    .optional()
    .describe('number of an EVM chain; without it there are no metrics of its blocks and transactions'),
  decimals: form.wholeNumber(0, 36, 18).default(18).describe("decimal places of the EVM chain's own token"),
  stall_after: form
    .durationUpTo(7 * 86_400_000, '7d')
    .optional()
    .describe('time without a new block after which the chain counts as stalled; from 1s to 7d'),
  expect: chainExpectations.default({}).describe(EXPECT),
})

const walletExpectations = z.strictObject({
  outgoing: z
    .enum(['none'], 'expected none')
    .optional()
    .describe(
      'none: no outflow is allowed; for 0x addresses this covers configured tokens, and exports from the C-Chain',
    ),
})

export const wallet = z.strictObject({
  name: form.name.describe('label `address`'),
  addresses: z
    .array(form.walletAddress, ADDRESSES)
    .min(1, ADDRESSES)
    .describe('the addresses of one wallet; their balances are added up'),
  chains: z
    .array(form.name, 'expected a list of names of chains, such as [c-chain]')
    .default([])
    .describe('for 0x addresses: names of the EVM chains to watch, from chains'),
  tokens: z
    .record(form.tokenAddress, form.name, form.TOKENS)
    .default({})
    .describe('for 0x addresses: names of ERC-20 tokens (label `token`) by contract address'),
  min_balance: form
    .amount(0, form.MOST_TOKENS, 100)
    .optional()
    .describe('minimum spendable tokens, on each of its chains'),
  expect: walletExpectations.default({}).describe(EXPECT),
})

const route = z.strictObject({
  name: form.name.describe('label `route`'),
  from: form.chainReference.describe('source chain: a blockchain id, or the number of an EVM chain'),
  to: form.chainReference.describe('destination chain'),
  address: form.evmAddress.optional().describe('only messages that this address sends or receives; default: all'),
})

export const icm = z.strictObject({
  routes: z.array(route, 'expected a list of routes').default([]).describe('pairs of chains to watch messages between'),
  lookback: form
    .durationUpTo(30 * 86_400_000, '30d')
    .prefault('24h')
    .describe('a message that is still pending after this counts as abandoned; from 1s to 30d'),
})

export const probe = z.strictObject({
  name: form.name.describe('label `probe`'),
  message: form.hexadecimal.optional().describe('the unsigned message, hexadecimal'),
  justification: form.hexadecimal.optional().describe('why it may be signed, hexadecimal'),
  signing_subnet: form.subnetId.optional().describe("whose validators sign; default: those of the message's source"),
  quorum: form.wholeNumber(0, 100, 67).default(67).describe('percentage of the weight that must sign'),
  tx: form.transactionId.optional().describe('a transaction about an L1 validator, instead of a message'),
})
