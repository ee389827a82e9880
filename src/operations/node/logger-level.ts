// Logger levels, as the admin interface takes and gives them.

import { z } from 'zod'
import { orNone } from '../fields.ts'

export const loggerName = z.string().min(1).optional().describe('default: all loggers')

export const loggerLevels = z.record(
  z.string(),
  z.object({
    logLevel: orNone(z.string()).describe('from which on it writes to its file'),
    displayLevel: orNone(z.string()).describe('from which on it writes to the console'),
  }),
)
