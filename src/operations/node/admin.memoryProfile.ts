// admin.memoryProfile: makes the node write what its memory holds.

import { defineOperation } from '../define.ts'
import { profiling } from './profiling.ts'

/** Goes to the file mem.profile. */
export const memoryProfile = defineOperation({ name: 'admin.memoryProfile', ...profiling })
