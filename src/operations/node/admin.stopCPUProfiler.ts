// admin.stopCPUProfiler: ends the profile that admin.startCPUProfiler began.

import { defineOperation } from '../define.ts'
import { profiling } from './profiling.ts'

/** Goes to the file cpu.profile. */
export const stopCPUProfiler = defineOperation({ name: 'admin.stopCPUProfiler', ...profiling })
