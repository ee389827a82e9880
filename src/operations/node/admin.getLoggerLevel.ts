// admin.getLoggerLevel: from which level on loggers write.

import { z } from 'zod'
import { defineMethod } from './method.ts'
import { loggerLevels, loggerName } from './logger-level.ts'

/** A node serves the admin interface only where it runs with `--api-admin-enabled=true`. */
export const getLoggerLevel = defineMethod({
  name: 'admin.getLoggerLevel',
  params: z.object({ loggerName }),
  answer: z.object({ loggerLevels }),
})
