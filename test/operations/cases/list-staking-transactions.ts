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
      fixture: 'data/list-staking-transactions.document',
      reads: { blockNumber: BigInt, amount: BigInt, delegationFeePercent: Number, estimatedReward: BigInt },
    },
    {
      fixture: 'data/list-staking-transactions.live',
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
