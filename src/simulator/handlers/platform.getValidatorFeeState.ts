// platform.getValidatorFeeState: of the newest block, in its time.

import { getValidatorFeeState } from '../../operations/node/platform-fees.ts'
import { handles } from '../handler.ts'
import { priceOf } from '../world/fee-market.ts'
import { nodeTime } from '../node/node-words.ts'
import { newestBlockTime } from './newest-block.ts'

export const handleGetValidatorFeeState = handles(getValidatorFeeState, ({ world }) => {
  const time = newestBlockTime(world)
  const { market } = world.l1s
  const state = market.at(time)
  return { excess: state.excess, price: priceOf(state, market.excessConstant), timestamp: nodeTime(time) }
})
