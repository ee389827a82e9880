// The configuration file: every key that exists, its form and its default. Keys are named as in the file.

import { z } from 'zod'
import { parseDuration } from '../lib/duration.ts'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { secret, secretUrl } from '../lib/secret.ts'

const PRIMARY_NETWORK = { id: PRIMARY_NETWORK_ID, name: 'primary', validators: 'tracked' as const }

const name = z
  .string()
  .regex(/^[a-zA-Z0-9][\w.-]*$/, 'expected a name of letters, digits, dots, dashes and underscores')
const nodeId = z.string().regex(/^NodeID-[1-9A-HJ-NP-Za-km-z]{20,40}$/, 'expected a node id: NodeID- and a base58 text')
const ratio = z
  .number('expected a number between 0 and 1')
  .gt(0, 'expected more than 0')
  .max(1, 'expected at most 1, as in 0.9')

/** Milliseconds. */
const duration = z.string('expected a duration such as 30s, 5m or 1h30m').transform((text, context) => {
  const parsed = parseDuration(text)
  if (parsed !== undefined && parsed >= 1_000) return parsed
  context.addIssue({ code: 'custom', message: 'expected a duration of at least 1s, such as 30s, 5m or 1h30m' })
  return z.NEVER
})

/** Unix seconds. */
const time = z.iso
  .datetime({ offset: true, error: 'expected a time such as 2026-07-28T15:00:00Z' })
  .transform((text) => Date.parse(text) / 1_000)

/** A URL may hold a key in its path or query, so it is kept as a secret that shows its host alone. */
const url = z.url({ protocol: /^https?$/, error: 'expected a URL such as http://10.0.0.5:9650' }).transform(secretUrl)

const node = z.strictObject({
  name: name.describe('label `source`: whose opinion it is'),
  url: url.describe('base address of the node, without /ext'),
  node_id: nodeId.optional().describe('the validator on this node; its view of itself is left out'),
})

const dataNetwork = z.enum(['mainnet', 'fuji', 'testnet'])

const dataApi = z.strictObject({
  url: url.describe('base address of the chain data service, without /v1'),
  network: dataNetwork.optional().describe("the service's name of the network"),
  key: z.string().min(1).transform(secret).optional().describe('API key; better given as key_file'),
  key_header: z.string().default('x-data-api-key').describe('the header that carries the key'),
})

const metricsApi = z.strictObject({ url: url.describe('base address of the metrics service, without /v1') })

const validator = z.strictObject({
  node_id: nodeId,
  subnet: name.optional().describe('name of the subnet that it validates; default: the primary network'),
  name: name.optional().describe('label `validator`; default: the node id'),
  required_uptime: ratio.optional().describe('overrides what follows from the start of the stake and upgrade_time'),
})

const subnet = z.strictObject({
  id: z.string().min(1),
  name: name.optional(),
  validators: z
    .enum(['tracked', 'all'])
    .default('tracked')
    .describe('series of the validators listed above, or of every one in the set'),
})

const chain = z.strictObject({
  id: z.string().min(1).describe('p-chain, x-chain, c-chain, or a blockchain id'),
  name: name.optional(),
  evm_chain_id: z
    .int()
    .positive()
    .optional()
    .describe("the chain's number in the EVM world; its blocks and rates are polled"),
  decimals: z.int().min(0).max(36).default(18).describe("decimal places of the EVM chain's own token"),
})

const address = z.strictObject({
  name: name.describe('label `address`'),
  addresses: z.array(z.string().min(1)).min(1).describe('one wallet: its balances and rewards are added up'),
})

/** Defaults of the live main network (ACP-77). */
const l1Fee = z.strictObject({
  target: z.int().positive().default(10_000).describe('above this number of active L1 validators the price grows'),
  excess_constant: z.int().positive().default(1_246_488_515).describe('how slowly it grows'),
  min_price: z.int().positive().default(512).describe('per second, in the smallest unit'),
})

const delegation = z.strictObject({
  factor: z.number().min(1).default(5).describe('total stake over own stake, at most'),
  max_stake: z.number().positive().default(3_000_000).describe('tokens, own and delegated, at most'),
  min_duration: duration.prefault('14d').describe('of one delegation'),
  min_delegation: z.number().min(0).default(25).describe('tokens of one delegation'),
})

