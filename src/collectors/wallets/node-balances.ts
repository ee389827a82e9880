// node-balances: unstaked balances of wallets on the P-Chain, as a node adds them up. platform.getBalance (document 2,
// P-Chain interface) is deprecated, so it runs by default only in networks that no data service covers.

import { BaseError } from '../../errors.ts'
import { atLeast } from '../../judgements/expectations.ts'
import { bareAddress, nameOfPrimary } from '../../lib/primary-network.ts'
import { toTokens } from '../../lib/units.ts'
import { ofAddress } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getBalance } from '../../operations/node/platform-subnets.ts'
import { asExpectations, defineCollector } from '../define.ts'
import { stakingTokenOf } from './staking-token.ts'
import { isNamed, isPrimary } from './wallets.ts'

const balanceTokens = ofAddress.gauge('stakewatch_node_address_balance_tokens', {
  help: "The wallet's balance of the staking token on the P-Chain by state, without staked tokens (platform.getBalance).",
  labels: ['state'],
})
const expectationMet = ofAddress.gauge('stakewatch_node_address_balance_expectation_met', {
  help: "Whether the wallet's unlocked balance on the P-Chain meets the configured expectation: 1 or 0 (platform.getBalance).",
  labels: ['chain', 'expectation'],
})

type Balance = AnswerOf<typeof getBalance>

export const nodeBalances = defineCollector({
  name: 'node-balances',
  about: 'Unstaked balances of wallets on the P-Chain, from nodes instead of the data service.',
  every: '15m',
  uses: [getBalance],
  isOptIn: true,
  isNeeded: ({ data_api }) => data_api === undefined,
  metrics: [balanceTokens, expectationMet],
  subjects: (network) =>
    network.addresses.filter(isPrimary).map((wallet) => ({
      name: wallet.name,
      labels: { address: wallet.name },
      chain: nameOfPrimary('P', network),
      least: isNamed(wallet, 'P') ? wallet.min_balance : undefined,
      token: stakingTokenOf(network),
      // A node reads the prefix as the chain to look at.
      addresses: wallet.addresses.map((address) => `P-${bareAddress(address)}`),
    })),
  estimate: ({ least }) => ({ series: least === undefined ? 3 : 4 }),
  async collect({ subject: { addresses, token, chain, least }, call }) {
    const { value } = await call(getBalance, { addresses })
    const amounts = amountsOf(value, token)
    const samples = Object.entries(amounts).flatMap(([state, amount]) =>
      balanceTokens.ifKnown({ state }, toTokens(amount)),
    )
    if (samples.length === 0) throw new BaseError('bad_response', 'the node reports no amount of the staking token')
    const judged = atLeast('min_balance', least, toTokens(amounts['unlocked']))
    return { samples, expectations: asExpectations(expectationMet, judged, { chain }) }
  },
})

/** A node gives each amount as one number, by asset, or both. */
function amountsOf(value: Balance, token: string | undefined): Readonly<Record<string, bigint | undefined>> {
  return {
    unlocked: value.unlocked ?? ofToken(value.unlockeds, token),
    locked_stakeable: value.lockedStakeable ?? ofToken(value.lockedStakeables, token),
    locked_not_stakeable: value.lockedNotStakeable ?? ofToken(value.lockedNotStakeables, token),
  }
}

/** A list without the token has none of it. Undefined without a list, and where we do not know the token's id. */
function ofToken(byAsset: Balance['balances'], token: string | undefined): bigint | undefined {
  if (!byAsset) return undefined
  if (Object.keys(byAsset).length === 0) return 0n
  return token === undefined ? undefined : (byAsset[token] ?? 0n)
}
