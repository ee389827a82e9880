// The configuration file: every key that exists, its form and its default. Keys are named as in the file.

import { z } from 'zod'
import { parseDuration } from '../lib/duration.ts'
import { PRIMARY_NETWORK_ID } from '../lib/primary-network.ts'
import { secret, secretUrl } from '../lib/secret.ts'
import { type Clash, clashesWithin, networkClashes, PRIMARY_NETWORK_NAME } from './clashes.ts'

const BASE58 = '1-9A-HJ-NP-Za-km-z'
const SHORTEST = 1_000
/** Timers reach no further than 24 days. */
const LONGEST = 7 * 86_400_000

/** Text of one form. Every message says what is expected: the loader adds what stands there instead, and where. */
function text(form: RegExp, expected: string) {
  const error = ({ input }: { input?: unknown }) => {
    const plain = typeof input === 'number' || typeof input === 'boolean'
    return plain && form.test(String(input)) ? `${expected}, in quotes` : expected
  }
  return z.string({ error }).regex(form, expected)
}

const name = text(/^[a-zA-Z0-9][\w.-]*$/, 'expected a name of letters, digits, dots, dashes and underscores')
const nodeId = text(
  new RegExp(`^NodeID-[${BASE58}]{20,40}$`),
  'expected a node id such as NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
)
const subnetId = text(
  new RegExp(`^[${BASE58}]{30,60}$`),
  'expected a subnet id, which is base58: about 50 letters and digits, none of them 0, O, I or l',
)
const chainId = text(
  new RegExp(`^([pxc]-chain|[${BASE58}]{30,60})$`),
  'expected p-chain, x-chain, c-chain or a blockchain id, which is base58: about 50 letters and digits, none of them 0, O, I or l',
)
const RATIO = 'expected a number above 0 and at most 1, such as 0.9'
const ratio = z.number(RATIO).gt(0, RATIO).max(1, RATIO)

const DURATION = 'expected a duration such as 30s, 5m or 1h30m'

/** Milliseconds. */
function durationUpTo(longest: number, said: string) {
  return z.string(DURATION).transform((text, context) => {
    const parsed = parseDuration(text)
    if (parsed !== undefined && parsed >= SHORTEST && parsed <= longest) return parsed
    const tooMuch = `expected a duration of at ${(parsed ?? 0) < SHORTEST ? 'least 1s' : `most ${said}`}`
    context.addIssue({ code: 'custom', message: parsed === undefined ? DURATION : tooMuch })
    return z.NEVER
  })
}

const duration = durationUpTo(LONGEST, '7d')

function wholeNumber(low: number, high: number, example: number) {
  const expected = `expected a whole number from ${low}${high < Infinity ? ` to ${high}` : ' on'}, such as ${example}`
  return z.int(expected).min(low, expected).max(Math.min(high, Number.MAX_SAFE_INTEGER), expected)
}

function amount(low: number, example: number) {
  const expected = `expected a number from ${low} on, such as ${example}`
  return z.number(expected).min(low, expected)
}

/** Unix seconds. */
const time = z.iso
  .datetime({ offset: true, error: 'expected a time such as 2026-07-28T15:00:00Z' })
  .transform((text) => Date.parse(text) / 1_000)

