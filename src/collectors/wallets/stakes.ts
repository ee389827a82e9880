// stakes: what wallets have staked now, what it will earn and when the next stake ends. List staking transactions
// (document 1, operation 5).

import { sumOf, toTokens } from '../../lib/units.ts'
import { totalOf } from '../../judgements/stake.ts'
import { bareAddress } from '../../lib/primary-network.ts'
import { ofAddress, type Sample } from '../../metrics/define.ts'
import type { AnswerOf } from '../../operations/define.ts'
import { listStakingTransactions } from '../../operations/data/primary-network-transactions.ts'
import { aboutChain, mismatchOf, publishMismatch } from '../answers/chain-info.ts'
import { boundedWord, isWord } from '../answers/spelling.ts'
import { wholeList } from '../answers/whole-list.ts'
import { defineCollector } from '../define.ts'
import { stakingSum } from './staking-token.ts'
import { ownItems, type PrimaryWallet, primaryWallets } from './wallets.ts'
import { least } from '../../lib/statistics.ts'

const stakesNow = ofAddress.gauge('stakewatch_address_stakes', {
  help: 'Running stakes that the wallet owns or gets rewards from, by transaction type (data service).',
  labels: ['tx_type'],
})
const staked = ofAddress.gauge('stakewatch_address_staked_tokens', {
  help: 'Tokens that the wallet has staked; absent when a stake does not state its amount (data service).',
  details: 'With the rewards that auto-renewed validators have staked again.',
})
const estimated = ofAddress.gauge('stakewatch_address_estimated_reward_tokens', {
  help: "Estimated reward of the wallet's running stakes; absent when no stake has an estimate (data service).",
  details: "Covers stakes of the network's own token; those without an estimate are left out.",
})
const incomplete = ofAddress.gauge('stakewatch_address_stakes_incomplete', {
  help: 'Running stakes whose transactions lack the reward or the end and which that metric leaves out (data service).',
  labels: ['lacks'],
})
const renewing = ofAddress.gauge('stakewatch_address_stakes_renewing', {
  help: 'Running stakes of the wallet that renew themselves at the end of their period; absent while it is unknown of one (data service).',
})
const nextEnd = ofAddress.gauge('stakewatch_address_stake_next_end_timestamp_seconds', {
  is: 'end',
  help: "When the wallet's next stake with a known end ends; absent without any (data service).",
  details: 'Stakes that renew themselves are left out; they end only if they lose the reward of a period.',
})
const mismatch = ofAddress.gauge('stakewatch_stakes_chain_mismatch', mismatchOf('stakes'))

type Stake = AnswerOf<typeof listStakingTransactions>['transactions'][number]

const PAGE = 100
const AUTO_RENEWED = 'AddAutoRenewedValidatorTx'
/** Without any stake of these types their number is known to be 0. */
const types = [
  'AddValidatorTx',
  'AddDelegatorTx',
  'AddPermissionlessValidatorTx',
  'AddPermissionlessDelegatorTx',
  AUTO_RENEWED,
]

export const stakes = defineCollector({
  name: 'stakes',
  about: 'Stakes of wallets, their estimated rewards, and when the next one ends.',
  every: '1h',
  uses: [listStakingTransactions],
  metrics: [stakesNow, staked, estimated, incomplete, renewing, nextEnd, mismatch],
  subjects: primaryWallets,
  estimate: () => ({ series: types.length + 7 }),
  async collect({ subject, pages, flawed }) {
    const { network, addresses } = subject
    const { only, isOther } = aboutChain({ chain: 'P', network })
    const asked = { network, blockchainId: 'p-chain', addresses, pageSize: PAGE } as const
    const listed = only(pages(listStakingTransactions, asked))
    const all = await wholeList(
      'stakes',
      listed,
      ({ transactions }) => transactions,
      ({ txHash }) => txHash,
    )
    const running = ownItems(subject, all, (stake) => [...ownersOf(stake), ...(stake.rewardAddresses ?? [])])
    if (isOther()) return publishMismatch(mismatch.sample({}, 1), flawed)
    return {
      samples: [...stakeSamples(running, subject), ...mismatch.ifKnown({}, isOther())],
    }
  },
})

/** The staked amount. Others may stake their own tokens in favour of this wallet. */
function ownersOf({ emittedUtxos = [] }: Stake): string[] {
  const outputs = emittedUtxos.filter(({ staked: isStaked, utxoType }) => isStaked ?? isWord(utxoType, 'STAKE'))
  return outputs.flatMap(({ addresses = [] }) => addresses)
}

function stakeSamples(running: readonly Stake[], wallet: PrimaryWallet): Sample[] {
  const counts: Record<string, number> = Object.fromEntries(types.map((type) => [type, 0]))
  for (const { txType = 'other' } of running) {
    const type = boundedWord(counts, txType)
    counts[type] = (counts[type] ?? 0) + 1
  }
  const renewals = Map.groupBy(running, renewalOf)
  const ends = (renewals.get('none') ?? []).flatMap(({ endTimestamp }) => endTimestamp ?? [])
  const renewed = renewals.get('next')?.length ?? 0
  return [
    ...Object.entries(counts).map(([tx_type, count]) => stakesNow.sample({ tx_type }, count)),
    ...staked.ifKnown({}, toTokens(totalOf(running.map((stake) => stakedBy(wallet, stake))))),
    ...estimatedSamples(running.map((stake) => earnedBy(wallet, stake))),
    ...(renewals.has('unknown') ? [] : [renewing.sample({}, renewed)]),
    incomplete.sample({ lacks: 'end' }, running.length - renewed - ends.length),
    ...(ends.length === 0 ? [] : [nextEnd.sample({}, least(ends))]),
  ]
}

/** A partial estimate is useful if it says how many stakes are missing. */
function estimatedSamples(parts: readonly (bigint | undefined)[]): Sample[] {
  const known = parts.filter((part) => part !== undefined)
  const lacking = incomplete.sample({ lacks: 'reward' }, parts.length - known.length)
  return known.length === 0 && parts.length > 0 ? [lacking] : [estimated.sample({}, toTokens(sumOf(known))), lacking]
}

/** What follows the period; one that a next period follows is not the end of the stake. */
function renewalOf({ txType, autoRenew }: Stake): 'none' | 'next' | 'unknown' {
  const next = autoRenew?.nextPeriodSeconds
  if (next !== undefined) return next > 0 ? 'next' : 'none'
  return isWord(txType, AUTO_RENEWED) ? 'unknown' : 'none'
}

function stakedBy(wallet: PrimaryWallet, stake: Stake): bigint | undefined {
  if (areOthers(wallet, ownersOf(stake))) return 0n
  return stake.autoRenew?.compoundedWeight ?? stakingSum(stake.amountStaked, wallet.network)
}

/** A stake of another asset earns that asset, and a stake without reward earns nothing. */
function earnedBy(wallet: PrimaryWallet, { amountStaked, estimatedReward, rewardAddresses = [] }: Stake) {
  const amount = stakingSum(amountStaked, wallet.network)
  return amount === 0n || areOthers(wallet, rewardAddresses) ? 0n : amount && estimatedReward
}

/** A stake without owners counts as the wallet's, as the request was for the wallet. */
function areOthers({ addresses }: PrimaryWallet, named: readonly string[]): boolean {
  const own = addresses.split(',')
  return named.length > 0 && !named.some((address) => own.includes(bareAddress(address)))
}
