// Document 1, operation 18.

import type { Cases } from '../cases.ts'

const path = '/v1/icm/messages'
const from = `0x${'0aF'.repeat(13)}9`
const to = `0x${'7B2'.repeat(13)}c`
const id = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'

const common = {
  icmContractAddress: '0x253b',
  sourceBlockchainId: 'yH8D',
  destinationBlockchainId: '2D8R',
  sourceEvmChainId: '43113',
  destinationEvmChainId: '779672',
  from: '0xf401',
  to: '0x7002',
}
const reward = {
  address: '0xc003',
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
  ercType: 'ERC-20',
  price: { currencyCode: 'usd', value: 0.9998 },
}

export const cases: Cases = {
  operation: 'list-icm-messages',
  asks: [
    { params: {}, request: `GET ${path}?pageSize=10` },
    {
      params: {
        pageToken: 't',
        pageSize: '100',
        sourceBlockchainId: id,
        destinationBlockchainId: '2D8R',
        blockchainId: '2qKx',
        to,
        from,
        network: 'mainnet',
      },
      request: `GET ${path}?pageToken=t&pageSize=100&sourceBlockchainId=${id}&destinationBlockchainId=2D8R&blockchainId=2qKx&to=${to}&from=${from}&network=mainnet`,
    },
    {
      params: { pageSize: '1', sourceBlockchainId: '43114', network: 'fuji' },
      request: `GET ${path}?pageSize=1&sourceBlockchainId=43114&network=fuji`,
    },
    {
      // With the digit that base58 lacks.
      params: { destinationBlockchainId: '8021201', network: 'testnet' },
      request: `GET ${path}?pageSize=10&destinationBlockchainId=8021201&network=testnet`,
    },
  ],
  refuses: [
    [{ pageSize: '0' }, 'expected 1 to 100'],
    [{ pageSize: '101' }, 'expected 1 to 100'],
    [{ sourceBlockchainId: 'c-chain' }, 'expected a blockchain id (base58) or an EVM chain id'],
    [{ destinationBlockchainId: '0xa869' }, 'expected a blockchain id (base58) or an EVM chain id'],
    [{ blockchainId: '8021201' }, 'expected a blockchain id (base58)'],
    [{ to: '0x7002' }, 'expected an address: 0x and 40 hexadecimal digits'],
    [{ from: 'P-fuji1abc' }, 'expected an address: 0x and 40 hexadecimal digits'],
    [{ network: 'moon' }, 'mainnet'],
  ],
  answers: [
    {
      fixture: 'data/list-icm-messages.document',
      value: {
        nextPageToken: '3d22deea-ea64-4d30-8a1e-c2a353b67e90',
        messages: [
          {
            messageId: '0x3e55',
            ...common,
            messageNonce: 4071n,
            data: '0xda7a',
            messageExecuted: false,
            receipts: [
              { receivedMessageNonce: 510n, relayerRewardAddress: '0x4e1a' },
              { receivedMessageNonce: 511n, relayerRewardAddress: '0x4e1b' },
            ],
            receiptDelivered: true,
            rewardDetails: { ...reward, logoUri: 'https://example.com/usdc.png', value: 250_000n },
            sourceTransaction: { txHash: '0x07a1', timestamp: 1_700_000_010, gasSpent: 3_100_000_000_000_000n },
            status: 'pending',
          },
        ],
      },
    },
    {
      fixture: 'data/list-icm-messages.live',
      value: {
        nextPageToken: '',
        messages: [
          {
            messageId: '0x01',
            ...common,
            messageNonce: 4071n,
            messageExecuted: false,
            receipts: [],
            receiptDelivered: false,
            rewardDetails: { ...reward, value: 0n },
            sourceTransaction: { txHash: '0x07a1', timestamp: 1_700_000_010, gasSpent: 3_100_000_000_000_000n },
            status: 'pending',
          },
          {
            messageId: '0x02',
            ...common,
            messageNonce: 4072n,
            messageExecuted: true,
            receipts: [],
            receiptDelivered: true,
            rewardDetails: { ...reward, value: 0n },
            sourceTransaction: { txHash: '0x07a2', timestamp: 1_700_000_020, gasSpent: 3_200_000_000_000_000n },
            destinationTransaction: {
              txHash: '0x07b2',
              timestamp: 1_700_000_035,
              gasSpent: 4_200_000_000_000_000n,
              rewardRedeemer: '0x4e1a',
              delivererAddress: '0x4e1b',
            },
            status: 'delivered',
          },
          {
            messageId: '0x03',
            ...common,
            messageNonce: 4073n,
            messageExecuted: true,
            receipts: [],
            receiptDelivered: false,
            rewardDetails: { ...reward, value: 0n },
            destinationTransaction: {
              txHash: '0x07b3',
              timestamp: 1_700_000_045,
              gasSpent: 4_300_000_000_000_000n,
              rewardRedeemer: '0x4e1c',
              delivererAddress: '0x4e1d',
            },
            status: 'delivered_source_not_indexed',
          },
        ],
      },
    },
    {
      fixture: 'data/list-icm-messages.minimal',
      value: {
        messages: [
          { messageId: 'a' },
          {
            messageId: 'c',
            receipts: [{}],
            rewardDetails: { address: 'd' },
            sourceTransaction: {},
            destinationTransaction: {},
            status: 'returned',
          },
        ],
      },
      dropped: 2,
    },
  ],
  amounts: [
    {
      item: '{"messageId":"a","rewardDetails":{"address":"b","value":@}}',
      path: 'rewardDetails.value',
      canBeLeftOut: true,
    },
    {
      item: '{"messageId":"a","sourceTransaction":{"gasSpent":@}}',
      path: 'sourceTransaction.gasSpent',
      canBeLeftOut: true,
    },
  ],
}
