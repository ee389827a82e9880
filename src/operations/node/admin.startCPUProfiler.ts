// admin.startCPUProfiler: makes the node measure where its processor time goes.

import { defineOperation } from '../define.ts'
import { profiling } from './profiling.ts'

/** It measures until admin.stopCPUProfiler. */
export const startCPUProfiler = defineOperation({ name: 'admin.startCPUProfiler', ...profiling })
