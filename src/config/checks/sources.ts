// Keys behind a page that need an upstream which the network does not have: they would be read, and no page could follow.
// `check` warns about other things that no source can observe.

import { primaryChains } from '../../lib/primary-network.ts'
import { asText, type Clash, expecting, given, insideEach, type Item, listOf } from './clash.ts'

/** The upstreams of a network that the keys below can rest on. */
interface Sources {
  hasNodes: boolean
  hasService: boolean
}

export function withoutSource({ nodes, data_api, chains, addresses }: Item): Clash[] {
  const sources = { hasNodes: listOf(nodes).length > 0, hasService: data_api !== undefined }
  return [
    ...insideEach(['chains'], chains, (chain) => ofChain(chain, sources)),
    ...insideEach(['addresses'], addresses, (wallet) => ofWallet(wallet, sources)),
  ]
}

/** The data service knows the chains of the primary network by their ids, and all others by their numbers. */
function ofChain(chain: Item, { hasNodes, hasService }: Sources): Clash[] {
  const isListed =
    hasService && (primaryChains[asText(chain['id'])] !== undefined || chain['evm_chain_id'] !== undefined)
  if (hasNodes || isListed) return []
  const remedy = hasService
    ? 'the data service needs the number of this chain: add its evm_chain_id or a node, or remove this'
    : 'no source has the blocks of the chain: add a node under nodes or a data_api, or remove this'
  return given(chain, ['stall_after'], remedy)
}

function ofWallet(wallet: Item, { hasNodes, hasService }: Sources): Clash[] {
  const addresses = listOf(wallet['addresses']).map(asText)
  if (addresses.length === 0) return []
  if (addresses.every((address) => address.startsWith('C-'))) {
    const message = 'no source has the C-Chain balance of such addresses: watch the 0x address, or remove this'
    return given(wallet, ['min_balance'], message)
  }
  if (hasService) return []
  const onlyService = 'only the data service has this: add a data_api, or remove this'
  const outgoing = expecting(wallet, ['outgoing'], onlyService)
  // A node adds up what is on the P-Chain alone.
  const isOnP = addresses.some((address) => !/^(0x|[XC]-)/.test(address))
  if (hasNodes && isOnP) return outgoing
  const nothing = 'no source has the balance: add a node under nodes or a data_api, or remove this'
  return [...outgoing, ...given(wallet, ['min_balance'], isOnP ? nothing : onlyService)]
}
