// Document 1, operation 17.

import type { Cases } from '../cases.ts'
import { cases as listIcmMessages } from './list-icm-messages.ts'

const address = `0x${'0aF'.repeat(13)}9`
const path = `/v1/icm/addresses/${address}/messages`

export const cases: Cases = {
  operation: 'list-icm-messages-by-address',
  simulated: ({ evmWallets }) => ({ address: Object.values(evmWallets)[0]! }),
  asks: [
    { params: { address }, request: `GET ${path}?pageSize=10` },
    {
      params: { address, pageToken: 't', pageSize: '100', network: 'mainnet' },
      request: `GET ${path}?pageToken=t&pageSize=100&network=mainnet`,
    },
    { params: { address, pageSize: '1', network: 'fuji' }, request: `GET ${path}?pageSize=1&network=fuji` },
    { params: { address, network: 'testnet' }, request: `GET ${path}?pageSize=10&network=testnet` },
  ],
  refuses: [
    [{}, 'address'],
    [{ address: address.slice(2) }, 'expected an address: 0x and 40 hexadecimal digits'],
    [{ address, pageSize: '0' }, 'expected 1 to 100'],
    [{ address, pageSize: '101' }, 'expected 1 to 100'],
    [{ address, network: 'moon' }, 'mainnet'],
  ],
  // The document gives both operations the same answer.
  answers: listIcmMessages.answers,
  amounts: listIcmMessages.amounts!,
}
