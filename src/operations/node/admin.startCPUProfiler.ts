// admin.startCPUProfiler: makes the node measure where its processor time goes.

import { defineMethod } from './method.ts'
import { profiling } from './profiling.ts'

/** It measures until admin.stopCPUProfiler. */
export const startCPUProfiler = defineMethod({ name: 'admin.startCPUProfiler', ...profiling })
