// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getFeeState',
  asks: [{ params: {}, request: 'POST /ext/bc/P', body: {} }],
  refuses: [],
  answers: [
    {
      name: 'recorded',
      text: `{
        "capacity": 939304,
        "excess": 60696,
        "price": 1,
        "timestamp": "2026-11-22T00:35:26Z"
      }`,
      // 2026-11-22T00:35:26Z
      value: { capacity: 939_304n, excess: 60_696n, price: 1n, timestamp: 1_795_307_726 },
    },
    {
      name: 'texts',
      text: '{ "capacity": "1", "excess": 9007199254740993, "price": "3", "timestamp": "1970-01-01T00:00:04.5Z" }',
      value: { capacity: 1n, excess: 9_007_199_254_740_993n, price: 3n, timestamp: 4.5 },
    },
  ],
  amounts: [
    {
      item: '{"capacity":1,"excess":1,"timestamp":"2026-11-22T00:35:26Z","price":@}',
      path: 'price',
      isRequired: true,
    },
  ],
}
