// Document 2, Index interface.

import type { Cases } from '../cases.ts'
import { firstIn, onEachIndex, onNoIndex } from '../index-paths.ts'

export const cases: Cases = {
  operation: 'index.isAccepted',
  simulated: (world, path) => ({ id: firstIn(world, path) }),
  asks: onEachIndex({ id: 'c' }, { id: 'c' }),
  refuses: [
    ...onNoIndex({ id: 'c' }),
    [{ chain: 'X', kind: 'block', id: '' }, 'id'],
    [{ chain: 'X', kind: 'block' }, 'id'],
  ],
  answers: [
    { fixture: 'node/index.isAccepted.document', value: { isAccepted: true } },
    { fixture: 'node/index.isAccepted.missing', value: { isAccepted: false } },
  ],
}
