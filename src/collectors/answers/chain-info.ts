// Whether answers are about the chain and the network that were asked for (document 1, ChainInfo and chainId). If not,
// their content must not be published under the names of what was asked for, only that there was such an answer.

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
export function contradicts(told: ChainInfo, asked: Asked): boolean | undefined {
  const chain = chainOf(told?.chainName)
  const network = networkOf(told?.network)
  if (chain === undefined && network === undefined) return undefined
  return (chain ?? asked.chain) !== asked.chain || (network ?? networkOf(asked.network)) !== networkOf(asked.network)
}

/** For a run in which such an answer is only one of several. */
export function refuseOther(told: ChainInfo, asked: Asked): void {
  if (contradicts(told, asked)) throw isAboutOther()
}

/** For EVM chains. A service may leave the chain out or give it another name: only another number contradicts. */
export function refuseOtherChain(told: string | undefined, asked: string): void {
  if (told !== undefined && told !== asked && /^\d+$/.test(told)) throw isAboutOther()
}

/** The answers of one run, up to the first that is about something else. */
export function aboutChain(asked: Asked) {
  let isOther: boolean | undefined
  return {
    /** Undefined while no answer says what it is about. */
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

/** What such a run publishes: only the mismatch. It counts as a failure, and its memory stays as it was. */
export function withheld(mismatch: Sample, flawed: Run<never, never, never>['flawed']) {
  flawed(isAboutOther())
  return { samples: [mismatch] }
}

function isAboutOther(): BaseError {
  return new BaseError('bad_response', 'the answer is about another chain or network than the one asked for')
}

/** By alias, identifier or letter. */
function chainOf(name = ''): PrimaryChain | undefined {
  const known = [name, name.toLowerCase(), `${name.toLowerCase()}-chain`]
  const found = known.find((one) => Object.hasOwn(primaryChains, one))
  return found === undefined ? undefined : primaryChains[found]
}

/** The test network has two names: networks are the same if their staking token is. */
function networkOf(name = ''): string | undefined {
  const known = name.toLowerCase()
  return Object.hasOwn(stakingTokens, known) ? stakingTokens[known as DataNetwork] : undefined
}
