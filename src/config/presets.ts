// What a network needs not say when it names a preset: public addresses, chains, and what the public services grant to
// those who have no key. It stands in the network as if it were written there; each key that is written wins.

import { asText, type Clash, type Item, mapOf } from './checks/clash.ts'
import { type NetworkName, networkNames } from './known-networks.ts'

export const presetNames = ['mainnet', 'fuji', 'local'] as const
export type PresetName = (typeof presetNames)[number]

export const EXPECTED_PRESET = 'expected mainnet, fuji or local'

/** The name of the public node, where a preset brings one. */
export const PUBLIC_NODE = 'public'

/**
 * The public services as their operator's documentation has them (2026-08): the header of the key, and the request units
 * a minute and a day without a key. Those who have a key may raise the budgets.
 */
const publicServices = {
  data_api: {
    url: 'https://data-api.avax.network',
    key_header: 'x-glacier-api-key',
    budget: { per_minute: 6_000, per_day: 1_200_000 },
  },
  metrics_api: {
    url: 'https://metrics.avax.network',
    budget: { per_minute: 8_000, per_day: 1_200_000 },
  },
}

const chainsWith = (evmChainId: number) => [
  { id: 'p-chain' },
  { id: 'x-chain' },
  { id: 'c-chain', evm_chain_id: evmChainId },
]

/** Keys are those of the configuration. */
export const presets: Readonly<Record<PresetName, Item & { network: NetworkName }>> = {
  mainnet: {
    network: 'mainnet',
    nodes: [{ name: PUBLIC_NODE, url: 'https://api.avax.network' }],
    chains: chainsWith(43_114),
    ...publicServices,
  },
  fuji: {
    network: 'fuji',
    nodes: [{ name: PUBLIC_NODE, url: 'https://api.avax-test.network' }],
    chains: chainsWith(43_113),
    ...publicServices,
  },
  local: {
    network: 'custom',
    nodes: [{ name: 'local', url: 'http://127.0.0.1:9650' }],
    // Without a data service nobody asks for blocks by the number of the EVM chain.
    chains: [{ id: 'p-chain' }, { id: 'x-chain' }, { id: 'c-chain' }],
  },
}

export function nodesOfPreset(preset: PresetName): string[] {
  return (presets[preset]['nodes'] as { url: string }[]).map(({ url }) => url)
}

/** Whether it is an address of a preset at which nodes of other people answer. */
export function isPublicNode(url: string): boolean {
  const { host } = new URL(url)
  return presetNames.some((name) => name !== 'local' && nodesOfPreset(name).some((one) => new URL(one).host === host))
}

/** The network with the keys of its preset, and with its name unless it has one. What is no map, or names no preset that exists, is left to the schema. */
export function withPreset(given: unknown): unknown {
  const preset = presetOf(mapOf(given))
  return preset === undefined ? given : filled({ name: asText(mapOf(given)['preset']), ...preset }, mapOf(given))
}

/** The addresses of `mainnet` and `fuji` are those of one network. A node on this machine may be on any. */
export function otherThanPreset(network: Item): Clash[] {
  const known = presetOf(network)?.network ?? 'custom'
  const written = networkNames.find((one) => one === network['network'])
  if (known === 'custom' || written === undefined || written === known) return []
  return [{ path: ['network'], message: 'is another network than that of the preset: correct one of the two' }]
}

function presetOf({ preset }: Item): (Item & { network: NetworkName }) | undefined {
  const name = presetNames.find((one) => one === asText(preset))
  return name && presets[name]
}

/** Maps are filled key by key, a list that is written replaces the whole list. A key without a value is written, too. */
function filled(preset: Item, given: Item): Item {
  const both = Object.keys(given).filter((key) => isMap(preset[key]) && isMap(given[key]))
  return {
    ...preset,
    ...given,
    ...Object.fromEntries(both.map((key) => [key, filled(mapOf(preset[key]), mapOf(given[key]))])),
  }
}

function isMap(value: unknown): boolean {
  return value !== undefined && mapOf(value) === value
}
