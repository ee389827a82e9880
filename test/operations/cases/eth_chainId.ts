// The interface of a chain with an EVM: recorded from AvalancheGo 1.14.2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'eth_chainId',
  simulated: () => ({ chain: 'C' }),
  asks: [{ params: { chain: 'C' }, request: 'POST /ext/bc/C/rpc', body: [] }],
  refuses: [
    [{}, 'chain'],
    [{ chain: '' }, 'chain'],
  ],
  answers: [{ name: 'recorded', text: '"0x12cc9"', value: 77_001n }],
}
