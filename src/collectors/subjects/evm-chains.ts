// EVM chains with the ids that services and nodes use.

import type { Network } from '../../config/schema.ts'
import { primaryChains } from '../../lib/primary-network.ts'
import type { Subject } from '../define.ts'

export interface EvmChain extends Subject {
  /** The id for services. */
  chainId: string
  /** The id for nodes. */
  blockchain: string
  /** Decimal places of the chain's own token. */
  decimals: number
}

/** Includes chains without a configured EVM chain id. A node shows which of them are EVM chains. */
export interface PossiblyEvmChain extends Omit<EvmChain, 'chainId'> {
  /** Undefined if only the node knows it. */
  chainId: string | undefined
}

export function possiblyEvmChains(network: Network): PossiblyEvmChain[] {
  return network.chains.flatMap(({ id, name, evm_chain_id, decimals }) => {
    const primary = primaryChains[id]
    if (primary === 'P' || primary === 'X') return []
    const chainId = evm_chain_id === undefined ? undefined : String(evm_chain_id)
    const both = [id, chainId].join('/')
    return [{ name, id: both, labels: { chain: name }, chainId, blockchain: primary ?? id, decimals }]
  })
}

export function evmChains(network: Network): EvmChain[] {
  return possiblyEvmChains(network).filter((chain): chain is EvmChain => chain.chainId !== undefined)
}
