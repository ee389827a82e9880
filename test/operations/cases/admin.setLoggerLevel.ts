// Document 2, Admin interface. Live nodes answer with the levels of the loggers that they changed.

import type { Cases } from '../cases.ts'

const all = { loggerName: 'X', logLevel: 'TRACE', displayLevel: 'ERROR' }

export const cases: Cases = {
  operation: 'admin.setLoggerLevel',
  simulated: () => ({ loggerName: 'C', logLevel: 'DEBUG' }),
  asks: [
    { params: all, request: 'POST /ext/admin', body: all },
    { params: { logLevel: 'O' }, request: 'POST /ext/admin', body: { logLevel: 'O' } },
    { params: { displayLevel: 'O' }, request: 'POST /ext/admin', body: { displayLevel: 'O' } },
  ],
  refuses: [
    [{ loggerName: 'X' }, 'one of logLevel and displayLevel is required'],
    [{}, 'one of logLevel and displayLevel is required'],
    [{ ...all, loggerName: '' }, 'loggerName'],
    [{ ...all, logLevel: '' }, 'logLevel'],
    [{ ...all, displayLevel: '' }, 'displayLevel'],
  ],
  nullsDiffer: ['loggerLevels.*'],
  answers: [
    { name: 'document', text: '{}', value: {} },
    {
      name: 'live',
      text: '{ "loggerLevels": { "X": { "logLevel": "TRACE", "displayLevel": "ERROR" } } }',
      value: { loggerLevels: { X: { logLevel: 'TRACE', displayLevel: 'ERROR' } } },
    },
  ],
}
