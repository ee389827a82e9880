// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getFeeConfig',
  asks: [{ params: {}, request: 'POST /ext/bc/P', body: {} }],
  refuses: [],
  answers: [
    {
      name: 'recorded',
      text: `{
        "weights": [1, 1000, 1000, 4],
        "maxCapacity": 1000000,
        "maxPerSecond": 100000,
        "targetPerSecond": 50000,
        "minPrice": 1,
        "excessConversionConstant": 2164043
      }`,
      value: {
        weights: [1n, 1_000n, 1_000n, 4n],
        maxCapacity: 1_000_000n,
        maxPerSecond: 100_000n,
        targetPerSecond: 50_000n,
        minPrice: 1n,
        excessConversionConstant: 2_164_043n,
      },
    },
    {
      name: 'required',
      text: '{ "maxCapacity": 18446744073709551615, "minPrice": 1 }',
      value: { maxCapacity: 18_446_744_073_709_551_615n, minPrice: 1n },
    },
  ],
  amounts: [{ item: '{"maxCapacity":@,"minPrice":1}', path: 'maxCapacity', isRequired: true }],
}
