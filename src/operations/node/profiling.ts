// What the methods of the profiler share: they take nothing, give nothing, and write files on the node.

import { z } from 'zod'

export const profiling = {
  effect: 'change',
  answer: z.object({}),
} as const
