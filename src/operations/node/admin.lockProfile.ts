// admin.lockProfile: makes the node write statistics about its locks.

import { defineOperation } from '../define.ts'
import { profiling } from './profiling.ts'

/** Goes to the file lock.profile. */
export const lockProfile = defineOperation({ name: 'admin.lockProfile', ...profiling })
