// Document 1, operation 13.

import type { Cases } from '../cases.ts'

const address = `0x${'0aF'.repeat(13)}9`
const path = `/v1/chains/43114/addresses/${address}/balances:getNative`
const given = { chainId: '43114', address }
const currencies = 'usd eur aud cad chf clp cny czk dkk gbp hkd huf jpy nzd'.split(' ')

export const cases: Cases = {
  operation: 'get-native-token-balance',
  simulated: ({ evmWallets }) => ({ chainId: '43113', address: Object.values(evmWallets)[0]! }),
  asks: [
    { params: given, request: `GET ${path}?currency=usd` },
    ...currencies.map((currency) => ({
      params: { ...given, currency },
      request: `GET ${path}?currency=${currency}`,
    })),
    {
      params: { chainId: '2q9e', address, blockNumber: '12345678', currency: 'eur' },
      request: `GET /v1/chains/2q9e/addresses/${address}/balances:getNative?blockNumber=12345678&currency=eur`,
    },
    { params: { ...given, blockNumber: '0' }, request: `GET ${path}?blockNumber=0&currency=usd` },
  ],
  refuses: [
    [{ ...given, chainId: '' }, 'expected string to have >=1 characters'],
    [{ ...given, address: `${address}0` }, 'expected an address: 0x and 40 hexadecimal digits'],
    [{ ...given, blockNumber: 'latest' }, 'expected a decimal integer'],
    [{ ...given, currency: 'btc' }, 'usd'],
  ],
  answers: [
    {
      fixture: 'data/get-native-token-balance.document',
      reads: { value: Number, balance: BigInt },
    },
    {
      fixture: 'data/get-native-token-balance.live',
      reads: { balance: BigInt },
    },
    { fixture: 'data/get-native-token-balance.minimal', value: { nativeTokenBalance: { balance: 1n } } },
  ],
  amounts: [{ item: '{"nativeTokenBalance":{"balance":@}}', path: 'nativeTokenBalance.balance', isRequired: true }],
}
