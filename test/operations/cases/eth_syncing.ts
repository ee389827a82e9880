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
    { name: 'recorded', text: 'false', value: false },
    {
      name: 'behind',
      text: `{
        "startingBlock": "0x0",
        "currentBlock": "0xcf",
        "highestBlock": "0xd0"
      }`,
      value: { currentBlock: 207n, highestBlock: 208n },
    },
  ],
  unwitnessed: 'the SDKs have no method for it',
}
