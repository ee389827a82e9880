// Document 2, Index interface and Index container.

import type { Cases } from '../cases.ts'
import { onEachIndex, onNoIndex } from '../index-paths.ts'

export const cases: Cases = {
  operation: 'index.getLastAccepted',
  asks: onEachIndex({}, {}),
  refuses: onNoIndex({}),
  answers: [
    {
      fixture: 'node/index.getLastAccepted.document',
      value: {
        id: 'iYw7jXqQkX43LZbYWW1epAnMvboSUeJPcCFtCrnr66h6TiEcG',
        bytes: '0x0000000000010000000000000000000000000000000000000000000000000000',
        timestamp: 1_787_410_800.123,
        encoding: 'hex',
        index: 23_456_789n,
      },
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
