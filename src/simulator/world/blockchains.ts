// All blockchains of the simulated network except the P-Chain.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { chainIds } from './fixed-ids.ts'
import type { World } from './world.ts'

export interface Blockchain {
  id: string
  name: string
  subnetId: string
  vmId: string
  /** Of chains with an EVM. */
  evm?: { chainId: number; gasLimit: number }
}

/** The ids of virtual machines: the X-Chain's, the C-Chain's, that of L1s with an EVM, and a custom one. */
const AVM = 'jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq'
const EVM = 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6'
const SUBNET_EVM = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'
const OWN_VM = 'pQhPbsHyQrMWrPXYZqLHyDVwZhTvNmWqRzLrXuMrJkLpVnYwT'

export function blockchainsOf({ l1s, evm }: Pick<World, 'l1s' | 'evm'>): Blockchain[] {
  const evmOf = (id: string) => {
    const chain = evm.find(({ blockchainId }) => blockchainId === id)
    return chain ? { evm: { chainId: chain.chainId, gasLimit: chain.gasLimit } } : {}
  }
  const own = { subnetId: PRIMARY_NETWORK_ID }
  const created = l1s.all.filter(({ hasChain }) => hasChain)
  return [
    { id: chainIds.X, name: 'X-Chain', vmId: AVM, ...own },
    { id: chainIds.C, name: 'C-Chain', vmId: EVM, ...own, ...evmOf(chainIds.C) },
    ...created.map(({ blockchainId: id, name, subnetId }) => {
      const more = evmOf(id)
      return { id, name, subnetId, vmId: 'evm' in more ? SUBNET_EVM : OWN_VM, ...more }
    }),
  ]
}
