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
      name: 'document',
      text: `{
        "block": {
          "parentID": "5615di9ytxujackzaXNrVuWQy5y8Yrt8chPCscMr5Ku9YxJ1S",
          "height": 1000001,
          "txs": [
            {
              "unsignedTx": {
                "inputs": {
                  "networkID": 5,
                  "blockchainID": "11111111111111111111111111111111LpoYY",
                  "outputs": [
                    {
                      "assetID": "change-asset",
                      "fxID": "change-fx",
                      "output": {
                        "addresses": ["P-fuji1aa", "P-fuji1bb"],
                        "amount": 9007199254740993,
                        "locktime": 18446744073709551615,
                        "threshold": 2
                      }
                    }
                  ],
                  "inputs": [
                    {
                      "txID": "DTqiagiMFdqbNQ62V2Gt1GddTVLkKUk2caGr4pyza9hTtsfta",
                      "outputIndex": 3,
                      "assetID": "input-asset",
                      "fxID": "input-fx",
                      "input": { "amount": 9007199254740995, "signatureIndices": [0, 4] }
                    }
                  ],
                  "memo": "0x0102"
                },
                "destinationChain": "2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm",
                "exportedOutputs": [
                  {
                    "assetID": "export-asset",
                    "fxID": "export-fx",
                    "output": { "addresses": ["P-fuji1cc"], "amount": 2999999, "locktime": 6, "threshold": 1 }
                  }
                ]
              },
              "credentials": [{ "signatures": ["0x6954", "0x6955"] }, { "signatures": ["0x6956"] }]
            }
          ]
        },
        "encoding": "json"
      }`,
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
      name: 'minimal',
      text: `{
        "block": {
          "parentID": "p",
          "height": 0,
          "txs": [
            {},
            { "unsignedTx": {}, "credentials": [{}] },
            { "unsignedTx": { "inputs": {} } },
            { "unsignedTx": { "inputs": {}, "outputs": [{}, { "output": {} }], "exportedOutputs": [{ "output": {} }] } },
            { "unsignedTx": { "inputs": [{}, { "input": {} }] } }
          ]
        }
      }`,
      reads: { height: BigInt },
    },
    {
      name: 'live',
      text: `{
        "block": {
          "time": 1787410800,
          "parentID": "2bxf5t2UQAALMPQxbyedYkvbd7qWL537RTqP68uCtVvAUkQwxJ",
          "height": 23456789,
          "id": "2rN4x7rDMyaotSkHZjkacfV9QMgJXtZprak1a2mpKSqGN8XzqP",
          "txs": [
            {
              "unsignedTx": {
                "networkID": 1,
                "blockchainID": "11111111111111111111111111111111LpoYY",
                "outputs": [
                  {
                    "assetID": "FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z",
                    "fxID": "spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ",
                    "output": { "addresses": ["P-avax1dd"], "amount": 71, "locktime": 72, "threshold": 73 }
                  },
                  {
                    "assetID": "locked-asset",
                    "fxID": "locked-fx",
                    "output": {
                      "locktime": 1800000000,
                      "output": { "addresses": ["P-avax1ee"], "amount": 74, "locktime": 0, "threshold": 1 }
                    }
                  }
                ],
                "inputs": [
                  {
                    "txID": "QqxpcYfkodSW9jTWxKbyj39cTv9A3sSu4JBGHa2cy8edhYVSK",
                    "outputIndex": 81,
                    "assetID": "live-input-asset",
                    "fxID": "live-input-fx",
                    "input": { "amount": 82, "signatureIndices": [83] }
                  }
                ],
                "memo": "0x",
                "sourceChain": "2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM",
                "importedInputs": []
              },
              "credentials": [{ "signatures": ["0x84"] }],
              "id": "Khgn1zS8W5BDpDnfRtTZoNopF4LyuCAgEps2iyYRJcLZg73dZ"
            }
          ]
        },
        "encoding": "json"
      }`,
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
