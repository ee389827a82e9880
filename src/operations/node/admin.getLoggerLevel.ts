// admin.getLoggerLevel: from which level on loggers write.

import { z } from 'zod'
import { defineOperation } from '../define.ts'
import { loggerLevels, loggerName } from './logger-level.ts'

/** A node serves the admin interface only where it runs with `--api-admin-enabled=true`. */
export const getLoggerLevel = defineOperation({
  name: 'admin.getLoggerLevel',
  source: 'document 2, Admin interface',
  via: { rpc: '/ext/admin' },
  params: z.object({ loggerName }),
  answer: z.object({ loggerLevels }),
})
