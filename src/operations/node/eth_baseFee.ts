// eth_baseFee: the base fee per gas of a block that would be made now, in the smallest unit. Ethereum has no such method.

import { defineOperation } from '../define.ts'
import { evmInteger } from './evm-path.ts'

export const ethBaseFee = defineOperation({ name: 'eth_baseFee', ...evmInteger })
