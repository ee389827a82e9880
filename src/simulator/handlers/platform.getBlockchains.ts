// platform.getBlockchains: all but the P-Chain.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getBlockchains } from '../../operations/node/platform.getBlockchains.ts'
import { handles } from '../serve.ts'
import { chainIds } from '../world/ids.ts'

/** The ids of the usual virtual machines. */
const AVM = 'jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq'
const EVM = 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6'
const SUBNET_EVM = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'

const primary = [
  { id: chainIds.X, name: 'X-Chain', subnetID: PRIMARY_NETWORK_ID, vmID: AVM },
  { id: chainIds.C, name: 'C-Chain', subnetID: PRIMARY_NETWORK_ID, vmID: EVM },
]

export const handleGetBlockchains = handles(getBlockchains, ({ world }) => ({
  blockchains: [
    ...primary,
    ...world.l1s.all.map(({ blockchainId, name, subnetId }) => ({
      id: blockchainId,
      name,
      subnetID: subnetId,
      vmID: SUBNET_EVM,
    })),
  ],
}))
