// Supported chains: all that have an EVM. The nodes of an L1 are out of reach while too little of its weight is active.

import { supportedChains } from '../../operations/data/chains.ts'
import { handles } from '../handler.ts'
import { chainIds } from '../world/fixed-ids.ts'
import type { EvmChain } from '../world/evm-chains.ts'
import type { L1 } from '../world/l1.ts'
import type { World } from '../world/world.ts'

export const handleSupportedChains = handles(supportedChains, ({ world }, { network, feature }) => {
  const isNone = network === 'mainnet' || feature === 'nftIndexing'
  return { chains: isNone ? [] : world.evm.map((chain) => record(chain, world)) }
})

function record({ chainId, blockchainId, token }: EvmChain, { l1s, now }: World) {
  const l1 = l1s.all.find((one) => one.blockchainId === blockchainId)
  const name = l1?.name ?? 'C-Chain'
  return {
    chainId: String(chainId),
    status: l1 && !isRunning(l1, now()) ? 'UNAVAILABLE' : 'OK',
    chainName: name,
    description: `${name} of the simulated network`,
    platformChainId: l1?.blockchainId ?? chainIds.C,
    ...(l1 ? { subnetId: l1.subnetId } : {}),
    vmName: 'EVM',
    isTestnet: true,
    networkToken: { ...token, decimals: 18 },
    rpcUrl: `https://rpc.example/${chainId}`,
    enabledFeatures: ['webhooks', 'teleporter'],
  }
}

function isRunning({ validators }: L1, now: number): boolean {
  const sum = (of: L1['validators']) => of.reduce((total, { weight }) => total + weight, 0n)
  const active = validators.filter(({ inactiveSince }) => inactiveSince === undefined || inactiveSince > now)
  return 4n * sum(active) >= 3n * sum(validators)
}
