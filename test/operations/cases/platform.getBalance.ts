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
      value: {
        balance: 30_000_000_000_000_001n,
        unlocked: 20_000_000_000_000_002n,
        lockedStakeable: 10_000_000_000_000_003n,
        lockedNotStakeable: 4n,
        balances: { BUuypiq2wyuLMvyhzFXcPyxPMCgSp7eeDohhQRqTChoBjKziC: 30_000_000_000_000_005n, A2: 50n },
        unlockeds: { BUuypiq2wyuLMvyhzFXcPyxPMCgSp7eeDohhQRqTChoBjKziC: 20_000_000_000_000_006n, A2: 60n },
        lockedStakeables: { BUuypiq2wyuLMvyhzFXcPyxPMCgSp7eeDohhQRqTChoBjKziC: 10_000_000_000_000_007n },
        lockedNotStakeables: { BUuypiq2wyuLMvyhzFXcPyxPMCgSp7eeDohhQRqTChoBjKziC: 8n },
        utxoIDs: [
          { txID: '11111111111111111111111111111111LpoYY', outputIndex: 1 },
          { txID: 'K2HX8XVVhmK1tVHoRFm2VzFBtryV2BamM1GJLzZLeVKaeZS4n', outputIndex: 2 },
        ],
      },
    },
    { fixture: 'node/platform.getBalance.minimal', value: { balance: 9n, utxoIDs: [{}, {}] } },
    { fixture: 'node/platform.getBalance.empty', value: {} },
    {
      fixture: 'node/platform.getBalance.live',
      value: {
        balance: 0n,
        unlocked: 0n,
        lockedStakeable: 0n,
        lockedNotStakeable: 0n,
        balances: {},
        unlockeds: {},
        lockedStakeables: {},
        lockedNotStakeables: {},
      },
    },
  ],
  amounts: [{ item: '{"lockedStakeable":@}', path: 'lockedStakeable' }],
}
