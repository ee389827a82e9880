// Document 1, operation 2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'get-aggregated-signatures',
  simulated: ({ ledger }) => {
    const isL1s = ({ facts }: { facts: { l1Validators?: unknown } }) => facts.l1Validators !== undefined
    return { network: 'fuji', txHash: [...ledger.transactions('P')].find(isL1s)!.id }
  },
  asks: ['mainnet', 'fuji', 'testnet'].map((network) => ({
    params: { network, txHash: '2qKx' },
    request: `GET /v1/signatureAggregator/${network}/aggregateSignatures/2qKx`,
  })),
  refuses: [
    [{ network: 'moon', txHash: '2qKx' }, 'mainnet'],
    [{ network: 'fuji', txHash: '' }, 'expected string to have >=1 characters'],
  ],
  answers: [{ fixture: 'data/get-aggregated-signatures.document', value: { signedMessage: '0x0000000000053b21' } }],
}
