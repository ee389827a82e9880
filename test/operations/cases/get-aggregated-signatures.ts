// Document 1, operation 2.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'get-aggregated-signatures',
  // A transaction about an L1 of which enough validators sign.
  simulated: ({ ledger, l1s: { all } }) => {
    const { subnetId } = all[0]!
    const tx = [...ledger.transactions('P')].find(({ facts }) => facts.l1Validators?.[0]?.subnetId === subnetId)
    return { network: 'fuji', txHash: tx!.id }
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
