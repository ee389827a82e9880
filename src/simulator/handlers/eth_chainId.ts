// eth_chainId: the number of the chain.

import { ethChainId } from '../../operations/node/chains.ts'
import { handles, nodeOf } from '../handler.ts'
import { chainIds } from '../world/fixed-ids.ts'
import { evmOf, quantity } from './evm-of-node.ts'

const MAINNET = { networkId: 1, chainId: 43_114 }

/** The C-Chain has another number on the main network. */
export const handleEthChainId = handles(ethChainId, (place, { chain }) => {
  const { blockchainId, chainId } = evmOf(place, chain)
  const isMainnet = blockchainId === chainIds.C && nodeOf(place).networkId === MAINNET.networkId
  return quantity(isMainnet ? MAINNET.chainId : chainId)
})
