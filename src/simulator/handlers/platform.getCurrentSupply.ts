// platform.getCurrentSupply: only the primary network has a supply.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getCurrentSupply } from '../../operations/node/platform.getCurrentSupply.ts'
import { handles, Refusal } from '../serve.ts'

export const handleGetCurrentSupply = handles(
  getCurrentSupply,
  ({ world, dialect }, { subnetID = PRIMARY_NETWORK_ID }) => {
    if (subnetID !== PRIMARY_NETWORK_ID) throw new Refusal(-32_000, 'fetching current supply failed: not found')
    const supply = String(world.supply(world.now()))
    return dialect === 'live' ? { supply, height: String(world.chains.P.head()) } : { supply }
  },
)
