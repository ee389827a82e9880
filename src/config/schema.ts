// The schema of the configuration file: every key with its form and default. Watched things are in targets.ts. Keys are named as
// in the file. Editors show the descriptions.

import { z } from 'zod'
import { entryOf } from '../lib/entry.ts'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { type Clash, mapOf } from './checks/clash.ts'
import { publicClashes } from './checks/public-clashes.ts'
import { clashesWithin, networkClashes, PRIMARY_NETWORK_NAME } from './checks/clashes.ts'
import { alerts, limits } from './alerting.ts'
import * as form from './forms.ts'
import { upstream, whenFine } from './link.ts'
import { maintenanceWindow } from '../maintenance/window.ts'
import { knownNetworks, networkNames, networkOf } from './known-networks.ts'
import { EXPECTED_PRESET, otherThanPreset, presetNames, withPreset } from './presets.ts'
import { publicPage } from './public.ts'
import { chain, icm, probe, subnet, validator, wallet } from './targets.ts'

const node = upstream({
  name: form.name.describe('label `source`'),
  url: form.url('http://10.0.0.5:9650', '/ext').describe('base address of the node, without /ext'),
  node_id: form.nodeId.optional().describe('the validator on this node; its reports about itself are ignored'),
  index: z.boolean('expected true or false').default(false).describe('the node runs with its index enabled'),
  admin: z
    .enum(['off', 'on', 'forbidden'], 'expected off, on or forbidden')
    .default('off')
    .describe('off: never queried; on: must answer; forbidden: must not answer'),
})

const dataNetwork = z.enum(['mainnet', 'fuji', 'testnet'], 'expected mainnet, fuji or testnet')

const MOST_REQUESTS = 1_000_000_000
const budget = z.strictObject({
  per_minute: form.wholeNumberFrom(1, MOST_REQUESTS, 3_000).optional().describe('request units in a minute'),
  per_day: form.wholeNumberFrom(1, MOST_REQUESTS, 600_000).optional().describe('request units in a day'),
})
const BUDGET = 'request budget, never exceeded; default: a fifth more than `stakewatch check` prints'

/** The key may come from a preset: editors do not require it, and null instead of it has two meanings. */
const IN_PRESETS = { inPresets: true }

const dataApi = upstream({
  url: form
    .url('https://data.example', '/v1')
    .describe('base address of the chain data service, without /v1')
    .meta(IN_PRESETS),
  network: dataNetwork
    .optional()
    .describe("the service's name of the network; default: the key network, else the name"),
  key: form.key.optional().describe('API key; better given as key_file'),
  key_header: form.keyHeader.default('x-data-api-key').describe('the header that carries the key'),
  budget: budget.optional().describe(BUDGET),
})

const metricsApi = upstream({
  url: form
    .url('https://metrics.example', '/v1')
    .describe('base address of the metrics service, without /v1')
    .meta(IN_PRESETS),
  budget: budget.optional().describe(BUDGET),
})

/** Defaults are those of the network in known-networks.ts. */
const l1Fee = z.strictObject({
  target: form
    .wholeNumberFrom(1, 1_000_000_000, 10_000)
    .optional()
    .describe('the price grows while more L1 validators than this are active'),
  excess_constant: form
    .wholeNumberFrom(1, form.MOST_UNITS, 1_246_488_515)
    .optional()
    .describe('the greater, the slower it grows'),
  min_price: form
    .wholeNumberFrom(1, form.MOST_UNITS, 512)
    .optional()
    .describe('it never falls below this, in the smallest unit per second'),
})

const delegation = z.strictObject({
  factor: form.amount(1, 1_000, 5).optional().describe('own and delegated stake over own stake, at most'),
  max_stake: form.amount(1, form.MOST_TOKENS, 3_000_000).optional().describe('tokens, own and delegated, at most'),
  min_duration: form
    .durationUpTo(366 * 86_400_000, '366d')
    .optional()
    .describe('of one delegation, at least; from 1s to 366d'),
  min_delegation: form.amount(0, form.MOST_TOKENS, 25).optional().describe('tokens of one delegation, at least'),
})

