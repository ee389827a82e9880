// What the methods of the profiler share: they take nothing, give nothing, and write files on the node.

import { z } from 'zod'

export const profiling = {
  source: 'document 2, Admin interface',
  effect: 'change',
  via: { rpc: '/ext/admin' },
  answer: z.object({}),
} as const
