// Document 2, Index interface and Index container.

import { type Cases, seconds } from '../cases.ts'
import { onEachIndex, onNoIndex } from '../index-paths.ts'

const given = { chain: 'X', kind: 'block', index: '0' }

export const cases: Cases = {
  operation: 'index.getContainerByIndex',
  simulated: () => ({ index: '0' }),
  asks: [
    ...onEachIndex({ index: '0' }, { index: 0 }),
    {
      params: { ...given, index: '18446744073709551615' },
      request: 'POST /ext/index/X/block',
      body: { index: 18_446_744_073_709_551_615n, encoding: 'hex' },
    },
  ],
  refuses: [
    ...onNoIndex({ index: '0' }),
    [{ ...given, index: '18446744073709551616' }, 'expected an integer of 64 bits'],
    [{ ...given, index: '-1' }, 'expected a decimal integer'],
    [{ chain: 'X', kind: 'block' }, 'index'],
  ],
  answers: [
    {
      name: 'document',
      text: `{
        "id": "2Y1ZF6znbfchkUV6Nto5WCAupaHf4vZmr1NXs89S6UQVxMsqU6",
        "bytes": "0x000000000000d891ad56056d9c01f18f43f58b5c784ad07a4a49cf3d1f11623804",
        "timestamp": "2022-11-30T23:59:59.5+05:30",
        "encoding": "hex",
        "index": "18446744073709551615"
      }`,
      reads: { timestamp: seconds, index: BigInt },
    },
    {
      name: 'minimal',
      text: '{ "id": "c", "timestamp": "2022-11-30T18:30:00Z", "index": "1" }',
      value: { id: 'c', timestamp: 1_669_833_000, index: 1n },
    },
  ],
  amounts: [
    {
      item: '{"id":"a","bytes":"0x","timestamp":"2020-01-01T00:00:00Z","encoding":"hex","index":@}',
      path: 'index',
      isRequired: true,
    },
  ],
}
