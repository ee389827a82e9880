// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getFeeConfig',
  asks: [{ params: {}, request: 'POST /ext/bc/P', body: {} }],
  refuses: [],
  answers: [
    {
      fixture: 'node/platform.getFeeConfig.recorded',
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
      fixture: 'node/platform.getFeeConfig.required',
      value: { maxCapacity: 18_446_744_073_709_551_615n, minPrice: 1n },
    },
  ],
  amounts: [{ item: '{"maxCapacity":@,"minPrice":1}', path: 'maxCapacity', isRequired: true }],
}
