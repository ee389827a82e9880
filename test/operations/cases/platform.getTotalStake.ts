// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getTotalStake',
  asks: [
    { params: {}, request: 'POST /ext/bc/P', body: {} },
    { params: { subnetID: 'S' }, request: 'POST /ext/bc/P', body: { subnetID: 'S' } },
  ],
  refuses: [[{ subnetID: '' }, 'subnetID']],
  answers: [
    {
      name: 'recorded',
      text: `{
        "stake": "415",
        "weight": "415"
      }`,
      value: { stake: 415n, weight: 415n },
    },
    {
      name: 'required',
      text: `{
        "weight": "18446744073709551615"
      }`,
      value: { weight: 18_446_744_073_709_551_615n },
    },
  ],
  amounts: [
    { item: '{"weight":@}', path: 'weight', isRequired: true },
    { item: '{"weight":"1","stake":@}', path: 'stake', canBeLeftOut: true },
  ],
}
