// balances: what wallets have on the primary network, by state. Get balances (document 1, operation 6) covers only
// atomic memory on the C-Chain.

import { atLeast } from '../../judgements/expectations.ts'
import { toTokens } from '../../lib/units.ts'
import { ofAddress, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { getBalances } from '../../operations/data/utxos.ts'
import { contradicts, mismatchOf, publishMismatch } from '../answers/chain-info.ts'
import { defineCollector, asExpectations } from '../define.ts'
import { STAKING_TOKEN, isStakingToken, stakingSum } from './staking-token.ts'
import { isNamed, type WalletOnChain, walletsOnChains } from './wallets.ts'

const balanceTokens = ofAddress.gauge('stakewatch_address_balance_tokens', {
  help: "The wallet's balance of the staking token on the chain, by state (data service).",
  details:
    'A state that the answer leaves out is absent; `restaked_rewards`, which auto-renewed validators have staked again, are in no other state.',
  labels: ['chain', 'state', 'asset'],
})
const otherAssets = ofAddress.gauge('stakewatch_address_other_assets', {
  help: 'Number of other assets in the wallet on the chain (data service).',
  labels: ['chain'],
})
const expectationMet = ofAddress.gauge('stakewatch_address_balance_expectation_met', {
  help: "Whether the wallet's balance meets the configured expectation: 1 or 0 (data service).",
  details: '`min_balance` compares the tokens that can be spent at once.',
  labels: ['chain', 'expectation'],
})
const mismatch = ofAddress.gauge('stakewatch_balances_chain_mismatch', { ...mismatchOf('balances'), labels: ['chain'] })

type Balances = AnswerOf<typeof getBalances>['balances']
type Lists = Omit<Balances, 'restakedRewards'>

/** The state of rewards that auto-renewed validators have staked again: there are no outputs of them until the validator leaves. */
const RESTAKED = 'restaked_rewards'

/** The members of an answer by state; live services use other words on the X-Chain. */
const states: Readonly<Record<string, readonly (keyof Lists)[]>> = {
  unlocked_unstaked: ['unlockedUnstaked', 'unlocked'],
  unlocked_staked: ['unlockedStaked'],
  locked_platform: ['lockedPlatform', 'locked'],
  locked_stakeable: ['lockedStakeable'],
  locked_staked: ['lockedStaked'],
  pending_staked: ['pendingStaked'],
  atomic_memory_unlocked: ['atomicMemoryUnlocked'],
  atomic_memory_locked: ['atomicMemoryLocked'],
}
const atomic = ['atomic_memory_unlocked', 'atomic_memory_locked']
/** The states that each chain has. */
const statesOn = { P: Object.keys(states), X: ['unlocked_unstaked', 'locked_platform', ...atomic], C: atomic }

export const balances = defineCollector({
  name: 'balances',
  about: 'Balances of wallets on the P-Chain, and on the X- and C-Chain where they have addresses for them.',
  every: '15m',
  uses: [getBalances],
  isReserved: true,
  isFirst: ({ wallet, chain }) => minimumOf(wallet, chain) !== undefined,
  metrics: [balanceTokens, otherAssets, expectationMet, mismatch],
  subjects: walletsOnChains,
  estimate: ({ chain }) => ({
    // The number of other assets, the mismatch, the expectation except on the C-Chain, and the restaked rewards of the P-Chain.
    series: statesOn[chain].length + { P: 4, X: 3, C: 2 }[chain],
  }),
  async collect({ subject, call, flawed }) {
    const { network, blockchainId, addresses, chainName: chain, wallet } = subject
    const { value } = await call(getBalances, { network, blockchainId, addresses })
    const isOther = contradicts(value.chainInfo, subject)
    if (isOther) return publishMismatch(mismatch.sample({ chain }, 1), flawed)
    const tokens = tokensByState(value.balances, subject)
    const wanted = minimumOf(wallet, subject.chain)
    return {
      samples: [
        ...Array.from(tokens, ([state, amount]) =>
          balanceTokens.sample({ chain, state, asset: STAKING_TOKEN }, amount),
        ),
        ...otherSamples(value.balances, subject),
        ...mismatch.ifKnown({ chain }, isOther),
      ],
      expectations: asExpectations(expectationMet, atLeast('min_balance', wanted, tokens.get('unlocked_unstaked'))),
    }
  },
})

/** The least balance that is declared for the chain. */
const minimumOf = (wallet: WalletOnChain['wallet'], chain: WalletOnChain['chain']) =>
  isNamed(wallet, chain) ? wallet.min_balance : undefined

/** A state that the answer leaves out is unknown; a state with an empty list is 0. */
function tokensByState({ restakedRewards, ...lists }: Balances, { network }: WalletOnChain) {
  const amounts = [
    ...Object.keys(states).map((state) => [state, stakingSum(entriesIn(state, lists), network)] as const),
    [RESTAKED, restakedRewards] as const,
  ]
  return new Map(amounts.flatMap(([state, amount]) => (amount === undefined ? [] : [[state, toTokens(amount)]])))
}

/** Unknown unless all states are there, as each may have an asset that no other state has. */
function otherSamples({ restakedRewards: _, ...lists }: Balances, wallet: WalletOnChain): Sample[] {
  const { network, chain: on, chainName: chain } = wallet
  const isWhole = statesOn[on].every((state) => entriesIn(state, lists))
  const ids = Object.values(lists).flatMap((member) => (member ?? []).map(({ assetId }) => assetId))
  if (!isWhole || ids.includes(undefined)) return []
  return [otherAssets.sample({ chain }, new Set(ids.filter((id) => !isStakingToken(id, network))).size)]
}

function entriesIn(state: string, lists: Lists) {
  return states[state]!.map((member) => lists[member]).find(Boolean)
}
