// The node's own interface: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

const EMPTY = '11111111111111111111111111111111LpoYY'
const owned = {
  controlKeys: ['P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'],
  threshold: 1n,
  locktime: 0n,
  subnetTransformationTxID: EMPTY,
}

export const cases: Cases = {
  operation: 'platform.getSubnet',
  simulated: ({ l1s }) => ({ subnetID: l1s.all[0]!.subnetId }),
  asks: [{ params: { subnetID: 'S' }, request: 'POST /ext/bc/P', body: { subnetID: 'S' } }],
  refuses: [
    [{}, 'subnetID'],
    [{ subnetID: '' }, 'subnetID'],
  ],
  answers: [
    {
      name: 'recorded',
      text: `{
        "isPermissioned": false,
        "controlKeys": ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
        "threshold": "1",
        "locktime": "0",
        "subnetTransformationTxID": "11111111111111111111111111111111LpoYY",
        "conversionID": "22ofQfarP9d6Hb26b5NfuagPWYHQT9JtGWF4WQYfx2cqshDPTf",
        "managerChainID": "fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet",
        "managerAddress": "0x"
      }`,
      reads: { threshold: BigInt, locktime: BigInt },
    },
    {
      name: 'permissioned',
      text: `{
        "isPermissioned": true,
        "controlKeys": ["P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"],
        "threshold": "1",
        "locktime": "0",
        "subnetTransformationTxID": "11111111111111111111111111111111LpoYY",
        "conversionID": "11111111111111111111111111111111LpoYY",
        "managerChainID": "11111111111111111111111111111111LpoYY",
        "managerAddress": null
      }`,
      value: { ...owned, isPermissioned: true, conversionID: EMPTY, managerChainID: EMPTY },
    },
    {
      name: 'required',
      text: `{
        "isPermissioned": false,
        "controlKeys": [],
        "threshold": "0",
        "conversionID": "c",
        "managerChainID": "m"
      }`,
      value: { isPermissioned: false, controlKeys: [], threshold: 0n, conversionID: 'c', managerChainID: 'm' },
    },
  ],
  amounts: [
    {
      item: '{"isPermissioned":true,"controlKeys":[],"conversionID":"c","managerChainID":"m","threshold":@}',
      path: 'threshold',
      isRequired: true,
    },
  ],
  missing: [
    '"fGCFLZ7U6GWmVfTrh5fWbjjwsqe9FMMkcAGEYiMw1TH5QiPet" is not a subnet',
    // Of the primary network.
    "the primary network isn't a subnet",
  ],
  missingLasts: true,
}
