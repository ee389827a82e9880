// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getL1Validator',
  simulated: ({ l1s }) => ({ validationID: l1s.all[0]!.validators[0]!.validationId }),
  asks: [{ params: { validationID: 'V' }, request: 'POST /ext/bc/P', body: { validationID: 'V' } }],
  refuses: [
    [{}, 'validationID'],
    [{ validationID: '' }, 'validationID'],
  ],
  answers: [
    {
      fixture: 'node/platform.getL1Validator.recorded',
      reads: {
        weight: BigInt,
        startTime: Number,
        locktime: BigInt,
        threshold: BigInt,
        minNonce: BigInt,
        balance: BigInt,
        height: BigInt,
      },
    },
    {
      name: 'required',
      text: '{ "subnetID": "s", "nodeID": "n", "weight": "18446744073709551615", "balance": "0" }',
      value: { subnetID: 's', nodeID: 'n', weight: 18_446_744_073_709_551_615n, balance: 0n },
    },
    {
      name: 'nobody',
      text: '{ "subnetID": "s", "nodeID": "n", "weight": "18446744073709551615", "balance": "0", "deactivationOwner": {} }',
      value: { subnetID: 's', nodeID: 'n', weight: 18_446_744_073_709_551_615n, balance: 0n, deactivationOwner: {} },
    },
  ],
  amounts: [
    { item: '{"subnetID":"s","nodeID":"n","weight":"1","balance":@}', path: 'balance', isRequired: true },
    { item: '{"subnetID":"s","nodeID":"n","balance":"1","weight":@}', path: 'weight', isRequired: true },
  ],
  missing: ['fetching L1 validator "fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet" failed: not found'],
}
