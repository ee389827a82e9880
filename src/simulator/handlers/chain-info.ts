// Which chain an answer is of (document 1, ChainInfo).

import type { PrimaryChain } from '../../lib/primary-network.ts'

export function chainInfoOf(chain: PrimaryChain) {
  return { chainName: `${chain.toLowerCase()}-chain`, network: 'fuji' }
}
