// The cases recorded beyond the two documents that the simulator's live form answers otherwise, and why. One in twenty at most.

import type { Differing } from './differing.ts'

const LATER = 'the simulated network has had upgrades after Helicon'
const QUORUM =
  'the recorded network was set to need 68 % of the stake, the simulated one needs 80 % as public networks do: what waits for 75 % is unhealthy'

export const differingBeyond: readonly Differing[] = [
  { of: 'eth_getBlockByNumber', case: 'L1, full', why: 'the simulated node lists the hashes of transactions alone' },
  ...['', ', tag of the L1 subnet'].map((tag) => ({
    of: tag === '' ? 'health' : 'health_tag',
    case: `L1 chain: all its nodes restarted, 73 % of its stake up, waits for 75 %${tag}`,
    why: QUORUM,
  })),
  ...['plain', 'node whose P-Chain cannot bootstrap'].map((name) => ({ of: 'info.upgrades', case: name, why: LATER })),
]
