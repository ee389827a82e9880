// The interface of a chain with an EVM: false was recorded from AvalancheGo 1.14.2, the other form is that of Ethereum.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'eth_syncing',
  simulated: () => ({ chain: 'C' }),
  asks: [{ params: { chain: 'C' }, request: 'POST /ext/bc/C/rpc', body: [] }],
  refuses: [
    [{}, 'chain'],
    [{ chain: '' }, 'chain'],
  ],
  answers: [
    { fixture: 'node/eth_syncing.recorded', value: false },
    { fixture: 'node/eth_syncing.behind', value: { currentBlock: 207n, highestBlock: 208n } },
  ],
  unwitnessed: 'the SDKs have no method for it',
}
