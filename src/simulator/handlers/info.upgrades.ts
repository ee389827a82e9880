// info.upgrades: the upgrades that the software of the asked node knows. All that were before Helicon came long ago.

import { upgrades } from '../../operations/node/info.ts'
import { nodeTime } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'

const LONG_AGO = '2020-12-05T05:00:00Z'
const NOT_SCHEDULED = '9999-12-01T00:00:00Z'
const PAST = {
  ...Object.fromEntries(['1', '2', '3', '4'].map((phase) => [`apricotPhase${phase}Time`, LONG_AGO])),
  apricotPhase4MinPChainHeight: 0,
  ...Object.fromEntries(['5', 'Pre6', '6', 'Post6'].map((phase) => [`apricotPhase${phase}Time`, LONG_AGO])),
  banffTime: LONG_AGO,
  cortinaTime: LONG_AGO,
  cortinaXChainStopVertexID: '11111111111111111111111111111111LpoYY',
  durangoTime: LONG_AGO,
  etnaTime: LONG_AGO,
  fortunaTime: LONG_AGO,
  graniteTime: LONG_AGO,
  graniteEpochDuration: 30_000_000_000,
}

export const handleUpgrades = handles(upgrades, (place) => {
  const { world } = place
  const known = world.releases.upgradesKnownTo(nodeOf(place).nodeId, world.now())
  const dated = known.map(([name, time]) => [`${name}Time`, time === undefined ? NOT_SCHEDULED : nodeTime(time)])
  return { ...PAST, ...(Object.fromEntries(dated) as Record<string, string>) }
})
