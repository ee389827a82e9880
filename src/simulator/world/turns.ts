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
  /** From that time on another rule draws the proposers, or again the one that all nodes know. */
  setRule(isOther: boolean, at: number): void
  /** The validator builds no block any more, or builds again. */
  setBuilding(nodeId: string, isBuilding: boolean): void
  isAnyoneIdle(): boolean
  /** Seconds: the turn of the first validator, from this turn on, who builds. */
  builtAt(chain: PrimaryChain, height: number, time: number, parent: Header): number
  /** The first block of an epoch has its time. */
  timeOf(pChainHeight: number): number
}

const SLOT = 5
/** More slots than nodes look ahead. */
const FAR = 720
/** Blocks of the P-Chain for which proposers state the same height, as they do in an epoch. A set is lined up once for all. */
export const EPOCH = 64

export function createTurns(validators: Validators, blocks: Pick<Chain, 'time' | 'heightAt'>): Turns {
  const lines = createRecent<number, Line>(8)
  const idle = new Set<string>()
  /** When the rule became another one, and the usual one again, in turns. */
  const changes: number[] = []
  const isOther = (time: number) => changes.filter((at) => at <= time).length % 2 === 1
  const timeOf = (pChainHeight: number) => blocks.time(pChainHeight) ?? 0
  const weightsAt = (pChainHeight: number) => validators.weightsBefore(timeOf(pChainHeight))
  const slotOf = (time: number, parent: Header) => Math.floor((time - parent.time) / SLOT)
  function proposer(chain: PrimaryChain, height: number, time: number, parent: Header): string | undefined {
    const line = lines.get(parent.pChainHeight, () => lineUp(weightsAt(parent.pChainHeight)))
    const slot = slotOf(time, parent) + (isOther(time) ? FAR : 0)
    return drawProposer(line, chainIds[chain], BigInt(height), slot)
  }
  return {
    // What comes in this second may not be there yet.
    heightAt: (time) => EPOCH * Math.max(0, Math.floor(blocks.heightAt(time - 1) / EPOCH)),
    weightsAt,
    proposer,
    setRule(isChanged, at) {
      if ((changes.length % 2 === 1) !== isChanged) changes.push(at)
    },
    setBuilding(nodeId, isBuilding) {
      if (isBuilding) idle.delete(nodeId)
      else idle.add(nodeId)
    },
    isAnyoneIdle: () => idle.size > 0,
    builtAt(chain, height, time, parent) {
      let turn = time
      for (let tried = 0; tried < FAR && idle.has(proposer(chain, height, turn, parent) ?? ''); tried += 1) {
        turn = parent.time + SLOT * (slotOf(turn, parent) + 1)
      }
      return turn
    },
    certificateOf: validators.certificateOf,
    timeOf,
  }
}
