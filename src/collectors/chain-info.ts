// Whether an answer is about the chain and the network that were asked for (document 1, ChainInfo).

import { BaseError } from '../errors.ts'
import { type PrimaryChain, primaryChains, stakingTokens } from '../lib/primary-network.ts'
import type { WalletOnChain } from './wallets.ts'

type ChainInfo = { chainName?: string | undefined; network?: string | undefined } | undefined

/** Undefined when it names neither in words that are known. */
export function contradicts(told: ChainInfo, asked: Pick<WalletOnChain, 'chain' | 'network'>): boolean | undefined {
  const chain = chainOf(told?.chainName)
  const network = networkOf(told?.network)
  if (chain === undefined && network === undefined) return undefined
  return (chain ?? asked.chain) !== asked.chain || (network ?? networkOf(asked.network)) !== networkOf(asked.network)
}

/** Nothing of such an answer may be published under the names of what was asked for. */
export function refuseOther(told: ChainInfo, asked: Pick<WalletOnChain, 'chain' | 'network'>): void {
  if (contradicts(told, asked)) {
    throw new BaseError('bad_response', 'the answer is about another chain or network than the one asked for')
  }
}

/** By alias, identifier or letter. */
function chainOf(name = ''): PrimaryChain | undefined {
  const known = [name, name.toLowerCase(), `${name.toLowerCase()}-chain`]
  const found = known.find((one) => Object.hasOwn(primaryChains, one))
  return found === undefined ? undefined : primaryChains[found]
}

/** One of them has two names; the token tells networks apart. */
function networkOf(name = ''): string | undefined {
  const known = name.toLowerCase()
  return Object.hasOwn(stakingTokens, known) ? stakingTokens[known as keyof typeof stakingTokens] : undefined
}
