// platform.getBlockchains: all but the P-Chain.

import { getBlockchains } from '../../operations/node/platform-subnets.ts'
import { handles } from '../handler.ts'
import { blockchainsOf } from '../world/blockchains.ts'

export const handleGetBlockchains = handles(getBlockchains, ({ world }) => ({
  blockchains: blockchainsOf(world).map(({ id, name, subnetId, vmId }) => ({
    id,
    name,
    subnetID: subnetId,
    vmID: vmId,
  })),
}))
