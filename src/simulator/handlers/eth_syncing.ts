// eth_syncing: no node says that it is.

import { ethSyncing } from '../../operations/node/chains.ts'
import { handles } from '../handler.ts'

export const handleEthSyncing = handles(ethSyncing, () => false as const)
