// The configuration file: every key that exists, its form and its default. Keys are named as in the file. The
// descriptions are what an editor shows beside a key.

import { z } from 'zod'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { type Clash, clashesWithin, networkClashes, PRIMARY_NETWORK_NAME } from './clashes.ts'
import {
  amount,
  chainId,
  chainReference,
  currency,
  duration,
  durationUpTo,
  evmAddress,
  key,
  name,
  nodeId,
  ratio,
  SHARE,
  subnetId,
  text,
  time,
  url,
  walletAddress,
  wholeNumber,
} from './forms.ts'

const node = z.strictObject({
  name: name.describe('label `source`: whose opinion it is'),
  url: url('http://10.0.0.5:9650', '/ext').describe('base address of the node, without /ext'),
  node_id: nodeId.optional().describe('the validator on this node; its view of itself is left out'),
  index: z.boolean('expected true or false').default(false).describe('the node runs with its index enabled'),
  admin: z
    .enum(['off', 'on', 'forbidden'], 'expected off, on or forbidden')
    .default('off')
    .describe('off: never asked for; on: must answer; forbidden: must not answer'),
})

const dataNetwork = z.enum(['mainnet', 'fuji', 'testnet'], 'expected mainnet, fuji or testnet')

const budget = z.strictObject({
  per_minute: wholeNumber(1, Infinity, 3_000).optional().describe('request units in a minute'),
  per_day: wholeNumber(1, Infinity, 600_000).optional().describe('request units in a day'),
})
const BUDGET = 'what the service allows; `stakewatch check` tells whether it is enough'

