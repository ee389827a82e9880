// The gas of the P-Chain (ACP-103), in a network whose blocks are never full.

import type { Block } from './blocks.ts'

export const gasTerms = {
  weights: [1, 1_000, 1_000, 4],
  maxCapacity: 1_000_000,
  maxPerSecond: 100_000,
  targetPerSecond: 50_000,
  minPrice: 1,
  excessConversionConstant: 2_164_043,
}

/** The excess at which a unit of gas costs as much. */
export function excessAt(price: number): number {
  return Math.ceil(gasTerms.excessConversionConstant * Math.log(price / gasTerms.minPrice))
}

/** Gas of what a transaction reads and writes, without its bytes. */
const OF_A_TRANSACTION = 12_000

/** What a second gives back at least: no block uses more, so that nothing is left of the excess of the one before. */
export function gasUsed({ size, count }: Pick<Block, 'size' | 'count'>): number {
  return Math.min(gasTerms.targetPerSecond, size + OF_A_TRANSACTION * count)
}
