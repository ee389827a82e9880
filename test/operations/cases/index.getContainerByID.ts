// Document 2, Index interface and Index container.

import { type Cases, seconds } from '../cases.ts'
import { firstIn, onEachIndex, onNoIndex } from '../index-paths.ts'

export const cases: Cases = {
  operation: 'index.getContainerByID',
  simulated: (world, path) => ({ id: firstIn(world, path) }),
  asks: onEachIndex({ id: 'c' }, { id: 'c' }),
  refuses: [
    ...onNoIndex({ id: 'c' }),
    [{ chain: 'X', kind: 'block', id: '' }, 'id'],
    [{ chain: 'X', kind: 'block' }, 'id'],
  ],
  answers: [
    {
      name: 'document',
      text: `{
        "id": "6fXf5hncR8LXvwtM8iezFQBpK5cubV6y1dWgpJCcNyzGB1EzY",
        "bytes": "0x00000000000400003039d891ad56056d9c01f18f43f58b5c784ad07a4a49cf3d",
        "timestamp": "2021-04-02T15:30:00.262979-07:00",
        "encoding": "hex",
        "index": "17"
      }`,
      reads: { timestamp: seconds, index: BigInt },
    },
    {
      name: 'minimal',
      text: '{ "id": "c", "bytes": null, "timestamp": "2021-04-02T22:30:01Z", "encoding": null, "index": "0" }',
      value: { id: 'c', timestamp: 1_617_402_601, index: 0n },
    },
  ],
  amounts: [
    {
      item: '{"id":"a","bytes":"0x","timestamp":"2020-01-01T00:00:00Z","encoding":"hex","index":@}',
      path: 'index',
      isRequired: true,
    },
  ],
  missing: ['not found'],
}
