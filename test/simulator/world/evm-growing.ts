// An EVM chain on its own: blocks every three seconds, as many as the test asks for.

import { createWallets } from '../../../src/simulator/world/evm-accounts.ts'
import { rounds } from '../../../src/simulator/world/evm-agenda.ts'
import { createEvmChain } from '../../../src/simulator/world/evm-chains.ts'

export function growing({ outside = 0n, chainId = 43_214, round = rounds.quiet, every = 20 } = {}) {
  const blocks = { count: 0 }
  const chain = createEvmChain({
    seed: 7,
    chainId,
    blockchainId: `chain ${chainId}`,
    token: { name: 'Orchard', symbol: 'ORCH' },
    wallets: createWallets(7),
    blocks: {
      head: () => blocks.count - 1,
      time: (height) => (height >= 0 && height < blocks.count ? 1_000 + 3 * height : undefined),
      heightAt: (time) => Math.max(-1, Math.min(blocks.count - 1, Math.floor((time - 1_000) / 3))),
    },
    pace: [3, 3],
    busy: 12,
    gasLimit: 1_500_000,
    past: 90_000,
    round,
    every,
    outside: () => outside,
  })
  const until = (count: number) => {
    blocks.count = count
  }
  return { chain, until }
}
