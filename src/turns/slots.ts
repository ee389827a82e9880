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

// Whether there was something to build while a slot passed: what the blocks around it say. A slot that passes on a quiet chain is
// no one's fault.

/** Times between blocks that are looked at, before and after a late block. */
export const AROUND = 10
/** A chain that always has work makes blocks at least this fast, unless a turn is missed. Times of blocks are whole seconds. */
const BUSY_SECONDS = 2
/** This many of them have to be that fast: others may be late themselves. */
const LEAST_QUICK = 4
/** After more slots the chain as a whole stood still: a minute. */
const MOST_JUDGED = 12
/** Where work waits, who is drawn builds this soon after the slot begins; later the work itself may have come late. */
const PROMPT_SECONDS = 1

/** What became of the turns that passed before a block. */
export type Passed = 'missed' | 'idle' | 'unknown'

/**
 * `late` are the seconds after which the block came; `before` and `after` those between blocks, the nearest ones first. Undefined
 * while too few blocks came later: the next ones decide.
 */
export function judgePassed(late: number, before: readonly number[], after: readonly number[]): Passed | undefined {
  const [past, next] = [paceOf(before), paceOf(after)]
  if (past === 'quiet' || next === 'quiet' || late % SLOT_SECONDS > PROMPT_SECONDS) return 'idle'
  if (past === undefined || late >= (MOST_JUDGED + 1) * SLOT_SECONDS) return 'unknown'
  return next === 'busy' ? 'missed' : undefined
}

/** Undefined if too few are known to say so. */
function paceOf(nearest: readonly number[]): 'busy' | 'quiet' | undefined {
  const seconds = nearest.slice(0, AROUND)
  const late = seconds.filter((one) => one >= SLOT_SECONDS).length
  if (late > AROUND - LEAST_QUICK || seconds.some((one) => one > BUSY_SECONDS && one < SLOT_SECONDS)) return 'quiet'
  return seconds.length === AROUND ? 'busy' : undefined
}

/** Whether a slot is drawn at all: after the last one any node may build. */
export const isDrawn = (slot: number) => slot < MOST_SLOTS
