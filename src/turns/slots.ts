// The slots after a block: in each of them one validator may build the next one.

import { refusal } from '../errors.ts'
import type { Block, Header } from './block.ts'
import { type DrawSet, proposerOf } from './draw.ts'

const SLOT_SECONDS = 5
/** Nodes draw no further ahead: an hour. */
const MOST_SLOTS = 720

/** What counts for the turns after a block. An option has the header of its parent; a bare block has none. */
export function headerOf(block: Block, parent: Header | undefined): Header | undefined {
  if (block.kind === 'block') return block
  return block.kind === 'option' ? parent : undefined
}

/** The slot in which a block was built, from 0 on. */
export function slotOf(time: number, parentTime: number): number {
  if (time < parentTime) throw refusal('older', 'a block is older than its parent')
  return Math.floor((time - parentTime) / SLOT_SECONDS)
}

/** Who let a slot pass before this one, in order: those of the first hour at most. None where any node may build. */
export function passedBefore(set: DrawSet, chainId: string, height: bigint, slot: number): string[] {
  const slots = Array.from({ length: Math.min(slot, MOST_SLOTS) }, (_, at) => at)
  return slots.flatMap((at) => proposerOf(set, chainId, height, at) ?? [])
}
