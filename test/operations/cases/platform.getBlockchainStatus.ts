// Document 2, P-Chain interface and States. The set of states is open.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getBlockchainStatus',
  simulated: () => ({ blockchainID: 'X' }),
  asks: [{ params: { blockchainID: 'B' }, request: 'POST /ext/bc/P', body: { blockchainID: 'B' } }],
  refuses: [
    [{ blockchainID: '' }, 'blockchainID'],
    [{}, 'blockchainID'],
  ],
  answers: [
    { fixture: 'node/platform.getBlockchainStatus.document', value: { status: 'Validating' } },
    { name: 'other', text: '{ "status": "Archived" }', value: { status: 'Archived' } },
  ],
}
