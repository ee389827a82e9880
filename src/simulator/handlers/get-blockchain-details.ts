// Get blockchain details: any chain but the P-Chain, which no transaction created.

import { getBlockchainDetails } from '../../operations/data/chains.ts'
import { handles, Refusal } from '../handler.ts'
import { blockchainsOf } from '../world/blockchains.ts'
import { genesisOf } from './genesis-record.ts'

export const handleGetBlockchainDetails = handles(
  getBlockchainDetails,
  ({ world, dialect }, { network, blockchainId }) => {
    const found = blockchainsOf(world).find(({ id }) => id === blockchainId)
    if (network === 'mainnet' || !found) throw new Refusal(404, `blockchain ${blockchainId} not found`)
    const { id, name, subnetId, vmId, evm } = found
    return {
      createBlockTimestamp: world.chains.P.time(0)!,
      createBlockNumber: '0',
      blockchainId: id,
      vmId,
      subnetId,
      blockchainName: name,
      ...(evm ? { evmChainId: evm.chainId } : {}),
      genesisData: genesisOf(evm, dialect),
    }
  },
)