const networkKeys = z.strictObject({
  name: form.name.describe('label `network`; default: that of the preset').meta(IN_PRESETS),
  preset: z
    .enum(presetNames, EXPECTED_PRESET)
    .optional()
    .describe(
      'provides public URLs, the chains of the primary network, the key header and the budgets without a key; keys in the file take precedence',
    ),
  network: z
    .enum(networkNames, 'expected mainnet, fuji or custom')
    .optional()
    .describe(
      'the known network, for its parameters, addresses and chain ids; default: from the preset, data_api or the name, else custom',
    ),
  upgrade_time: form.time
    .optional()
    .describe('validations that start from here on need 90 % uptime; default: the date of the network, if it has one'),
  nodes: z.array(node, 'expected a list of nodes').default([]).describe('nodes to ask').meta(IN_PRESETS),
  data_api: dataApi.optional().describe('the chain data service'),
  metrics_api: metricsApi.optional().describe('the metrics service'),
  validators: z.array(validator, 'expected a list of validators').default([]).describe('validators to watch'),
  subnets: z
    .array(subnet, 'expected a list of subnets')
    .default([])
    .describe('subnets in addition to the primary network, which is always watched'),
  chains: z.array(chain, 'expected a list of chains').default([]).describe('chains to watch').meta(IN_PRESETS),
  addresses: z.array(wallet, 'expected a list of wallets').default([]).describe('wallets to watch'),
  l1_fee: l1Fee
    .prefault({})
    .describe(
      'price of L1 validation, for nodes that do not report it; defaults are those of mainnet, fuji or a custom network',
    ),
  delegation: delegation
    .prefault({})
    .describe("the network's delegation limits; defaults are those of mainnet, fuji or a custom network"),
  currency: form.currency.default('usd').describe('of values and prices'),
  icm: icm.prefault({}).describe('messages between chains'),
  signature_probes: z
    .array(probe, 'expected a list of probes')
    .default([])
    .describe('test messages to be signed; needs the collector signature-probe, which is off by default'),
  maintenance: z
    .array(maintenanceWindow, 'expected a list of windows')
    .default([])
    .describe('times at which things may be down: alerts that say so are suppressed'),
})

type NetworkKeys = z.output<typeof networkKeys>

/** Runs even if there are other problems, so that the operator sees all of them at once. */
const always = { when: () => true }

const network = z.preprocess(
  withPreset,
  networkKeys
    .superRefine(
      (given, context) =>
        report(context, [...otherThanPreset(mapOf(given)), ...clashesWithin(given), ...unknownToDataApi(given)]),
      always,
    )
    .transform(withNames),
)

const NETWORKS = 'expected a list with at least one network'
const networks = z
  .array(network, NETWORKS)
  .min(1, NETWORKS)
  .superRefine((given, context) => report(context, networkClashes(given)), always)

const collector = z
  .strictObject({
    enabled: z.boolean().optional().describe('false turns the collector off; some are off unless it is true'),
    every: form.duration.optional().describe("the interval, from 1s to 7d; default: the collector's own"),
    schedule: form.schedule
      .optional()
      .describe('cron pattern that replaces the interval; each start polls once as well'),
    timezone: form.timezone.optional().describe('of the schedule; default: UTC'),
    max_series: form
      .wholeNumberFrom(1, 10_000_000, 100_000)
      .optional()
      .describe('maximum number of series; more are dropped, untracked things first; default: 100000'),
  })
  .refine(({ every, schedule }) => every === undefined || schedule === undefined, {
    path: ['schedule'],
    message: 'expected without every: remove one of the two',
  })
  .refine(({ timezone, schedule }) => timezone === undefined || schedule !== undefined, {
    path: ['timezone'],
    message: 'expected with schedule alone: remove it',
  })

const TTL = 'expected a number of intervals, at least 1, such as 3'
const defaults = z.strictObject({
  timeout: form.durationUpTo(600_000, '10m').prefault('10s').describe('one request, retries included; from 1s to 10m'),
  ttl: z
    .number(TTL)
    .min(1, TTL)
    .max(1_000, 'expected at most 1000 intervals')
    .default(3)
    .describe(
      'intervals for which a value stays without a new answer; at least 5 minutes, and 2.4 intervals plus the maximum age that the collector accepts',
    ),
})

