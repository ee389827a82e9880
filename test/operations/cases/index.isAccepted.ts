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
    { name: 'document', text: '{ "isAccepted": true }', value: { isAccepted: true } },
    { name: 'missing', text: '{ "isAccepted": false }', value: { isAccepted: false } },
  ],
}
