// eth_baseFee: that of the next block.

import { ethBaseFee } from '../../operations/node/chains.ts'
import { handles } from '../handler.ts'
import { evmOf, quantity } from './evm-of-node.ts'

export const handleEthBaseFee = handles(ethBaseFee, (place, { chain }) => {
  const evm = evmOf(place, chain)
  return quantity(evm.baseFee(evm.head() + 1))
})
