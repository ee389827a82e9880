// admin.lockProfile: makes the node write statistics about its locks.

import { defineMethod } from './method.ts'
import { profiling } from './profiling.ts'

/** Goes to the file lock.profile. */
export const lockProfile = defineMethod({ name: 'admin.lockProfile', ...profiling })
