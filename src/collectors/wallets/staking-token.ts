// Amounts of the network's staking token among those of other assets, which are never added to it.

import { type DataNetwork, stakingTokens } from '../../lib/primary-network.ts'

/** Label `asset`. It is our word: an asset that calls itself so is another one. */
export const STAKING_TOKEN = 'AVAX'

interface Amount {
  assetId?: string | undefined
  amount: bigint
}

/** Undefined when there is no list, or an amount in it of which nobody says what it is. */
export function stakingSum(amounts: readonly Amount[] | undefined, network: DataNetwork): bigint | undefined {
  if (!amounts || amounts.some(({ assetId }) => assetId === undefined)) return undefined
  return amounts.reduce((sum, { assetId, amount }) => (isStakingToken(assetId, network) ? sum + amount : sum), 0n)
}

export function isStakingToken(assetId: string | undefined, network: DataNetwork): boolean {
  return assetId === stakingTokens[network]
}
