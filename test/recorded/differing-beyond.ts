// Of the recordings beyond the two documents: which of them are put to the simulator, which of those it answers otherwise,
// and why.

import type { Differing } from './differing.ts'

/** Files of test/fixtures/recorded-beyond. Whoever makes the simulator serve a method adds its file. */
export const replayed: readonly string[] = [
  'eth_baseFee',
  'eth_batch',
  'eth_blockNumber',
  'eth_chainId',
  'eth_getBlockByNumber',
  'eth_nonsense',
  'eth_syncing',
  'info.nonsense',
  'info.uptime',
  'platform.getBlockchainStatus',
  'platform.getCurrentSupply',
  'platform.getCurrentValidators',
  'platform.getFeeConfig',
  'platform.getFeeState',
  'platform.getL1Validator',
  'platform.getMinStake',
  'platform.getSubnet',
  'platform.getTotalStake',
  'platform.getValidatorFeeConfig',
  'platform.getValidatorFeeState',
  'platform.getValidatorsAt',
  'validators.getCurrentValidators',
]

/** Of platform.getValidatorsAt: what the simulated nodes do not know. */
const ofOtherHeights = [
  'L1, number as string',
  'L1, number',
  'L1, 0',
  'L1, height beyond the tip',
  'L1, before conversion',
  'no height',
  'L1, two inactive, current height',
].map((name) => ({
  of: 'platform.getValidatorsAt',
  case: name,
  why: 'the simulated nodes know the validators of the proposed height alone',
}))

export const differingBeyond: readonly Differing[] = [
  { of: 'eth_getBlockByNumber', case: 'L1, full', why: 'the simulated node tells transactions by their hashes alone' },
  ...ofOtherHeights,
]