const dataApi = z.strictObject({
  url: url('https://data.example', '/v1').describe('base address of the chain data service, without /v1'),
  network: dataNetwork.optional().describe("the service's name of the network; default: the name given here"),
  key: key.optional().describe('API key; better given as key_file'),
  key_header: text(/^[\w!#$%&'*+.^`|~-]+$/, 'expected the name of an HTTP header, such as x-data-api-key')
    .default('x-data-api-key')
    .describe('the header that carries the key'),
  budget: budget.optional().describe(BUDGET),
})

const metricsApi = z.strictObject({
  url: url('https://metrics.example', '/v1').describe('base address of the metrics service, without /v1'),
  budget: budget.optional().describe(BUDGET),
})

/** What a validator is declared to be; each that is given becomes a series of its own. */
const validatorExpectations = z.strictObject({
  reward_addresses: z
    .array(walletAddress, 'expected a list of addresses such as [P-avax1qm0...]')
    .min(1, 'expected at least one address')
    .optional()
    .describe('rewards of validation and of delegation go to these and to no others'),
  delegation_fee: z.number(SHARE).min(0, SHARE).max(1, SHARE).optional().describe('share of the rewards of delegators'),
  min_stake: amount(0, 2_000).optional().describe('own stake in tokens, at least'),
  bls_public_key: text(/^0x[0-9a-f]{96}$/, 'expected a BLS public key: 0x and 96 hexadecimal digits')
    .optional()
    .describe('the key it signs messages with'),
  remaining_balance_owner: z
    .array(walletAddress, 'expected a list of addresses such as [P-avax1qm0...]')
    .min(1, 'expected at least one address')
    .optional()
    .describe('who gets back what is left of the balance; L1 validators'),
  auto_renew: z.boolean('expected true or false').optional().describe('it renews itself at the end of its period'),
})

const validator = z.strictObject({
  node_id: nodeId.describe('id of the node that validates'),
  subnet: name.optional().describe('name of the subnet that it validates; default: the primary network'),
  name: name.optional().describe('label `validator`; default: the node id'),
  required_uptime: ratio.optional().describe('overrides what follows from the start of the stake and upgrade_time'),
  expect: validatorExpectations.default({}).describe('what must be true of it'),
})

const subnet = z.strictObject({
  id: subnetId.describe('id of the subnet'),
  name: name.optional().describe('label `subnet`; default: the id'),
  validators: z
    .enum(['tracked', 'all'], 'expected tracked or all')
    .default('tracked')
    .describe('series of those listed under validators, or of every validator in the set'),
})

const chainExpectations = z.strictObject({
  status: z
    .enum(['validating', 'created', 'preferred', 'syncing', 'unknown'], 'expected a status such as validating')
    .optional()
    .describe('what every configured node says it does with the chain'),
  gas_limit: wholeNumber(1, Infinity, 15_000_000).optional().describe('of a block, in its genesis'),
  target_gas: wholeNumber(1, Infinity, 15_000_000).optional().describe('the gas that fees steer at, in its genesis'),
  min_base_fee: wholeNumber(0, Infinity, 25_000_000_000)
    .optional()
    .describe('in the smallest unit of its own token, in its genesis'),
})

const chain = z.strictObject({
  id: chainId.describe('p-chain, x-chain, c-chain or a blockchain id'),
  name: name.optional().describe('label `chain`; default: the id'),
  evm_chain_id: wholeNumber(1, Infinity, 43_114)
    .optional()
    .describe('number of an EVM chain; without it there are no metrics of its blocks and transactions'),
  decimals: wholeNumber(0, 36, 18).default(18).describe("decimal places of the EVM chain's own token"),
  stall_after: durationUpTo(7 * 86_400_000, '7d')
    .optional()
    .describe('without a new block for so long the chain counts as stalled; from 1s to 7d'),
  expect: chainExpectations.default({}).describe('what must be true of it'),
})

const ADDRESSES = 'expected a list of addresses such as [P-avax1qm0...]'
const wallet = z.strictObject({
  name: name.describe('label `address`'),
  addresses: z
    .array(walletAddress, ADDRESSES)
    .min(1, ADDRESSES)
    .describe('the addresses of one wallet: what they have is added up'),
  chains: z
    .array(name, 'expected a list of names of chains, such as [c-chain]')
    .default([])
    .describe('of a wallet of 0x addresses: the EVM chains to look at, by their names below chains'),
  tokens: z
    .record(evmAddress, name, 'expected tokens such as { "0x...": USDC }')
    .default({})
    .describe('ERC-20 tokens by the addresses of their contracts: label `token`'),
  min_balance: amount(0, 100)
    .optional()
    .describe('tokens that can be spent at once, at least; on each chain of its own'),
  expect: z
    .strictObject({
      outgoing: z.literal('none', 'expected none').optional().describe('nothing may leave the wallet'),
    })
    .default({})
    .describe('what must be true of it'),
})

const route = z.strictObject({
  name: name.describe('label `route`'),
  from: chainReference.describe('where messages come from: an EVM chain id or a blockchain id'),
  to: chainReference.describe('where they go to'),
})

const icm = z.strictObject({
  routes: z.array(route, 'expected a list of routes').default([]).describe('pairs of chains to watch messages between'),
  lookback: durationUpTo(30 * 86_400_000, '30d')
    .prefault('24h')
    .describe('a message that is still pending after this counts as abandoned; from 1s to 30d'),
})

const HEX = 'expected hexadecimal digits, with or without 0x'
const probe = z.strictObject({
  name: name.describe('label `probe`'),
  message: text(/^(0x)?([0-9a-fA-F]{2})+$/, HEX)
    .optional()
    .describe('unsigned message to be signed'),
  justification: text(/^(0x)?([0-9a-fA-F]{2})+$/, HEX)
    .optional()
    .describe('why it should be signed'),
  signing_subnet: subnetId.optional().describe("whose validators sign; default: those of the message's source"),
  quorum: wholeNumber(0, 100, 67).default(67).describe('percentage of the weight that must sign'),
  tx: text(/^[1-9A-HJ-NP-Za-km-z]{30,60}$/, 'expected a transaction id')
    .optional()
    .describe('instead of a message: a P-Chain transaction of an L1 validator'),
})

/** Defaults of the live main network (ACP-77). */
const l1Fee = z.strictObject({
  target: wholeNumber(1, Infinity, 10_000)
    .default(10_000)
    .describe('the price grows while more L1 validators than this are active'),
  excess_constant: wholeNumber(1, Infinity, 1_246_488_515)
    .default(1_246_488_515)
    .describe('the greater, the slower it grows'),
  min_price: wholeNumber(1, Infinity, 512)
    .default(512)
    .describe('it never falls below this, in the smallest unit per second'),
})

const delegation = z.strictObject({
  factor: amount(1, 5).default(5).describe('own and delegated stake over own stake, at most'),
  max_stake: amount(1, 3_000_000).default(3_000_000).describe('tokens, own and delegated, at most'),
  min_duration: durationUpTo(366 * 86_400_000, '366d')
    .prefault('14d')
    .describe('of one delegation, at least; from 1s to 366d'),
  min_delegation: amount(0, 25).default(25).describe('tokens of one delegation, at least'),
})

const networkKeys = z.strictObject({
  name: name.describe('label `network`'),
  upgrade_time: time.optional().describe('validations that start from here on need 90 % uptime'),
  nodes: z.array(node, 'expected a list of nodes').default([]).describe('nodes to ask'),
  data_api: dataApi.optional().describe('the chain data service'),
  metrics_api: metricsApi.optional().describe('the metrics service'),
  validators: z.array(validator, 'expected a list of validators').default([]).describe('validators to watch'),
  subnets: z
    .array(subnet, 'expected a list of subnets')
    .default([])
    .describe('subnets beside the primary network, which is always watched'),
  chains: z.array(chain, 'expected a list of chains').default([]).describe('chains to watch'),
  addresses: z.array(wallet, 'expected a list of wallets').default([]).describe('wallets to watch'),
  l1_fee: l1Fee.prefault({}).describe("the network's price of L1 validation; default: that of mainnet"),
  delegation: delegation.prefault({}).describe("the network's limits of delegation; default: those of mainnet"),
  currency: currency.default('usd').describe('of values and prices'),
  icm: icm.prefault({}).describe('messages between chains'),
  signature_probes: z
    .array(probe, 'expected a list of probes')
    .default([])
    .describe('messages whose signing is tried; only with the collector signature-probe turned on'),
})

type NetworkKeys = z.output<typeof networkKeys>

/** Also when other things are wrong: the operator is to see everything at once. */
const always = { when: () => true }

const network = networkKeys
  .superRefine((given, context) => report(context, [...clashesWithin(given), ...unknownToDataApi(given)]), always)
  .transform(withNames)

const NETWORKS = 'expected a list with at least one network'
const networks = z
  .array(network, NETWORKS)
  .min(1, NETWORKS)
  .superRefine((given, context) => report(context, networkClashes(given)), always)

const collector = z.strictObject({
  enabled: z.boolean().optional().describe('false turns the collector off; some are off unless it is true'),
  every: duration.optional().describe("the interval, from 1s to 7d; default: the collector's own"),
  max_series: wholeNumber(1, Infinity, 100_000)
    .optional()
    .describe('more series than these are dropped, those of what is not tracked first; default: 100000'),
})

const TTL = 'expected a number of intervals, at least 1, such as 3'
const defaults = z.strictObject({
  timeout: duration.prefault('10s').describe('one request, retries included; from 1s to 7d'),
  ttl: z.number(TTL).min(1, TTL).default(3).describe('how many intervals an answer stays valid; at least 5 minutes'),
})

/** `collectors` are the names that may be configured. */
export function configSchema(collectors: readonly string[]) {
  return z.strictObject({
    networks: networks.describe('what is watched; at least one network'),
    defaults: defaults.prefault({}).describe('for all collectors'),
    collectors: z
      .strictObject(Object.fromEntries(collectors.map((key) => [key, collector.optional()])))
      .prefault({})
      .describe('by name; one that is not named here runs with its own interval'),
  })
}

export type Config = z.output<ReturnType<typeof configSchema>>
export type Network = z.output<typeof network>
export type Chain = Network['chains'][number]
export type Wallet = Network['addresses'][number]
export type Validator = Network['validators'][number]

/** Names that become labels fall back to ids; the primary network is always among the subnets. */
function withNames(given: NetworkKeys) {
  const named = <T extends { id: string; name?: string | undefined }>(item: T) => ({
    ...item,
    name: item.name ?? item.id,
  })
  return {
    ...given,
    data_api: given.data_api && { ...given.data_api, network: dataNetwork.parse(given.data_api.network ?? given.name) },
    validators: given.validators.map((item) => ({
      ...item,
      name: item.name ?? item.node_id,
      subnet: item.subnet ?? PRIMARY_NETWORK_NAME,
    })),
    subnets: [
      { id: PRIMARY_NETWORK_ID, name: PRIMARY_NETWORK_NAME, validators: 'tracked' as const },
      ...given.subnets.map(named),
    ],
    chains: given.chains.map(named),
  }
}

/** The data service knows three networks: one of another name must say which of them it is. */
function unknownToDataApi(given: unknown): Clash[] {
  const { name: called, data_api } = Object(given) as Readonly<Record<string, unknown>>
  if (typeof data_api !== 'object' || data_api === null || Array.isArray(data_api) || 'network' in data_api) return []
  if (!name.safeParse(called).success || dataNetwork.safeParse(called).success) return []
  const message = 'expected mainnet, fuji or testnet: the data service does not know this network by its name'
  return [{ path: ['data_api', 'network'], message }]
}

function report(context: z.core.$RefinementCtx, clashes: readonly Clash[]): void {
  for (const { path, message } of clashes) context.addIssue({ code: 'custom', path, message })
}
