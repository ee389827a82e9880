// Document 2, Index interface.

import type { Cases } from '../cases.ts'
import { firstIn, onEachIndex, onNoIndex } from '../index-paths.ts'

export const cases: Cases = {
  operation: 'index.getIndex',
  simulated: (world, path) => ({ id: firstIn(world, path) }),
  asks: onEachIndex({ id: 'c' }, { id: 'c' }),
  refuses: [
    ...onNoIndex({ id: 'c' }),
    [{ chain: 'X', kind: 'block', id: '' }, 'id'],
    [{ chain: 'X', kind: 'block' }, 'id'],
  ],
  answers: [
    { name: 'document', text: '{ "index": "18446744073709551614" }', value: { index: 18_446_744_073_709_551_614n } },
  ],
  amounts: [{ item: '{"index":@}', path: 'index', isRequired: true }],
  missing: ['not found'],
}
