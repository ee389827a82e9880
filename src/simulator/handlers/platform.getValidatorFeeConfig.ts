// platform.getValidatorFeeConfig: the numbers that the simulated fee market follows.

import { getValidatorFeeConfig } from '../../operations/node/platform-fees.ts'
import { handles } from '../handler.ts'
import { newestBlockTime } from './newest-block.ts'

export const handleGetValidatorFeeConfig = handles(getValidatorFeeConfig, ({ world }) => {
  const { market } = world.l1s
  return {
    capacity: 2 * market.target,
    target: market.target,
    minPrice: market.at(newestBlockTime(world)).minPrice,
    excessConversionConstant: market.excessConstant,
  }
})
