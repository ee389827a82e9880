// platform.getFeeConfig: the same numbers as on the test network.

import { getFeeConfig } from '../../operations/node/platform-fees.ts'
import { handles } from '../handler.ts'
import { gasTerms } from '../world/p-chain-gas.ts'

export const handleGetFeeConfig = handles(getFeeConfig, () => gasTerms)
