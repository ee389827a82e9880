// Keys that need an upstream which the network does not have: they would be read, and have no effect.

import { primaryChains } from '../lib/primary-network.ts'
import { asText, type Clash, entriesOf, given, inside, type Item, listOf, mapOf } from './clash.ts'

/** The upstreams of a network that the keys below can rest on. */
interface Sources {
  hasNodes: boolean
  hasService: boolean
}

export function withoutSource({ nodes, data_api, validators, chains, addresses, icm, signature_probes }: Item): Clash[] {
  const sources = { hasNodes: listOf(nodes).length > 0, hasService: data_api !== undefined }
  const each = (list: string, items: unknown, clashes: (item: Item, sources: Sources) => Clash[]) =>
    entriesOf(items).flatMap((item, at) => inside([list, at], clashes(item, sources)))
  return [
    ...each('validators', validators, ofValidator),
    ...each('chains', chains, ofChain),
    ...each('addresses', addresses, ofWallet),
    ...inside(['icm'], needService(filledOf(mapOf(icm), ['routes']), ['routes'], sources)),
    ...needService(filledOf({ signature_probes }, ['signature_probes']), ['signature_probes'], sources),
  ]
}

/** An empty list asks for nothing. */
function filledOf(item: Item, lists: readonly string[]): Item {
  return Object.fromEntries(lists.map((key) => [key, listOf(item[key]).length > 0 ? item[key] : undefined]))
}

function ofValidator(validator: Item, { hasNodes }: Sources): Clash[] {
  if (hasNodes) return []
  const message = 'only nodes tell this: add a node under nodes, or remove this'
  const own = given(validator, ['required_uptime'], message)
  return [...own, ...inside(['expect'], given(mapOf(validator['expect']), Object.keys(mapOf(validator['expect'])), message))]
}

function ofChain(chain: Item, sources: Sources): Clash[] {
  const { hasNodes, hasService } = sources
  const { id, evm_chain_id: number, expect } = chain
  const onlyNodes = 'only nodes tell this: add a node under nodes, or remove this'
  return [
    ...(hasNodes ? [] : inside(['expect'], given(mapOf(expect), ['status'], onlyNodes))),
    ...inside(['expect'], needService(mapOf(expect), ['gas_limit', 'target_gas', 'min_base_fee'], sources)),
    ...(hasNodes || (hasService && (primaryChains[asText(id)] !== undefined || number !== undefined))
      ? []
      : given(chain, ['stall_after'], withoutBlocks(sources))),
  ]
}

function withoutBlocks({ hasService }: Sources): string {
  return hasService
    ? 'the data service tells the blocks of a chain by its number: add its evm_chain_id or a node, or remove this'
    : 'nothing tells the blocks of the chain: add a node under nodes or a data_api, or remove this'
}

function ofWallet(wallet: Item, sources: Sources): Clash[] {
  const addresses = listOf(wallet['addresses']).map(asText)
  const ofService = [
    ...needService(mapOf(wallet['expect']), ['outgoing'], sources).map((clash) => inside(['expect'], [clash])[0]!),
    ...needService({ tokens: Object.keys(mapOf(wallet['tokens'])).length > 0 || undefined }, ['tokens'], sources),
  ]
  if (addresses.length === 0) return ofService
  return [...ofService, ...ofBalance(wallet, addresses, sources)]
}

/** A node adds up what is on the P-Chain alone. */
function ofBalance(wallet: Item, addresses: readonly string[], { hasNodes, hasService }: Sources): Clash[] {
  if (addresses.every((address) => address.startsWith('C-'))) {
    const message = 'nothing tells it of the C-Chain addresses that begin with C-: watch the 0x address, or remove this'
    return given(wallet, ['min_balance'], message)
  }
  const isOnP = addresses.some((address) => !/^(0x|[XC]-)/.test(address))
  if (hasService || (hasNodes && isOnP)) return []
  const message = isOnP
    ? 'nothing tells the balance: add a node under nodes or a data_api, or remove this'
    : 'only the data service tells the balance on this chain: add data_api, or remove this'
  return given(wallet, ['min_balance'], message)
}

function needService(item: Item, keys: readonly string[], { hasService }: Sources): Clash[] {
  return hasService ? [] : given(item, keys, 'only the data service tells this: add data_api, or remove this')
}
