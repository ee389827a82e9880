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
  'validators.getCurrentValidators',
]

export const differingBeyond: readonly Differing[] = [
  { of: 'eth_getBlockByNumber', case: 'L1, full', why: 'the simulated node tells transactions by their hashes alone' },
]
