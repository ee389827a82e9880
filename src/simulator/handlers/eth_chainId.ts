// eth_chainId: the number of the chain.

import { ethChainId } from '../../operations/node/eth_chainId.ts'
import { handles } from '../serve.ts'
import { evmOf, quantity } from './evm-of-node.ts'

export const handleEthChainId = handles(ethChainId, (place, { chain }) => quantity(evmOf(place, chain).chainId))
