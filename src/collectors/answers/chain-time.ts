// The time of the P-Chain as a node has it: that of its last block. platform.getCurrentSupply tells the height of that
// block, platform.getBlockByHeight the time of it (document 2, P-Chain interface).

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { getBlockByHeight } from '../../operations/node/platform.getBlockByHeight.ts'
import { getCurrentSupply } from '../../operations/node/platform.getCurrentSupply.ts'
import { isInFuture } from '../../lib/clock.ts'
import { inFuture } from '../counting/plausible.ts'
import type { Ask } from '../define.ts'
import { decimalType, momentType } from '../counting/remembered.ts'

export const asksChainTime = [getCurrentSupply, getBlockByHeight] as const

/** What is remembered: a block of the same height has the same time. */
export const chainTimeType = z.object({
  /** Decimal, as heights may exceed what a number holds. */
  height: decimalType,
  /** Unix seconds. */
  time: momentType,
})

export interface ChainTime extends z.output<typeof chainTimeType> {
  /** The node that was asked. */
  source: string
}

/** One call while the height stands still, else two. Throws `unsupported` where the node tells no height or no time. */
export async function nodeChainTime(
  call: Ask<(typeof asksChainTime)[number]>['call'],
  before: z.output<typeof chainTimeType> | undefined,
  now: number,
): Promise<ChainTime> {
  const { value, source } = await call(getCurrentSupply, {})
  if (value.height === undefined) throw tellsNoTime()
  const height = String(value.height)
  if (before?.height === height) return { ...before, source }
  const { value: answer, source: blockSource } = await call(getBlockByHeight, {
    height: value.height,
    encoding: 'json',
  })
  const { block } = answer
  // Bytes, or a block from before blocks had a time.
  if (typeof block === 'string' || block.time === undefined) throw tellsNoTime()
  if (block.height !== value.height) {
    throw new BaseError('bad_response', 'the answer is about a block of another height than the one asked for')
  }
  if (isInFuture(block.time, now)) throw inFuture('the last block of the node')
  return { height, time: block.time, source: blockSource }
}

function tellsNoTime(): BaseError {
  return new BaseError('unsupported', 'the node does not tell the time of its last block')
}
