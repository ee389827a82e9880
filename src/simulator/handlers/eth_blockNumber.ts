// eth_blockNumber: the newest block.

import { ethBlockNumber } from '../../operations/node/chains.ts'
import { handles } from '../handler.ts'
import { evmOf, quantity } from './evm-of-node.ts'

export const handleEthBlockNumber = handles(ethBlockNumber, (place, { chain }) => quantity(evmOf(place, chain).head()))
