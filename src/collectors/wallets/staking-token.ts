// Identifies the staking token of a network for all collectors of wallets: by its id, never by name or symbol, as users
// can issue assets of any name. Amounts of other assets are never added to it.

import type { Facts } from '../../config/schema.ts'
import { type DataNetwork, stakingTokens } from '../../lib/primary-network.ts'

/** Label `asset`. The word is ours. */
export const STAKING_TOKEN = 'AVAX'

interface Amount {
  assetId?: string | undefined
  amount: bigint
}

/** By the network's name for the data service, else by its own. Undefined for a network with an unknown token. */
export function stakingTokenOf({ name, data_api }: Facts): string | undefined {
  const network = data_api?.network ?? name
  return Object.hasOwn(stakingTokens, network) ? stakingTokens[network as DataNetwork] : undefined
}

/** Undefined without a list, or if an amount in it has no asset. */
export function stakingSum(amounts: readonly Amount[] | undefined, network: DataNetwork): bigint | undefined {
  if (!amounts || amounts.some(({ assetId }) => assetId === undefined)) return undefined
  return amounts.reduce((sum, { assetId, amount }) => (isStakingToken(assetId, network) ? sum + amount : sum), 0n)
}

export function isStakingToken(assetId: string | undefined, network: DataNetwork): boolean {
  return assetId === stakingTokens[network]
}
