// The types of transactions that the live service takes as a filter: of any other it is a mistake to ask.

import { type Dialect, Refusal } from '../handler.ts'

const types = [
  'AddValidatorTx',
  'AddSubnetValidatorTx',
  'AddDelegatorTx',
  'CreateChainTx',
  'CreateSubnetTx',
  'ImportTx',
  'ExportTx',
  'AdvanceTimeTx',
  'RewardValidatorTx',
  'RemoveSubnetValidatorTx',
  'TransformSubnetTx',
  'AddPermissionlessValidatorTx',
  'AddPermissionlessDelegatorTx',
  'BaseTx',
  'TransferSubnetOwnershipTx',
  'ConvertSubnetToL1Tx',
  'RegisterL1ValidatorTx',
  'SetL1ValidatorWeightTx',
  'DisableL1ValidatorTx',
  'IncreaseL1ValidatorBalanceTx',
  'UNKNOWN',
  'CreateAssetTx',
  'OperationTx',
]

/** The document leaves the set open: there an unknown type is one of which there are no transactions. */
export function refuseUnknownTypes(given: readonly string[] | undefined, dialect: Dialect): void {
  if (dialect === 'document' || (given ?? []).every((type) => types.includes(type))) return
  throw new Refusal(400, `each value in txTypes must be one of the following values: ${types.join(', ')}`)
}
