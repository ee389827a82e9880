// platform.getCurrentSupply: only the primary network has a supply.

import { PRIMARY_NETWORK_ID } from '../../lib/primary-network.ts'
import { getCurrentSupply } from '../../operations/node/platform-subnets.ts'
import { handles, Refusal } from '../handler.ts'

export const handleGetCurrentSupply = handles(
  getCurrentSupply,
  ({ world, dialect }, { subnetID = PRIMARY_NETWORK_ID }) => {
    if (subnetID !== PRIMARY_NETWORK_ID) throw new Refusal(-32_000, 'fetching current supply failed: not found')
    // What has happened since the newest block is in none yet.
    const height = world.chains.P.head()
    const supply = String(world.supply(world.chains.P.time(height)!)!)
    return dialect === 'live' ? { supply, height: String(height) } : { supply }
  },
)
