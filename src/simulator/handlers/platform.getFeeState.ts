// platform.getFeeState: what the newest block left of the gas.

import { getFeeState } from '../../operations/node/platform-fees.ts'
import { handles } from '../handler.ts'
import { excessAt, gasTerms, gasUsed } from '../world/p-chain-gas.ts'
import { nodeTime } from '../node/node-words.ts'

export const handleGetFeeState = handles(getFeeState, ({ world: { chains, levels } }) => {
  const newest = chains.P.block(chains.P.head())!
  const used = gasUsed(newest)
  return {
    capacity: gasTerms.maxCapacity - used,
    excess: excessAt(levels.gasPrice) + used,
    price: levels.gasPrice,
    timestamp: nodeTime(newest.time),
  }
})
