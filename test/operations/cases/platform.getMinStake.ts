// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getMinStake',
  asks: [
    { params: {}, request: 'POST /ext/bc/P', body: {} },
    { params: { subnetID: 'S' }, request: 'POST /ext/bc/P', body: { subnetID: 'S' } },
  ],
  refuses: [[{ subnetID: '' }, 'subnetID']],
  answers: [
    {
      name: 'recorded',
      text: `{
        "minValidatorStake": "2000000000000",
        "minDelegatorStake": "25000000000"
      }`,
      value: { minValidatorStake: 2_000_000_000_000n, minDelegatorStake: 25_000_000_000n },
    },
  ],
  amounts: [
    { item: '{"minValidatorStake":@,"minDelegatorStake":"1"}', path: 'minValidatorStake', isRequired: true },
    { item: '{"minValidatorStake":"1","minDelegatorStake":@}', path: 'minDelegatorStake', isRequired: true },
  ],
  missing: ['failed fetching subnet transformation for 231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv: not found'],
  missingLasts: true,
}