const schemas = new WeakMap<readonly string[], ReturnType<typeof createSchema>>()

/** `collectors` are the names that may be configured: the same list has the same schema, so that a reload compiles none. */
export function configSchema(collectors: readonly string[]) {
  return entryOf(schemas, collectors, () => createSchema(collectors))
}

function createSchema(collectors: readonly string[]) {
  const keys = z.strictObject({
    networks: networks.describe('what is watched; at least one network'),
    public: publicPage
      .optional()
      .describe('the page at /public, which shows delegators these validators; default: none'),
    defaults: defaults.prefault({}).describe('for all collectors'),
    collectors: z
      .strictObject(Object.fromEntries(collectors.map((key) => [key, collector.optional()])))
      .prefault({})
      .describe('settings by collector name; other collectors use their defaults'),
    limits: limits
      .prefault({})
      .describe('other limits of alerts, by name; docs/alerting.md lists them with their reasons'),
    alerts: alerts
      .prefault({})
      .describe('by alert: how long its problem must last; `stakewatch alerts` prints the rules'),
  })
  return keys.superRefine(({ networks, public: page }, context) => {
    // A validator with a wrong name would be unknown here as well.
    if (page) report(context, publicClashes(networks, page))
  }, whenFine)
}

export type Config = z.output<ReturnType<typeof configSchema>>
export type Network = z.output<typeof network>
/** The settings of a network without its lists of watched things. */
export type Facts = Pick<
  Network,
  'name' | 'preset' | 'network' | 'network_id' | 'upgrade_time' | 'l1_fee' | 'delegation' | 'currency'
> & { data_api?: Pick<NonNullable<Network['data_api']>, 'network'> | undefined }
export type Chain = Network['chains'][number]
export type Wallet = Network['addresses'][number]
export type Validator = Network['validators'][number]

/** Names that become labels fall back to ids; the primary network is always among the subnets. */
function withNames(given: NetworkKeys) {
  const named = <T extends { id: string; name?: string | undefined }>(item: T) => ({
    ...item,
    name: item.name ?? item.id,
  })
  const network = networkOf(given)
  const known = knownNetworks[network]
  return {
    ...given,
    network,
    network_id: known.network_id,
    upgrade_time: given.upgrade_time ?? known.upgrade_time,
    l1_fee: filled(known.l1_fee, given.l1_fee),
    delegation: filled(known.delegation, given.delegation),
    data_api: given.data_api && { ...given.data_api, network: dataNetworkOf(given, given.data_api) },
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

/** Omits the key instead of setting it to undefined. */
function filled<T extends object>(known: T, given: { [K in keyof T]?: T[K] | undefined }): T {
  return { ...known, ...(given as Partial<T>) }
}

/** The network under the operator's name for it: Fuji has two. */
function dataNetworkOf({ name, network }: NetworkKeys, { network: said }: NonNullable<NetworkKeys['data_api']>) {
  return dataNetwork.parse(said ?? network ?? name)
}

/** The data service knows three networks: one of another name must say which of them it is, and only once. */
function unknownToDataApi(given: unknown): Clash[] {
  const { name: called, network: known, preset, data_api } = mapOf(given)
  const { network: said } = mapOf(data_api)
  if (data_api === undefined || mapOf(data_api) !== data_api) return []
  const refuse = (message: string) => [{ path: ['data_api', 'network'], message }]
  if (said !== undefined) {
    const isOther =
      dataNetwork.safeParse(said).success && networkOf({ name: said }) !== networkOf({ network: known, name: said })
    const other = preset === undefined ? 'the key network says' : 'that of the preset'
    return isOther ? refuse(`is another network than ${other}: correct one of the two`) : []
  }
  if (known !== undefined) {
    return known === 'custom'
      ? refuse('expected mainnet, fuji or testnet: the data service knows no custom network')
      : []
  }
  if (!form.name.safeParse(called).success || dataNetwork.safeParse(called).success) return []
  return refuse('expected mainnet, fuji or testnet: the data service does not know this network by its name')
}

function report(context: z.core.$RefinementCtx, clashes: readonly Clash[]): void {
  for (const { path, message } of clashes) context.addIssue({ code: 'custom', path, message })
}
