// admin.lockProfile: to the file lock.profile.

import { lockProfile } from '../../operations/node/admin.ts'
import { handles } from '../handler.ts'
import { writeProfile } from './profile.ts'

export const handleLockProfile = handles(lockProfile, (place) => {
  writeProfile(place, 'lock.profile', 'locks')
  return {}
})
