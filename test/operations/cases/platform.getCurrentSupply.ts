// Document 2, P-Chain interface.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getCurrentSupply',
  asks: [
    { params: {}, request: 'POST /ext/bc/P', body: {} },
    { params: { subnetID: 'S' }, request: 'POST /ext/bc/P', body: { subnetID: 'S' } },
  ],
  refuses: [[{ subnetID: '' }, 'subnetID']],
  answers: [
    { fixture: 'node/platform.getCurrentSupply.document', value: { supply: 365_865_167_637_779_183n } },
    {
      name: 'live',
      text: '{ "supply": "365865167637779183", "height": "12345678" }',
      value: { supply: 365_865_167_637_779_183n, height: 12_345_678n },
    },
  ],
  amounts: [{ item: '{"supply":@}', path: 'supply', isRequired: true }],
  missing: ['fetching current supply failed: not found'],
  missingLasts: true,
}
