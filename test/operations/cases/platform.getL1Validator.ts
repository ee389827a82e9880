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
      name: 'recorded',
      text: `{
        "nodeID": "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5",
        "weight": "100",
        "startTime": "1795307726",
        "validationID": "27ALrsLSgw1NL7BBfdPQaY7SK4Asjej4LpzuBh34kv8eUcqpDT",
        "publicKey": "0x8048109c3da13de0700f9f3590c3270bfc42277417f6d0cc84282947e1a1f8b4980fd3e3fe223acf0f56a5838890814a",
        "remainingBalanceOwner": {
          "locktime": "0",
          "threshold": "1",
          "addresses": ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"]
        },
        "deactivationOwner": {
          "locktime": "0",
          "threshold": "1",
          "addresses": ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"]
        },
        "minNonce": "0",
        "balance": "99999520",
        "subnetID": "231tCXRCx5NgtXjFaYTY3nnHyTBxauN1Q5wCqgJkUDzchPzDmv",
        "height": "122"
      }`,
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
