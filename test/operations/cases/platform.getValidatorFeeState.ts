// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getValidatorFeeState',
  asks: [{ params: {}, request: 'POST /ext/bc/P', body: {} }],
  refuses: [],
  answers: [
    {
      name: 'recorded',
      text: `{
        "excess": 0,
        "price": 1,
        "timestamp": "2026-11-22T00:35:26Z"
      }`,
      // 2026-11-22T00:35:26Z
      value: { excess: 0n, price: 1n, timestamp: 1_795_307_726 },
    },
    {
      name: 'grown',
      text: `{
        "excess": 18446744073709551615,
        "price": 9007199254740993,
        "timestamp": "2026-11-22T02:35:26+02:00"
      }`,
      value: { excess: 18_446_744_073_709_551_615n, price: 9_007_199_254_740_993n, timestamp: 1_795_307_726 },
    },
  ],
  amounts: [
    { item: '{"excess":@,"price":512,"timestamp":"2026-11-22T00:35:26Z"}', path: 'excess', isRequired: true },
    { item: '{"excess":0,"timestamp":"2026-11-22T00:35:26Z","price":@}', path: 'price', isRequired: true },
  ],
  unwitnessed: 'the SDK of the P-Chain has the price of gas, but not that of L1 validation',
}
