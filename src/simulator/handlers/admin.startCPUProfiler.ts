// admin.startCPUProfiler: one profile at a time.

import { startCPUProfiler } from '../../operations/node/admin.ts'
import { refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'

export const handleStartCPUProfiler = handles(startCPUProfiler, (place) => {
  const node = nodeOf(place)
  if (node.profiledSince !== undefined) throw refusal('cpu profiler already running')
  node.profiledSince = place.world.now()
  return {}
})
