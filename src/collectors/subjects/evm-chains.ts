// EVM chains, as the data service and the metrics service take them.

import type { Network } from '../../config/schema.ts'
import type { Subject } from '../define.ts'

export interface EvmChain extends Subject {
  /** As the services take it. */
  chainId: string
  /** Decimal places of the chain's own token. */
  decimals: number
}

export function evmChains({ chains }: Network): EvmChain[] {
  return chains.flatMap(({ name, evm_chain_id, decimals }) =>
    evm_chain_id === undefined ? [] : [{ name, labels: { chain: name }, chainId: String(evm_chain_id), decimals }],
  )
}
