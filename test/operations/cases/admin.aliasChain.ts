// Document 2, Admin interface. The limit of 512 characters is that of admin.alias alone.

import type { Cases } from '../cases.ts'

const long = 'a'.repeat(513)

let aliases = 0

export const cases: Cases = {
  operation: 'admin.aliasChain',
  // An alias that is taken is refused.
  simulated: ({ l1s }) => ({ chain: l1s.all[0]!.blockchainId, alias: `chain-${(aliases += 1)}` }),
  asks: [
    { params: { chain: 'c', alias: 'a' }, request: 'POST /ext/admin', body: { chain: 'c', alias: 'a' } },
    { params: { chain: 'c', alias: long }, request: 'POST /ext/admin', body: { chain: 'c', alias: long } },
  ],
  refuses: [
    [{ chain: '', alias: 'a' }, 'chain'],
    [{ chain: 'c', alias: '' }, 'alias'],
    [{ alias: 'a' }, 'chain'],
    [{ chain: 'c' }, 'alias'],
  ],
  answers: [{ fixture: 'node/admin.aliasChain.document', value: {} }],
}
