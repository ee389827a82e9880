// admin.setLoggerLevel: makes loggers of the node write more or less.

import { z } from 'zod'
import { optional } from '../fields.ts'
import { defineMethod } from './method.ts'
import { loggerLevels, loggerName } from './logger-level.ts'

const level = z.string().min(1).optional()

/** The document's answer is empty; live nodes give the levels of the loggers that they changed. */
export const setLoggerLevel = defineMethod({
  name: 'admin.setLoggerLevel',
  effect: 'change',
  params: z
    .object({
      loggerName,
      logLevel: level.describe('from which on it writes to its file'),
      displayLevel: level.describe('from which on it writes to the console'),
    })
    .refine(({ logLevel, displayLevel }) => logLevel !== undefined || displayLevel !== undefined, {
      message: 'one of logLevel and displayLevel is required',
    }),
  answer: z.object({ loggerLevels: optional(loggerLevels) }),
})
