// Whether answers are about the requested chain and network (document 1, ChainInfo and chainId). If not, their content
// must not be published under the requested names; only the mismatch is.

import { BaseError } from '../../errors.ts'
import { type DataNetwork, type PrimaryChain, primaryChains, stakingTokens } from '../../lib/primary-network.ts'
import type { Sample } from '../../metrics/define.ts'
import type { Run } from '../define.ts'

type ChainInfo = { chainName?: string | undefined; network?: string | undefined } | undefined

export interface Asked {
  chain: PrimaryChain
  network: DataNetwork
}

/** Undefined when the answer names neither a known chain nor a known network. */
export function contradicts(stated: ChainInfo, asked: Asked): boolean | undefined {
  const chain = chainOf(stated?.chainName)
  const network = networkOf(stated?.network)
  if (chain === undefined && network === undefined) return undefined
  return (chain ?? asked.chain) !== asked.chain || (network ?? networkOf(asked.network)) !== networkOf(asked.network)
}

/** For a run that needs several answers, of which this is one. */
export function refuseOther(stated: ChainInfo, asked: Asked): void {
  if (contradicts(stated, asked)) throw otherChainError()
}

/** For EVM chains. A service may omit the chain or give it another name: only another number contradicts. */
export function refuseOtherChain(stated: string | undefined, asked: string): void {
  if (stated !== undefined && stated !== asked && /^\d+$/.test(stated)) throw otherChainError()
}

/** The answers of one run, up to the first about another chain or network. */
export function aboutChain(asked: Asked) {
  let isOther: boolean | undefined
  return {
    /** Undefined while no answer states its chain. */
    isOther: () => isOther,
    async *only<A extends { value: { chainInfo?: ChainInfo } }>(answers: AsyncIterable<A>): AsyncGenerator<A> {
      for await (const answer of answers) {
        isOther = contradicts(answer.value.chainInfo, asked) ?? isOther
        if (isOther) return
        yield answer
      }
    },
  }
}

/** What such a run publishes: only the mismatch. It counts as a failure, and its memory stays unchanged. */
export function publishMismatch(mismatch: Sample, flawed: Run<never, never, never>['flawed']) {
  flawed(otherChainError())
  return { samples: [mismatch] }
}

/** The texts of the metric that shows a mismatch. */
export function mismatchOf(what: string, fate: 'published' | 'used' = 'published') {
  return {
    help: `Whether the data service returned ${what} of another chain or network than requested: 1 or 0 (data service, chainInfo).`,
    details: `Such ${what} are not ${fate}.`,
  }
}

function otherChainError(): BaseError {
  return new BaseError('bad_response', 'the answer is about another chain or network')
}

/** By alias, identifier or letter. */
function chainOf(name = ''): PrimaryChain | undefined {
  const known = [name, name.toLowerCase(), `${name.toLowerCase()}-chain`]
  const found = known.find((one) => Object.hasOwn(primaryChains, one))
  return found === undefined ? undefined : primaryChains[found]
}

/** The test network has two names: networks are the same if they have the same staking token. */
function networkOf(name = ''): string | undefined {
  const known = name.toLowerCase()
  return Object.hasOwn(stakingTokens, known) ? stakingTokens[known as DataNetwork] : undefined
}
