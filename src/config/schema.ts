// The configuration file: every key that exists, its form and its default; what is watched in a network stands in
// targets.ts. Keys are named as in the file. The descriptions are what an editor shows beside a key.

import { z } from 'zod'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import type { Clash } from './clash.ts'
import { clashesWithin, networkClashes, PRIMARY_NETWORK_NAME } from './clashes.ts'
import { amount, currency, duration, durationUpTo, key, name, nodeId, text, time, url, wholeNumber } from './forms.ts'
import { chain, icm, probe, subnet, validator, wallet } from './targets.ts'

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
