// native-balances: balances and values of the native tokens of EVM chains.
// Get native token balance (document 1, operation 13): one call for each address.

import { atLeast } from '../../judgements/expectations.ts'
import { sumOf, toTokens } from '../../lib/units.ts'
import { ofAddress } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getNativeTokenBalance } from '../../operations/data/evm.ts'
import { refuseOtherChain } from '../answers/chain-info.ts'
import { defineCollector, asExpectations } from '../define.ts'
import { evmWallets } from './wallets.ts'

const balanceTokens = ofAddress.gauge('stakewatch_address_native_balance_tokens', {
  help: "The wallet's balance of the chain's own token (data service).",
  labels: ['chain'],
})
const balanceValue = ofAddress.gauge('stakewatch_address_native_balance_value', {
  help: "Value of the wallet's balance of the chain's own token; absent without a price (data service).",
  labels: ['chain', 'currency'],
})
const expectationMet = ofAddress.gauge('stakewatch_address_native_balance_expectation_met', {
  help: "Whether the wallet's balance of the chain's own token meets the configured expectation: 1 or 0 (data service).",
  labels: ['chain', 'expectation'],
})

type Balance = AnswerOf<typeof getNativeTokenBalance>['nativeTokenBalance']

export const nativeBalances = defineCollector({
  name: 'native-balances',
  about: "Balances of wallets in the EVM chains' own tokens, and their value.",
  every: '5m',
  uses: [getNativeTokenBalance],
  isReserved: true,
  isFirst: ({ wallet }) => wallet.min_balance !== undefined,
  metrics: [balanceTokens, balanceValue, expectationMet],
  subjects: evmWallets,
  estimate: ({ wallet: { addresses, min_balance } }) => ({
    calls: [{ operation: getNativeTokenBalance, times: addresses.length }],
    series: min_balance === undefined ? 2 : 3,
  }),
  async collect({ subject: { wallet, chain, chainId, decimals }, network: { currency }, call }) {
    const balances: Balance[] = []
    // One address without an answer leaves the sum unknown, so the run fails.
    for (const address of wallet.addresses) {
      const { value } = await call(getNativeTokenBalance, { chainId, address, currency })
      refuseOtherChain(value.nativeTokenBalance.chainId, chainId)
      balances.push(value.nativeTokenBalance)
    }
    const [places = decimals] = balances.flatMap((one) => one.decimals ?? [])
    const tokens = toTokens(sumOf(balances.map(({ balance }) => balance)), places)
    const worth = totalValue(balances, currency)
    return {
      samples: [balanceTokens.sample({ chain }, tokens), ...balanceValue.ifKnown({ chain, currency }, worth)],
      expectations: asExpectations(expectationMet, atLeast('min_balance', wallet.min_balance, tokens)),
    }
  },
})

/** Unknown if the value of one part is unknown; an empty part needs no price. */
function totalValue(balances: readonly Balance[], currency: string): number | undefined {
  const values = balances.map(({ balanceValue: worth }) =>
    (worth?.currencyCode ?? currency).toLowerCase() === currency ? worth?.value : undefined,
  )
  const isKnown = balances.every(({ balance }, at) => values[at] !== undefined || balance === 0n)
  const known = values.filter((value) => value !== undefined)
  return isKnown && known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : undefined
}
