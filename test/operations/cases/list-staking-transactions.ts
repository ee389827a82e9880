// Document 1, operation 5.

import type { Cases } from '../cases.ts'
import { cases as listLatestTransactions } from './list-latest-transactions.ts'

const path = '/v1/networks/fuji/blockchains/p-chain/transactions:listStaking'
const given = { network: 'fuji', blockchainId: 'p-chain', addresses: 'P-fuji1abc' }
export const cases: Cases = {
  operation: 'list-staking-transactions',
  simulated: ({ validators }) => ({
    network: 'fuji',
    blockchainId: 'p-chain',
    addresses: `P-${[...validators.all.values()][2]!.owner}`,
  }),
  asks: [
    { params: given, request: `GET ${path}?addresses=P-fuji1abc&pageSize=10` },
    { params: { network: 'fuji', blockchainId: 'p-chain' }, request: `GET ${path}?pageSize=10` },
    {
      params: {
        network: 'mainnet',
        blockchainId: '11111111111111111111111111111111LpoYY',
        addresses: 'avax1abc',
        txTypes: 'A,AddDelegatorTx',
        startTimestamp: '0',
        endTimestamp: '1700000000',
        pageToken: 'token 1',
        pageSize: '100',
        sortOrder: 'desc',
      },
      request:
        'GET /v1/networks/mainnet/blockchains/11111111111111111111111111111111LpoYY/transactions:listStaking?addresses=avax1abc&txTypes=A&txTypes=AddDelegatorTx&startTimestamp=0&endTimestamp=1700000000&pageToken=token+1&pageSize=100&sortOrder=desc',
    },
    {
      params: { ...given, network: 'testnet', startTimestamp: '1700000000', pageSize: '1', sortOrder: 'asc' },
      request:
        'GET /v1/networks/testnet/blockchains/p-chain/transactions:listStaking?addresses=P-fuji1abc&startTimestamp=1700000000&pageSize=1&sortOrder=asc',
    },
    { params: { ...given, endTimestamp: '0' }, request: `GET ${path}?addresses=P-fuji1abc&endTimestamp=0&pageSize=10` },
  ],
  refuses: [
    [{ ...given, network: 'moon' }, 'expected one of "mainnet"|"fuji"|"testnet"'],
    [{ ...given, blockchainId: 'x-chain' }, 'expected p-chain or 11111111111111111111111111111111LpoYY'],
    [{ ...given, addresses: '0x00000000000000000000000000000000000000aa' }, 'expected comma-separated addresses'],
    [{ ...given, addresses: 'avax1abc' }, 'expected addresses of the network'],
    [{ ...given, txTypes: '' }, 'expected names of transaction types'],
    [{ ...given, startTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ ...given, endTimestamp: '-1' }, 'expected a Unix time from 0 on'],
    [{ ...given, pageSize: '0' }, 'expected 1 to 100'],
    [{ ...given, pageSize: '101' }, 'expected 1 to 100'],
    [{ ...given, sortOrder: 'up' }, 'expected one of "asc"|"desc"'],
    [{ ...given, l1ValidationId: 'v' }, 'l1ValidationId'],
  ],
  answers: [
    {
      name: 'document',
      text: `{
        "nextPageToken": "f2a1b8de-7b1f-4b86-8f0e-5a0b8a4f6c22",
        "transactions": [
          {
            "txHash": "tx-1",
            "txType": "AddValidatorTx",
            "blockTimestamp": 1700000001,
            "blockNumber": "5001",
            "blockHash": "block-1",
            "consumedUtxos": [{ "utxoId": "utxo-consumed", "utxoType": "TRANSFER" }],
            "emittedUtxos": [{ "utxoId": "utxo-emitted", "utxoType": "STAKE", "staked": true }],
            "value": [{ "assetId": "asset-1", "amount": "2000000000001" }],
            "amountBurned": [{ "assetId": "asset-1", "amount": "1000002" }],
            "amountStaked": [{ "assetId": "asset-1", "amount": "2000000000003" }],
            "startTimestamp": 1700000002,
            "endTimestamp": 1731536003,
            "delegationFeePercent": "2",
            "nodeId": "NodeID-1",
            "subnetId": "11111111111111111111111111111111LpoYY",
            "estimatedReward": "150500000004",
            "rewardAddresses": ["fuji1reward"]
          }
        ],
        "chainInfo": { "chainName": "p-chain", "network": "fuji" }
      }`,
      reads: { blockNumber: BigInt, amount: BigInt, delegationFeePercent: Number, estimatedReward: BigInt },
    },
    {
      name: 'live',
      text: `{
        "transactions": [
          {
            "txHash": "tx-1",
            "txType": "AddPermissionlessDelegatorTx",
            "emittedUtxos": [{ "utxoId": "utxo-emitted", "stakeableLocktime": 9007199254740993 }]
          },
          {
            "txHash": "tx-2",
            "txType": "AddAutoRenewedValidatorTx",
            "autoRenew": {
              "state": "exiting",
              "nextPeriodSeconds": 0,
              "autoCompoundSharePercent": 12.5,
              "compoundedWeight": "5028049283",
              "exitReason": null
            }
          }
        ],
        "chainInfo": { "chainName": "p-chain", "network": "fuji" }
      }`,
      reads: { compoundedWeight: BigInt },
    },
    {
      name: 'minimal',
      text: '{ "transactions": [{ "txHash": "tx-1" }], "nextPageToken": null, "chainInfo": null }',
      value: { transactions: [{ txHash: 'tx-1' }] },
    },
    {
      name: 'broken',
      text: '{ "transactions": [{ "txHash": "tx-1" }, { "txType": "AddValidatorTx" }, { "txHash": "a", "autoRenew": 1 }] }',
      value: { transactions: [{ txHash: 'tx-1' }] },
      // A stake that renews itself must not pass for one that ends.
      dropped: 2,
    },
  ],
  amounts: listLatestTransactions.amounts!,
}
