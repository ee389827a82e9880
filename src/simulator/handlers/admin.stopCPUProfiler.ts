// admin.stopCPUProfiler: the profile since its start, to the file cpu.profile.

import { stopCPUProfiler } from '../../operations/node/admin.ts'
import { refusal } from '../node/node-words.ts'
import { handles, nodeOf } from '../handler.ts'
import { writeProfile } from './profile.ts'

export const handleStopCPUProfiler = handles(stopCPUProfiler, (place) => {
  const node = nodeOf(place)
  const since = node.profiledSince
  if (since === undefined) throw refusal("cpu profiler doesn't exist")
  node.profiledSince = undefined
  writeProfile(place, 'cpu.profile', 'processor', since)
  return {}
})
