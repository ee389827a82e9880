// Document 2, P-Chain interface and P-Chain block. Live nodes put the inputs next to the rest of the transaction.

import type { Cases } from '../cases.ts'

export const cases: Cases = {
  operation: 'platform.getBlock',
  isPartial: true,
  simulated: ({ chains }) => ({ blockID: chains.P.block(7)!.hash }),
  asks: [
    { params: { blockID: 'b' }, request: 'POST /ext/bc/P', body: { blockID: 'b', encoding: 'hex' } },
    { params: { blockID: 'b', encoding: 'hex' }, request: 'POST /ext/bc/P', body: { blockID: 'b', encoding: 'hex' } },
    { params: { blockID: 'b', encoding: 'json' }, request: 'POST /ext/bc/P', body: { blockID: 'b', encoding: 'json' } },
  ],
  refuses: [
    [{}, 'blockID'],
    [{ blockID: '' }, 'blockID'],
    [{ blockID: 'b', encoding: 'cb58' }, 'expected one of "hex"|"json"'],
  ],
  answers: [
    {
      fixture: 'node/platform.getBlock.document',
      reads: { height: BigInt, amount: BigInt, locktime: BigInt },
    },
    {
      name: 'hex',
      text: `{
        "block": "0x00000000000309473dc99a0851a29174d84e522da8ccb1a56ac23f7b0ba79f80acce34cf576900000000000f4241",
        "encoding": "hex"
      }`,
      value: {
        block: '0x00000000000309473dc99a0851a29174d84e522da8ccb1a56ac23f7b0ba79f80acce34cf576900000000000f4241',
        encoding: 'hex',
      },
    },
    {
      fixture: 'node/platform.getBlock.minimal',
      reads: { height: BigInt },
    },
    {
      fixture: 'node/platform.getBlock.live',
      value: {
        block: {
          time: 1_787_410_800,
          parentID: '2bxf5t2UQAALMPQxbyedYkvbd7qWL537RTqP68uCtVvAUkQwxJ',
          height: 23_456_789n,
          id: '2rN4x7rDMyaotSkHZjkacfV9QMgJXtZprak1a2mpKSqGN8XzqP',
          txs: [
            {
              unsignedTx: {
                networkID: 1,
                blockchainID: '11111111111111111111111111111111LpoYY',
                outputs: [
                  {
                    assetID: 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z',
                    fxID: 'spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ',
                    output: { addresses: ['P-avax1dd'], amount: 71n, locktime: 72n, threshold: 73 },
                  },
                  { assetID: 'locked-asset', fxID: 'locked-fx', output: { locktime: 1_800_000_000n } },
                ],
                inputs: [
                  {
                    txID: 'QqxpcYfkodSW9jTWxKbyj39cTv9A3sSu4JBGHa2cy8edhYVSK',
                    outputIndex: 81,
                    assetID: 'live-input-asset',
                    fxID: 'live-input-fx',
                    input: { amount: 82n, signatureIndices: [83] },
                  },
                ],
                memo: '0x',
              },
              credentials: [{ signatures: ['0x84'] }],
              id: 'Khgn1zS8W5BDpDnfRtTZoNopF4LyuCAgEps2iyYRJcLZg73dZ',
            },
          ],
        },
        encoding: 'json',
      },
    },
  ],
  amounts: [
    {
      item: '{"block":{"parentID":"a","height":1,"txs":[{"unsignedTx":{"outputs":[{"output":{"amount":@}}]}}]}}',
      path: 'block.txs.0.unsignedTx.outputs.0.output.amount',
      canBeLeftOut: true,
    },
  ],
  missing: ["couldn't get block with id 2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM: not found"],
}
