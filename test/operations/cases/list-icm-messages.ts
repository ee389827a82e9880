// Document 1, operation 18.

import type { Cases } from '../cases.ts'

const path = '/v1/icm/messages'
const from = `0x${'0aF'.repeat(13)}9`
const to = `0x${'7B2'.repeat(13)}c`
const id = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'

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
      reads: {
        messageNonce: BigInt,
        receivedMessageNonce: BigInt,
        'price.value': Number,
        'rewardDetails.value': BigInt,
        gasSpent: BigInt,
      },
    },
    {
      fixture: 'data/list-icm-messages.live',
      reads: { messageNonce: BigInt, 'price.value': Number, 'rewardDetails.value': BigInt, gasSpent: BigInt },
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
