// admin.stopCPUProfiler: ends the profile that admin.startCPUProfiler began.

import { defineMethod } from './method.ts'
import { profiling } from './profiling.ts'

/** Goes to the file cpu.profile. */
export const stopCPUProfiler = defineMethod({ name: 'admin.stopCPUProfiler', ...profiling })
