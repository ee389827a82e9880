// Document 2, Admin interface. Live nodes give null for a blockchain that they do not know.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'admin.getChainAliases',
  simulated: ({ l1s }) => ({ chain: l1s.all[0]!.blockchainId }),
  asks: [{ params: { chain: 'c' }, request: 'POST /ext/admin', body: { chain: 'c' } }],
  refuses: [
    [{ chain: '' }, 'chain'],
    [{}, 'chain'],
  ],
  answers: [
    {
      fixture: 'node/admin.getChainAliases.document',
      value: { aliases: ['C', 'evm', '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'] },
    },
    { fixture: 'node/admin.getChainAliases.unknown', value: { aliases: [] } },
  ],
}
