// eth_blockNumber: the height of the newest block that the asked node has accepted.

import { defineOperation } from '../define.ts'
import { evmInteger } from './evm-path.ts'

export const ethBlockNumber = defineOperation({ name: 'eth_blockNumber', ...evmInteger })
