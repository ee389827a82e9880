// Document 2, Index interface and rules 1, 2 and 5 of index.getContainerRange. Live nodes wrap the list.

import { type Cases, seconds } from '../cases.ts'
import { onEachIndex, onNoIndex } from '../index-paths.ts'

const given = { chain: 'X', kind: 'block', startIndex: '7', numToFetch: '2' }

export const cases: Cases = {
  operation: 'index.getContainerRange',
  simulated: () => ({ startIndex: '0', numToFetch: '3' }),
  asks: [
    ...onEachIndex({ startIndex: '7', numToFetch: '2' }, { startIndex: 7, numToFetch: 2 }),
    {
      params: { ...given, startIndex: '0', numToFetch: '0' },
      request: 'POST /ext/index/X/block',
      body: { startIndex: 0, numToFetch: 0, encoding: 'hex' },
    },
    {
      params: { ...given, startIndex: '18446744073709551615', numToFetch: '1024' },
      request: 'POST /ext/index/X/block',
      body: { startIndex: 18_446_744_073_709_551_615n, numToFetch: 1024, encoding: 'hex' },
    },
  ],
  refuses: [
    ...onNoIndex({ startIndex: '7', numToFetch: '2' }),
    [{ ...given, numToFetch: '-1' }, 'expected 0 to 1024'],
    [{ ...given, numToFetch: '1025' }, 'expected 0 to 1024'],
    [{ ...given, numToFetch: '1.5' }, 'expected an integer'],
    [{ ...given, startIndex: '-1' }, 'expected a decimal integer'],
    [{ ...given, startIndex: '18446744073709551616' }, 'expected an integer of 64 bits'],
    [{ chain: 'X', kind: 'block', startIndex: '7' }, 'numToFetch'],
    [{ chain: 'X', kind: 'block', numToFetch: '2' }, 'startIndex'],
  ],
  greatest: 67_108_864,
  answers: [
    {
      fixture: 'node/index.getContainerRange.document',
      value: {
        containers: [
          {
            id: 'B1eDDe4MLjJRLt6tRSPswAsXHJ6SemS1xjRkUNCKyQZkEHoTg',
            bytes: '0xa0',
            timestamp: 1_677_628_800.25,
            encoding: 'hex',
            index: 1_000n,
          },
          { id: 'Pd2DzZzZfuaUEqktTyfPKQjZHnqxc96R4LHeavqZ8TxVbjY18', timestamp: 1_677_628_802, index: 1_001n },
        ],
      },
    },
    { fixture: 'node/index.getContainerRange.none', value: { containers: [] } },
    {
      fixture: 'node/index.getContainerRange.live',
      reads: { timestamp: seconds, index: BigInt },
    },
  ],
  amounts: [
    {
      item: '[{"id":"a","bytes":"0x","timestamp":"2020-01-01T00:00:00Z","encoding":"hex","index":@}]',
      path: 'containers.0.index',
      isRequired: true,
    },
  ],
  unwitnessed: 'the SDK would send the end of the range, which nodes do not know, instead of its length',
}
