// info.getNodeVersion: what the asked node runs of the releases of the network's software.

import { getNodeVersion } from '../../operations/node/info.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleGetNodeVersion = handles(getNodeVersion, (place) => {
  const { version } = place.world.releases.of(nodeOf(place).nodeId, place.world.now())
  return {
    version,
    databaseVersion: 'v1.4.5',
    rpcProtocolVersion: '45',
    gitCommit: '',
    vmVersions: { avm: version, evm: version.replace(/^.*\//, 'v'), platform: version },
  }
})
