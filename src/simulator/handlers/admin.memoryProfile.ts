// admin.memoryProfile: to the file mem.profile.

import { memoryProfile } from '../../operations/node/admin.ts'
import { handles } from '../handler.ts'
import { writeProfile } from './profile.ts'

export const handleMemoryProfile = handles(memoryProfile, (place) => {
  writeProfile(place, 'mem.profile', 'memory')
  return {}
})
