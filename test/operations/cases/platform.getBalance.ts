// Document 2, P-Chain interface. Live nodes give null for the UTXOs of an address that has none.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getBalance',
  simulated: ({ validators }) => ({ addresses: `P-${[...validators.all.values()][2]!.owner}` }),
  asks: [
    { params: { addresses: 'P' }, request: 'POST /ext/bc/P', body: { addresses: ['P'] } },
    {
      params: { addresses: 'P-fuji1aa,P-fuji1bb' },
      request: 'POST /ext/bc/P',
      body: { addresses: ['P-fuji1aa', 'P-fuji1bb'] },
    },
  ],
  refuses: [
    [{}, 'addresses'],
    [{ addresses: '' }, 'addresses'],
    [{ addresses: 'P-fuji1aa,' }, 'addresses'],
  ],
  greatest: 16_777_216,
  nullsDiffer: ['balances.*', 'unlockeds.*', 'lockedStakeables.*', 'lockedNotStakeables.*'],
  answers: [
    {
      fixture: 'node/platform.getBalance.document',
      reads: {
        balance: BigInt,
        unlocked: BigInt,
        lockedStakeable: BigInt,
        lockedNotStakeable: BigInt,
        balances: BigInt,
        A2: BigInt,
        unlockeds: BigInt,
        lockedStakeables: BigInt,
        lockedNotStakeables: BigInt,
      },
    },
    { fixture: 'node/platform.getBalance.minimal', value: { balance: 9n, utxoIDs: [{}, {}] } },
    { fixture: 'node/platform.getBalance.empty', value: {} },
    {
      fixture: 'node/platform.getBalance.live',
      reads: { balance: BigInt, unlocked: BigInt, lockedStakeable: BigInt, lockedNotStakeable: BigInt },
    },
  ],
  amounts: [{ item: '{"lockedStakeable":@}', path: 'lockedStakeable' }],
}
