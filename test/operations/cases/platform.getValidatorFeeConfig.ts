// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getValidatorFeeConfig',
  asks: [{ params: {}, request: 'POST /ext/bc/P', body: {} }],
  refuses: [],
  answers: [
    {
      name: 'recorded',
      text: `{
        "capacity": 20000,
        "target": 10000,
        "minPrice": 1,
        "excessConversionConstant": 865617
      }`,
      value: { capacity: 20_000n, target: 10_000n, minPrice: 1n, excessConversionConstant: 865_617n },
    },
    {
      name: 'required',
      text: '{ "target": "10000", "minPrice": 9007199254740993, "excessConversionConstant": "1246488515" }',
      value: { target: 10_000n, minPrice: 9_007_199_254_740_993n, excessConversionConstant: 1_246_488_515n },
    },
  ],
  amounts: [
    { item: '{"target":@,"minPrice":1,"excessConversionConstant":1}', path: 'target', isRequired: true },
    {
      item: '{"capacity":@,"target":1,"minPrice":1,"excessConversionConstant":1}',
      path: 'capacity',
      canBeLeftOut: true,
    },
  ],
  unwitnessed: 'the SDK of the P-Chain has the price of gas, but not that of L1 validation',
}
