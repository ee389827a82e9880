// admin.memoryProfile: makes the node write what its memory holds.

import { defineMethod } from './method.ts'
import { profiling } from './profiling.ts'

/** Goes to the file mem.profile. */
export const memoryProfile = defineMethod({ name: 'admin.memoryProfile', ...profiling })
