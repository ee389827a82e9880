// Whether there was something to build while a slot passed: what the blocks around it say. A slot that passes on a quiet chain is
// no one's fault.

import { MOST_SLOTS, SLOT_SECONDS } from './slots.ts'

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