/** A base address. It may hold a key in its path or query, so it is kept as a secret that shows its host alone. */
function url(example: string, tail: string) {
  const expected = `expected a URL such as ${example}`
  return z
    .string(expected)
    .transform((text, context) => {
      const parsed = /^https?:\/\/[^\s#]+$/i.test(text) ? URL.parse(text) : null
      if (parsed && !`${parsed.pathname}/`.includes(`${tail}/`)) return secretUrl(text)
      context.addIssue({ code: 'custom', message: parsed ? `expected the base address, without ${tail}` : expected })
      return z.NEVER
    })
    .meta({ secret: true })
}

const KEY = 'expected the key as one line of printable characters'
const key = text(/^[!-~]([ -~]*[!-~])?$/, KEY)
  .transform(secret)
  .meta({ secret: true })

const node = z.strictObject({
  name: name.describe('label `source`: whose opinion it is'),
  url: url('http://10.0.0.5:9650', '/ext').describe('base address of the node, without /ext'),
  node_id: nodeId.optional().describe('the validator on this node; its view of itself is left out'),
})

const dataNetwork = z.enum(['mainnet', 'fuji', 'testnet'], 'expected mainnet, fuji or testnet')

const dataApi = z.strictObject({
  url: url('https://data.example', '/v1').describe('base address of the chain data service, without /v1'),
  network: dataNetwork.optional().describe("the service's name of the network"),
  key: key.optional().describe('API key; better given as key_file'),
  key_header: text(/^[\w!#$%&'*+.^`|~-]+$/, 'expected the name of an HTTP header, such as x-data-api-key')
    .default('x-data-api-key')
    .describe('the header that carries the key'),
})

const metricsApi = z.strictObject({
  url: url('https://metrics.example', '/v1').describe('base address of the metrics service, without /v1'),
})

const validator = z.strictObject({
  node_id: nodeId,
  subnet: name.optional().describe('name of the subnet that it validates; default: the primary network'),
  name: name.optional().describe('label `validator`; default: the node id'),
  required_uptime: ratio.optional().describe('overrides what follows from the start of the stake and upgrade_time'),
})

const VALIDATORS = 'expected tracked or all'
const subnet = z.strictObject({
  id: subnetId,
  name: name.optional(),
  validators: z
    .enum(['tracked', 'all'], VALIDATORS)
    .default('tracked')
    .describe('series of the validators listed above, or of every one in the set'),
})

const chain = z.strictObject({
  id: chainId.describe('p-chain, x-chain, c-chain, or a blockchain id'),
  name: name.optional(),
  evm_chain_id: wholeNumber(1, Infinity, 43_114)
    .optional()
    .describe('number of an EVM chain: its blocks and rates are polled'),
  decimals: wholeNumber(0, 36, 18).default(18).describe("decimal places of the EVM chain's own token"),
})

const ADDRESSES = 'expected a list of addresses such as [P-avax1qm0...]'
const address = z.strictObject({
  name: name.describe('label `address`'),
  addresses: z
    .array(
      text(/^([PXC]-)?[a-z0-9]+1[a-z0-9]{38}$|^0x[0-9a-fA-F]{40}$/, 'expected an address such as P-avax1... or 0x...'),
      ADDRESSES,
    )
    .min(1, ADDRESSES)
    .describe('the addresses of one wallet: what they have is added up'),
})

/** Defaults of the live main network (ACP-77). */
const l1Fee = z.strictObject({
  target: wholeNumber(1, Infinity, 10_000)
    .default(10_000)
    .describe('above this number of active L1 validators the price grows'),
  excess_constant: wholeNumber(1, Infinity, 1_246_488_515).default(1_246_488_515).describe('how slowly it grows'),
  min_price: wholeNumber(1, Infinity, 512).default(512).describe('per second, in the smallest unit'),
})

const delegation = z.strictObject({
  factor: amount(1, 5).default(5).describe('total stake over own stake, at most'),
  max_stake: amount(1, 3_000_000).default(3_000_000).describe('tokens, own and delegated, at most'),
  min_duration: durationUpTo(366 * 86_400_000, '366d')
    .prefault('14d')
    .describe('of one delegation, at least'),
  min_delegation: amount(0, 25).default(25).describe('tokens of one delegation, at least'),
})

const networkKeys = z.strictObject({
  name: name.describe('label `network`'),
  upgrade_time: time.optional().describe('validations that start from here on need 90 % uptime'),
  nodes: z.array(node, 'expected a list of nodes').default([]),
  data_api: dataApi.optional(),
  metrics_api: metricsApi.optional(),
  validators: z.array(validator, 'expected a list of validators').default([]),
  subnets: z.array(subnet, 'expected a list of subnets').default([]),
  chains: z.array(chain, 'expected a list of chains').default([]),
  addresses: z.array(address, 'expected a list of wallets').default([]),
  l1_fee: l1Fee.prefault({}),
  delegation: delegation.prefault({}),
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
  enabled: z.boolean().default(true),
  every: duration.optional(),
})

const TTL = 'expected a number of intervals, at least 1, such as 3'
const defaults = z.strictObject({
  timeout: duration.prefault('10s').describe('one request, retries included'),
  ttl: z.number(TTL).min(1, TTL).default(3).describe('how many intervals an answer stays valid; at least 5 minutes'),
})

/** `collectors` are the names that may be configured. */
export function configSchema(collectors: readonly string[]) {
  return z.strictObject({
    networks,
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
