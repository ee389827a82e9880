// Document 2, Admin interface.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'admin.memoryProfile',
  asks: [{ params: {}, request: 'POST /ext/admin', body: {} }],
  refuses: [],
  answers: [{ name: 'document', text: '{}', value: {} }],
}