const networkKeys = z.strictObject({
  name: name.describe('label `network`'),
  upgrade_time: time.optional().describe('validations that start from here on need 90 % uptime'),
  nodes: z.array(node).default([]),
  data_api: dataApi.optional(),
  metrics_api: metricsApi.optional(),
  validators: z.array(validator).default([]),
  subnets: z.array(subnet).default([]),
  chains: z.array(chain).default([]),
  addresses: z.array(address).default([]),
  l1_fee: l1Fee.prefault({}),
  delegation: delegation.prefault({}),
})

type NetworkKeys = z.output<typeof networkKeys>

const network = networkKeys.check(uniqueNames, knownToDataApi).transform(withNames)

const collector = z.strictObject({
  enabled: z.boolean().default(true),
  every: duration.optional(),
})

const defaults = z.strictObject({
  timeout: duration.prefault('10s').describe('one request, retries included'),
  ttl: z.number().min(1).default(3).describe('how many intervals an answer stays valid; at least 5 minutes'),
})

/** `collectors` are the names that may be configured. */
export function configSchema(collectors: readonly string[]) {
  return z.strictObject({
    networks: z.array(network).min(1, 'expected at least one network').check(uniqueNetworks),
    defaults: defaults.prefault({}),
    collectors: z.strictObject(Object.fromEntries(collectors.map((key) => [key, collector.optional()]))).prefault({}),
  })
}

export type Config = z.output<ReturnType<typeof configSchema>>
export type Network = z.output<typeof network>
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
      subnet: item.subnet ?? PRIMARY_NETWORK.name,
    })),
    subnets: [PRIMARY_NETWORK, ...given.subnets.map(named)],
    chains: given.chains.map(named),
  }
}

/** The data service knows three networks: one of another name must say which of them it is. */
function knownToDataApi({ value: { name, data_api }, issues }: Check<NetworkKeys>): void {
  if (!data_api || data_api.network !== undefined || dataNetwork.safeParse(name).success) return
  const message = `is missing: ${name} is none of the data service's networks, so say mainnet, fuji or testnet here`
  issues.push({ code: 'custom', input: undefined, path: ['data_api', 'network'], message })
}

type Check<T> = z.core.ParsePayload<T>

function uniqueNetworks(payload: Check<{ name: string }[]>): void {
  unique(
    payload,
    payload.value.map(({ name }) => name),
    (at) => [at, 'name'],
  )
}

/** A label value names one object: two of the same name would be one series with two values. */
function uniqueNames(payload: Check<NetworkKeys>): void {
  const { nodes, validators, subnets, chains } = payload.value
  unique(
    payload,
    nodes.map((item) => item.name),
    (at) => ['nodes', at, 'name'],
    ['data-api'],
  )
  unique(
    payload,
    validators.map((item) => item.node_id),
    (at) => ['validators', at, 'node_id'],
  )
  unique(
    payload,
    validators.map((item) => item.name),
    (at) => ['validators', at, 'name'],
  )
  unique(
    payload,
    subnets.map((item) => item.id),
    (at) => ['subnets', at, 'id'],
    [PRIMARY_NETWORK.id],
  )
  unique(
    payload,
    subnets.map((item) => item.name),
    (at) => ['subnets', at, 'name'],
    [PRIMARY_NETWORK.name],
  )
  unique(
    payload,
    chains.map((item) => item.id),
    (at) => ['chains', at, 'id'],
  )
  unique(
    payload,
    chains.map((item) => item.name),
    (at) => ['chains', at, 'name'],
  )
}

function unique(
  { issues }: Pick<Check<unknown>, 'issues'>,
  values: readonly (string | undefined)[],
  path: (at: number) => PropertyKey[],
  reserved: readonly string[] = [],
): void {
  const seen = new Set<string>()
  values.forEach((value, at) => {
    if (value === undefined) return
    const message = reserved.includes(value)
      ? 'is reserved: choose another'
      : seen.has(value)
        ? 'stands here twice'
        : ''
    if (message !== '') issues.push({ code: 'custom', input: value, path: path(at), message: `${value} ${message}` })
    seen.add(value)
  })
}
