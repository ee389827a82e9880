// Document 2, Admin interface and Limits.

import type { Cases } from '../cases.ts'

const longest = 'a'.repeat(512)

let aliases = 0

export const cases: Cases = {
  operation: 'admin.alias',
  // An alias that is taken is refused.
  simulated: () => ({ endpoint: 'bc/P', alias: `endpoint-${(aliases += 1)}` }),
  asks: [
    { params: { endpoint: 'e', alias: 'a' }, request: 'POST /ext/admin', body: { endpoint: 'e', alias: 'a' } },
    {
      params: { endpoint: 'bc/X', alias: longest },
      request: 'POST /ext/admin',
      body: { endpoint: 'bc/X', alias: longest },
    },
  ],
  refuses: [
    [{ endpoint: 'bc/X', alias: `${longest}a` }, 'expected at most 512 characters'],
    [{ endpoint: 'bc/X', alias: '' }, 'alias'],
    [{ endpoint: '', alias: 'x' }, 'endpoint'],
    [{ endpoint: 'bc/X' }, 'alias'],
    [{ alias: 'x' }, 'endpoint'],
  ],
  answers: [{ name: 'document', text: '{}', value: {} }],
}
