// Document 1, operation 4, PrimaryNetworkTransaction, and GenesisData where a chain is made.

import { type Cases, gone } from '../cases.ts'

const path = '/v1/networks/fuji/blockchains/p-chain/transactions'
const given = { network: 'fuji', blockchainId: 'p-chain' }
const evm = '0x00000000000000000000000000000000000000aa'
const needsOwner = 'txTypes, startTimestamp and endTimestamp need addresses, or on the P-Chain l1ValidationId'
const myGenesis = { gasLimit: 15_000_000n, config: { chainId: 99_999n } }

export const cases: Cases = {
  operation: 'list-latest-transactions',
  simulated: () => ({ network: 'fuji', blockchainId: 'p-chain' }),
  asks: [
    { params: given, request: `GET ${path}?pageSize=10` },
    {
      params: { ...given, addresses: 'P-fuji1abc', txTypes: 'AddValidatorTx', pageSize: '1' },
      request: `GET ${path}?addresses=P-fuji1abc&txTypes=AddValidatorTx&pageSize=1`,
    },
    {
      params: {
        network: 'mainnet',
        blockchainId: 'x-chain',
        addresses: 'X-avax1abc,avax1def',
        txTypes: 'BaseTx, OneOfTomorrowTx',
        startTimestamp: '0',
        endTimestamp: '1700000000',
        pageToken: 'token 1',
        pageSize: '100',
        sortOrder: 'asc',
      },
      request:
        'GET /v1/networks/mainnet/blockchains/x-chain/transactions?addresses=X-avax1abc%2Cavax1def&txTypes=BaseTx&txTypes=OneOfTomorrowTx&startTimestamp=0&endTimestamp=1700000000&pageToken=token+1&pageSize=100&sortOrder=asc',
    },
    {
      params: { network: 'testnet', blockchainId: 'c-chain', addresses: `${evm},fuji1abc`, sortOrder: 'desc' },
      request: `GET /v1/networks/testnet/blockchains/c-chain/transactions?addresses=${evm}%2Cfuji1abc&pageSize=10&sortOrder=desc`,
    },
    {
      params: { ...given, blockchainId: '11111111111111111111111111111111LpoYY', l1ValidationId: 'v' },
      request:
        'GET /v1/networks/fuji/blockchains/11111111111111111111111111111111LpoYY/transactions?l1ValidationId=v&pageSize=10',
    },
    {
      params: { ...given, l1ValidationId: 'v', txTypes: 'ConvertSubnetToL1Tx', startTimestamp: '1' },
      request: `GET ${path}?l1ValidationId=v&txTypes=ConvertSubnetToL1Tx&startTimestamp=1&pageSize=10`,
    },
    {
      params: { ...given, addresses: 'fuji1abc', l1ValidationId: 'v', endTimestamp: '0' },
      request: `GET ${path}?addresses=fuji1abc&l1ValidationId=v&endTimestamp=0&pageSize=10`,
    },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, blockchainId: 'q-chain' }, 'expected one of p-chain, '],
    [{ ...given, txTypes: 'AddValidatorTx' }, needsOwner],
    [{ ...given, startTimestamp: '1' }, needsOwner],
    [{ ...given, endTimestamp: '1' }, needsOwner],
    [{ ...given, blockchainId: 'x-chain', l1ValidationId: 'v' }, 'l1ValidationId applies to the P-Chain alone'],
    [{ ...given, blockchainId: 'c-chain', l1ValidationId: 'v' }, 'l1ValidationId applies to the P-Chain alone'],
    [{ ...given, l1ValidationId: '' }, 'expected string to have >=1 characters'],
    [{ ...given, addresses: evm }, '0x... addresses are for the C-Chain alone'],
    [{ ...given, blockchainId: 'x-chain', addresses: `fuji1abc, ${evm}` }, '0x... addresses are for the C-Chain alone'],
    [{ ...given, blockchainId: 'c-chain', addresses: '0xaa' }, 'or 0x... for the C-Chain'],
    [{ ...given, addresses: 'P-abc' }, 'expected comma-separated addresses'],
    [{ ...given, addresses: 'P-avax1abc' }, 'expected addresses of the network'],
    [{ ...given, addresses: 'fuji1abc', txTypes: 'BaseTx,' }, 'expected names of transaction types'],
    [{ ...given, addresses: 'fuji1abc', startTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ ...given, addresses: 'fuji1abc', endTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, sortOrder: 'up' }, 'expected one of "asc"|"desc"'],
  ],
  nullsDiffer: [
    'transactions.*.l1ValidatorDetails.*.blsCredentials.*',
    'transactions.*.blockchainInfo.genesisData.alloc.*',
  ],
  answers: [
    {
      name: 'document',
      text: `{
        "nextPageToken": "0c1f9a52-6d0a-4f6e-b6f7-6a8d2f4d9e31",
        "transactions": [
          {
            "txHash": "tx-1",
            "txType": "ConvertSubnetToL1Tx",
            "blockTimestamp": 1700000001,
            "blockNumber": "5001",
            "blockHash": "block-1",
            "consumedUtxos": [{ "utxoId": "utxo-consumed", "amount": "9000000001", "outputIndex": 1 }],
            "emittedUtxos": [{ "utxoId": "utxo-emitted", "amount": "9000000002", "outputIndex": 2 }],
            "sourceChain": "chain-source",
            "destinationChain": "chain-destination",
            "value": [
              {
                "assetId": "asset-1",
                "name": "Avalanche",
                "symbol": "AVAX",
                "denomination": 9,
                "type": "secp256k1",
                "amount": "1000000001"
              }
            ],
            "amountBurned": [{ "assetId": "asset-1", "amount": "1000000002" }],
            "amountStaked": [{ "assetId": "asset-1", "amount": "1000000003" }],
            "amountL1ValidatorBalanceBurned": [{ "assetId": "asset-1", "amount": "1000000004" }],
            "startTimestamp": 1700000002,
            "endTimestamp": 1700000003,
            "delegationFeePercent": "2.5",
            "nodeId": "NodeID-1",
            "subnetId": "subnet-1",
            "l1ValidatorManagerDetails": { "blockchainId": "chain-manager", "contractAddress": "0xmanager" },
            "l1ValidatorDetails": [
              {
                "validationId": "validation-1",
                "validationIdHex": "0xvalidation1",
                "nodeId": "NodeID-2",
                "subnetId": "subnet-2",
                "weight": 100,
                "remainingBalance": 200000000,
                "balanceChange": -300,
                "blsCredentials": { "publicKey": "0xkey1", "proofs": ["0xproof1"] }
              }
            ],
            "estimatedReward": "150500000005",
            "rewardTxHash": "tx-reward",
            "rewardAddresses": ["fuji1reward", "fuji1fee"],
            "memo": "0xmemo",
            "stakingTxHash": "tx-staking",
            "subnetOwnershipInfo": {
              "locktime": 1700000004,
              "threshold": 2,
              "addresses": ["fuji1owner", "fuji1other"]
            },
            "blsCredentials": { "publicKey": "0xkey2", "proofOfPossession": "0xproof2" },
            "blockchainInfo": {
              "chainName": "My L1",
              "vmId": "vm-1",
              "genesisData": { "gasLimit": "0xe4e1c0", "config": { "chainId": 99999 } }
            }
          }
        ],
        "chainInfo": { "chainName": "p-chain", "network": "fuji" }
      }`,
      reads: {
        blockNumber: BigInt,
        amount: BigInt,
        delegationFeePercent: Number,
        weight: BigInt,
        remainingBalance: BigInt,
        balanceChange: BigInt,
        estimatedReward: BigInt,
        locktime: BigInt,
        gasLimit: BigInt,
        chainId: BigInt,
      },
    },
    {
      name: 'live',
      text: String.raw`{
        "transactions": [
          {
            "txHash": "tx-1",
            "txType": "RegisterL1ValidatorTx",
            "l1ValidatorDetails": [
              { "weight": "101", "remainingBalance": "201", "balanceChange": "301" },
              { "weight": 18446744073709551615, "remainingBalance": 9007199254740993, "balanceChange": -9007199254740995 }
            ],
            "subnetOwnershipInfo": { "locktime": 18446744073709551615 },
            "blockchainInfo": {
              "chainName": "My L1",
              "genesisData": "{\"gasLimit\":\"0xe4e1c0\",\"config\":{\"chainId\":99999}}"
            }
          }
        ],
        "chainInfo": { "chainName": "p-chain", "network": "fuji" }
      }`,
      value: {
        transactions: [
          {
            txHash: 'tx-1',
            txType: 'RegisterL1ValidatorTx',
            l1ValidatorDetails: [
              { weight: 101n, remainingBalance: 201n, balanceChange: 301n },
              {
                weight: 18_446_744_073_709_551_615n,
                remainingBalance: 9_007_199_254_740_993n,
                balanceChange: -9_007_199_254_740_995n,
              },
            ],
            subnetOwnershipInfo: { locktime: 18_446_744_073_709_551_615n },
            blockchainInfo: { chainName: 'My L1', genesisData: myGenesis },
          },
        ],
        chainInfo: { chainName: 'p-chain', network: 'fuji' },
      },
    },
    {
      name: 'renewals',
      text: `{
        "transactions": [
          {
            "txHash": "tx-1",
            "txType": "AddAutoRenewedValidatorTx",
            "period": 172800,
            "autoCompoundRewardShares": 500000,
            "validatorAuthority": { "addresses": ["fuji1authority"], "threshold": 1 }
          },
          { "txHash": "tx-2", "period": -1, "autoCompoundRewardShares": "x", "validatorAuthority": { "addresses": 1, "threshold": "x" } },
          { "txHash": "tx-3", "validatorAuthority": 1 }
        ]
      }`,
      fieldsDropped: 5,
      value: {
        transactions: [
          {
            txHash: 'tx-1',
            txType: 'AddAutoRenewedValidatorTx',
            period: 172_800,
            autoCompoundRewardShares: 500_000,
            validatorAuthority: { addresses: ['fuji1authority'], threshold: 1 },
          },
          { txHash: 'tx-2', validatorAuthority: {} },
          { txHash: 'tx-3' },
        ],
      },
    },
    {
      name: 'live-x',
      text: `{
        "transactions": [
          {
            "txHash": "tx-1",
            "chainFormat": "linear",
            "timestamp": 1700000001,
            "txType": "CreateAssetTx",
            "memo": "0xmemo",
            "consumedUtxos": [{ "utxoId": "utxo-consumed", "outputIndex": "1" }],
            "emittedUtxos": [{ "utxoId": "utxo-emitted", "outputIndex": "2" }],
            "amountUnlocked": [{ "assetId": "asset-1", "amount": "1000000001" }],
            "amountCreated": [{ "assetId": "asset-1", "amount": "1000000002" }],
            "sourceChain": "chain-source",
            "destinationChain": "chain-destination",
            "assetCreated": {
              "assetId": "asset-2",
              "name": "Other",
              "symbol": "OTH",
              "denomination": 6,
              "type": "secp256k1",
              "createdAtTimestamp": 1700000002,
              "cap": "fixed"
            },
            "blockHeight": 5001,
            "blockHash": "block-1"
          },
          {
            "txHash": "tx-2",
            "chainFormat": "non-linear",
            "timestamp": 1600000001,
            "txType": "BaseTx",
            "vertices": [{ "hash": "vertex-1", "height": 701, "timestamp": 1600000002 }]
          }
        ],
        "chainInfo": { "chainName": "x-chain", "network": "fuji" }
      }`,
      reads: { outputIndex: Number, amount: BigInt, blockHeight: BigInt, height: BigInt },
    },
    {
      name: 'live-c',
      text: `{
        "transactions": [
          {
            "txHash": "tx-1",
            "blockHeight": 5001,
            "blockHash": "block-1",
            "timestamp": 1700000001,
            "memo": "0xmemo",
            "amountUnlocked": [{ "assetId": "asset-1", "amount": "1000000001" }],
            "amountCreated": [{ "assetId": "asset-1", "amount": "1000000002" }],
            "sourceChain": "chain-c",
            "destinationChain": "chain-p",
            "txType": "ExportTx",
            "evmInputs": [
              {
                "fromAddress": "0xfrom",
                "asset": { "assetId": "asset-1", "amount": "1000000003" },
                "credentials": [{ "signature": "0xsigned", "publicKey": "0xkey" }]
              }
            ],
            "emittedUtxos": [{ "utxoId": "utxo-emitted" }]
          },
          {
            "txHash": "tx-2",
            "txType": "ImportTx",
            "evmOutputs": [{ "toAddress": "0xto", "asset": { "assetId": "asset-1", "amount": "1000000004" } }],
            "consumedUtxos": [{ "utxoId": "utxo-consumed" }]
          }
        ],
        "chainInfo": { "chainName": "c-chain", "network": "fuji" }
      }`,
      reads: { blockHeight: BigInt, amount: BigInt },
    },
    {
      name: 'numbers beyond doubles',
      text: `{
        "transactions": [
          {
            "txHash": "tx-1",
            "l1ValidatorDetails": [
              { "blsCredentials": { "publicKey": 1e999 } },
              { "blsCredentials": { "proofs": ["0xproof", [-1e999]] } },
              { "blsCredentials": { "publicKey": null, "proofs": ["0xproof", 1.5, true, {}] } }
            ]
          }
        ]
      }`,
      value: {
        transactions: [
          {
            txHash: 'tx-1',
            l1ValidatorDetails: [{}, {}, { blsCredentials: { publicKey: null, proofs: ['0xproof', 1.5, true, {}] } }],
          },
        ],
      },
      fieldsDropped: 2,
    },
    {
      name: 'minimal',
      text: `{
        "nextPageToken": "",
        "transactions": [
          { "txHash": "a" },
          {
            "txHash": "tx-2",
            "l1ValidatorManagerDetails": {},
            "l1ValidatorDetails": [{}],
            "subnetOwnershipInfo": {},
            "blsCredentials": {},
            "blockchainInfo": {},
            "evmInputs": [{}],
            "evmOutputs": [{}],
            "vertices": [{}],
            "assetCreated": {}
          }
        ]
      }`,
      reads: {},
    },
    {
      name: 'genesis',
      text: `{
        "transactions": [
          {
            "txHash": "tx-1",
            "blockchainInfo": {
              "genesisData": {
                "alloc": { "01": {} },
                "config": { "feeConfig": {}, "warpConfig": {}, "txAllowListConfig": {} }
              }
            }
          },
          { "txHash": "tx-2", "blockchainInfo": { "genesisData": { "config": {} } } },
          { "txHash": "tx-3", "blockchainInfo": { "genesisData": {} } },
          {
            "txHash": "tx-4",
            "blockchainInfo": {
              "genesisData": {
                "timestamp": "2024-01-01"
              }
            }
          }
        ]
      }`,
      reads: { timestamp: gone },
    },
    {
      name: 'broken',
      text: `{
        "transactions": [
          { "txHash": "tx-1" },
          { "txType": "BaseTx" },
          { "txHash": "" },
          { "txHash": "a change in words", "l1ValidatorDetails": [{ "balanceChange": "less" }] },
          { "txHash": "a UTXO without an id", "emittedUtxos": [{ "amount": "1" }] }
        ]
      }`,
      value: { transactions: [{ txHash: 'tx-1' }] },
      dropped: 4,
    },
  ],
  amounts: [
    { item: '{"txHash":"a","amountBurned":[{"amount":@}]}', path: 'amountBurned.0.amount', isRequired: true },
    { item: '{"txHash":"a","estimatedReward":@}', path: 'estimatedReward', canBeLeftOut: true },
    {
      item: '{"txHash":"a","l1ValidatorDetails":[{"remainingBalance":@}]}',
      path: 'l1ValidatorDetails.0.remainingBalance',
      canBeLeftOut: true,
    },
    { item: '{"txHash":"a","emittedUtxos":[{"utxoId":"b","amount":@}]}', path: 'emittedUtxos.0.amount' },
  ],
}
