// The P-Chain time of a node, which is that of its last block. platform.getCurrentSupply gives that block's height,
// platform.getBlockByHeight its time (document 2, P-Chain interface).

import { z } from 'zod'
import { BaseError } from '../../errors.ts'
import { getBlockByHeight } from '../../operations/node/platform-blocks.ts'
import { getCurrentSupply } from '../../operations/node/platform-subnets.ts'
import { isInFuture } from '../../lib/clock.ts'
import { inFuture } from '../counting/believed.ts'
import type { Ask } from '../define.ts'
import { decimalType, momentType } from '../counting/remembered.ts'

export const asksChainTime = [getCurrentSupply, getBlockByHeight] as const

/** Remembered, as a block of the same height has the same time. */
export const chainTimeType = z.object({
  /** Decimal, as heights may exceed what a number represents. */
  height: decimalType,
  /** Unix seconds. */
  time: momentType,
})

export interface ChainTime extends z.output<typeof chainTimeType> {
  /** The node that was asked. */
  source: string
}

/** One call while the height is unchanged, else two. Throws `unsupported` if the node reports no height or no time. */
export async function nodeChainTime(
  call: Ask<(typeof asksChainTime)[number]>['call'],
  before: z.output<typeof chainTimeType> | undefined,
  now: number,
): Promise<ChainTime> {
  const { value, source } = await call(getCurrentSupply, {})
  if (value.height === undefined) throw noBlockTime()
  const height = String(value.height)
  if (before?.height === height) return { ...before, source }
  const { value: answer, source: blockSource } = await call(getBlockByHeight, {
    height: value.height,
    encoding: 'json',
  })
  const { block } = answer
  // The block came as bytes, or is from before blocks had a time.
  if (typeof block === 'string' || block.time === undefined) throw noBlockTime()
  if (block.height !== value.height) {
    throw new BaseError('bad_response', 'the answer is about a block of another height')
  }
  if (isInFuture(block.time, now)) throw inFuture('the last block of the node')
  return { height, time: block.time, source: blockSource }
}

function noBlockTime(): BaseError {
  return new BaseError('unsupported', 'the node does not report the time of its last block')
}
