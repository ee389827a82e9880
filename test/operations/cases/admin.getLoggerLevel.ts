// Document 2, Admin interface.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'admin.getLoggerLevel',
  asks: [
    { params: {}, request: 'POST /ext/admin', body: {} },
    { params: { loggerName: 'C' }, request: 'POST /ext/admin', body: { loggerName: 'C' } },
  ],
  refuses: [[{ loggerName: '' }, 'loggerName']],
  nullsDiffer: ['loggerLevels.*'],
  answers: [
    {
      fixture: 'node/admin.getLoggerLevel.document',
      reads: {},
    },
    { fixture: 'node/admin.getLoggerLevel.minimal', value: { loggerLevels: { C: {}, P: {} } } },
  ],
}
