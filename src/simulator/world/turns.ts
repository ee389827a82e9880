// Whose turn it is on the chains of the primary network: the validators at heights of the P-Chain, and the draws among them.

import type { PrimaryChain } from '../../lib/primary-network.ts'
import type { Chain } from './blocks.ts'
import { drawProposer, type Line, lineUp } from './draw.ts'
import { chainIds } from './fixed-ids.ts'
import { createRecent } from './recent.ts'
import type { Validators } from './validators.ts'

/** What a block says of itself for the next turn. */
export interface Header {
  time: number
  pChainHeight: number
}

export interface Turns {
  /** The height of the P-Chain that proposers state at that time. */
  heightAt(time: number): number
  /** By node id. Stakes count from the block on that comes after them. */
  weightsAt(pChainHeight: number): ReadonlyMap<string, bigint>
  proposer(chain: PrimaryChain, height: number, time: number, parent: Header): string | undefined
  certificateOf: Validators['certificateOf']
  /** The first block of an epoch has its time. */
  timeOf(pChainHeight: number): number
}

const SLOT = 5
/** Blocks of the P-Chain for which proposers state the same height, as they do in an epoch. A set is lined up once for all. */
export const EPOCH = 64

export function createTurns(validators: Validators, blocks: Pick<Chain, 'time' | 'heightAt'>): Turns {
  const lines = createRecent<number, Line>(8)
  const timeOf = (pChainHeight: number) => blocks.time(pChainHeight) ?? 0
  const weightsAt = (pChainHeight: number) => validators.weightsBefore(timeOf(pChainHeight))
  return {
    // What comes in this second may not be there yet.
    heightAt: (time) => EPOCH * Math.max(0, Math.floor(blocks.heightAt(time - 1) / EPOCH)),
    weightsAt,
    proposer(chain, height, time, parent) {
      const line = lines.get(parent.pChainHeight, () => lineUp(weightsAt(parent.pChainHeight)))
      return drawProposer(line, chainIds[chain], BigInt(height), Math.floor((time - parent.time) / SLOT))
    },
    certificateOf: validators.certificateOf,
    timeOf,
  }
}
