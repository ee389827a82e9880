// Document 2, Admin interface.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'admin.stopCPUProfiler',
  undoneBy: 'admin.startCPUProfiler',
  asks: [{ params: {}, request: 'POST /ext/admin', body: {} }],
  refuses: [],
  answers: [{ name: 'document', text: '{}', value: {} }],
}
