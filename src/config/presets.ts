// Presets for networks: public URLs, chains, and the budgets of the public services without a key. A preset acts as if its keys
// were in the file; keys in the file take precedence.

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
    // Only the data service uses the number of the EVM chain.
    chains: [{ id: 'p-chain' }, { id: 'x-chain' }, { id: 'c-chain' }],
  },
}

export function nodesOfPreset(preset: PresetName): string[] {
  return (presets[preset]['nodes'] as { url: string }[]).map(({ url }) => url)
}

/** Whether this is the URL of a public node from a preset. */
export function isPublicNode(url: string): boolean {
  const { host } = new URL(url)
  return presetNames.some((name) => name !== 'local' && nodesOfPreset(name).some((one) => new URL(one).host === host))
}

/** The network with the keys and the name of its preset as defaults. The schema reports invalid values and unknown presets. */
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

export function presetOf({ preset }: Item): (Item & { network: NetworkName }) | undefined {
  const name = presetNames.find((one) => one === asText(preset))
  return name && presets[name]
}

/** Merges maps key by key; a list in the file replaces the whole list. A key without a value counts as present. */
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
