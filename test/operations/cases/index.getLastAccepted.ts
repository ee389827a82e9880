// Document 2, Index interface and Index container.

import { type Cases, seconds } from '../cases.ts'
import { onEachIndex, onNoIndex } from '../index-paths.ts'

export const cases: Cases = {
  operation: 'index.getLastAccepted',
  asks: onEachIndex({}, {}),
  refuses: onNoIndex({}),
  answers: [
    {
      fixture: 'node/index.getLastAccepted.document',
      reads: { timestamp: seconds, index: BigInt },
    },
    { fixture: 'node/index.getLastAccepted.minimal', value: { id: 'c', timestamp: 1_787_410_801, index: 2n } },
  ],
  amounts: [
    {
      item: '{"id":"a","bytes":"0x","timestamp":"2020-01-01T00:00:00Z","encoding":"hex","index":@}',
      path: 'index',
      isRequired: true,
    },
  ],
  missing: ['no containers have been accepted'],
}
