// EVM chains, as the services and the nodes take them.

import type { Network } from '../../config/schema.ts'
import { primaryChains } from '../../lib/primary-network.ts'
import type { Subject } from '../define.ts'

export interface EvmChain extends Subject {
  /** As the services take it. */
  chainId: string
  /** As nodes take it. */
  blockchain: string
  /** Decimal places of the chain's own token. */
  decimals: number
}

export function evmChains({ chains }: Network): EvmChain[] {
  return chains.flatMap(({ id, name, evm_chain_id, decimals }) => {
    if (evm_chain_id === undefined) return []
    const blockchain = primaryChains[id] ?? id
    return [{ name, labels: { chain: name }, chainId: String(evm_chain_id), blockchain, decimals }]
  })
}
