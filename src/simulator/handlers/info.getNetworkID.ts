// info.getNetworkID: all nodes are of the simulated network.

import { getNetworkID } from '../../operations/node/info.getNetworkID.ts'
import { handles } from '../serve.ts'
import { NETWORK_ID } from '../world/ids.ts'

export const handleGetNetworkID = handles(getNetworkID, () => ({ networkID: String(NETWORK_ID) }))
