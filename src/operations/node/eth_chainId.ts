// eth_chainId: the number of the EVM chain that the asked node serves.

import { defineOperation } from '../define.ts'
import { evmInteger } from './evm-path.ts'

export const ethChainId = defineOperation({ name: 'eth_chainId', ...evmInteger })
