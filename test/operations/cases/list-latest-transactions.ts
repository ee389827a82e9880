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
      fixture: 'data/list-latest-transactions.document',
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
      fixture: 'data/list-latest-transactions.live',
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
      fixture: 'data/list-latest-transactions.renewals',
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
      fixture: 'data/list-latest-transactions.live-x',
      reads: { outputIndex: Number, amount: BigInt, blockHeight: BigInt, height: BigInt },
    },
    {
      fixture: 'data/list-latest-transactions.live-c',
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
      fixture: 'data/list-latest-transactions.minimal',
      reads: {},
    },
    {
      fixture: 'data/list-latest-transactions.genesis',
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
