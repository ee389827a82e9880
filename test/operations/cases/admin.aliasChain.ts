// Document 2, Admin interface. Live nodes take at most 512 characters, as for admin.alias.

import type { Cases } from '../cases.ts'

const longest = 'a'.repeat(512)

let aliases = 0

export const cases: Cases = {
  operation: 'admin.aliasChain',
  // An alias that is taken is refused.
  simulated: ({ l1s }) => ({ chain: l1s.all[0]!.blockchainId, alias: `chain-${(aliases += 1)}` }),
  asks: [
    { params: { chain: 'c', alias: 'a' }, request: 'POST /ext/admin', body: { chain: 'c', alias: 'a' } },
    { params: { chain: 'c', alias: longest }, request: 'POST /ext/admin', body: { chain: 'c', alias: longest } },
  ],
  refuses: [
    [{ chain: '', alias: 'a' }, 'chain'],
    [{ chain: 'c', alias: '' }, 'alias'],
    [{ chain: 'c', alias: `${longest}a` }, 'expected at most 512 characters'],
    [{ alias: 'a' }, 'chain'],
    [{ chain: 'c' }, 'alias'],
  ],
  answers: [{ name: 'document', text: '{}', value: {} }],
}
