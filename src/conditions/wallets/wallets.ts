// Wallets: unexpected outflows, low balances and overdue rewards.

import {
  type Condition,
  NOT_APPLICABLE,
  OK,
  onlyParts,
  type Parts,
  problem,
  unknown,
  type Verdict,
} from '../condition.ts'
import { AMOUNT, ifKnown, NUMBER } from '../details.ts'
import { BEHIND_READS, isBehind } from '../heads.ts'
import { DAY, MINUTE } from '../../lib/seconds.ts'
import { OUT_OF_DATE_READS, OUTDATED, type Standing, standingOfWallet } from '../out-of-date.ts'
import { greatest } from '../track.ts'
import { AWAY_READS, FAILING_READS, isDataServiceAway, isFailing, isTargetOfWallet, lastSuccess } from '../upstreams.ts'
import type { Remembered, View } from '../view.ts'
import { INTERVAL } from '../runs.ts'

const TRACKED = 'stakewatch_address_tracked'
const CHAIN_TRACKED = 'stakewatch_chain_tracked'
const KNOWN = 'stakewatch_address_expectation_known'
const TRANSACTIONS = 'stakewatch_address_transactions_expectation_met'
const TOKENS = 'stakewatch_address_erc20_expectation_met'
const BALANCE = 'stakewatch_address_balance_expectation_met'
const NATIVE_BALANCE = 'stakewatch_address_native_balance_expectation_met'
const NODE_BALANCE = 'stakewatch_node_address_balance_expectation_met'
const TAKEN = 'stakewatch_address_last_outgoing_tokens'
const NEXT_END = 'stakewatch_address_pending_reward_next_end_timestamp_seconds'

const OF_SERVICE = 'stakewatch_address_balance_tokens'
const OF_EVM = 'stakewatch_address_native_balance_tokens'
const OF_NODE = 'stakewatch_node_address_balance_tokens'
const balances = [OF_SERVICE, OF_EVM, OF_NODE]

/** An expectation about wallets and the metrics that report on it, one for each kind of list. */
interface Expected {
  expectation: string
  families: readonly string[]
  /** Whether a collector asks for what it is about. */
  isAsked: (wallet: View, chain: string) => boolean
}

const isRunning = (wallet: View, collector: string, target: string) =>
  wallet.of('run', { collector, target, source: '' }).has(INTERVAL)

/** The families of the data service, by the collectors that read them. */
const balanceCollectors = { [BALANCE]: 'balances', [NATIVE_BALANCE]: 'native-balances' } as const
const readers: Readonly<Record<string, string>> = {
  ...balanceCollectors,
  [TRANSACTIONS]: 'transactions',
  [TOKENS]: 'erc20-transfers',
}

/** Whether a collector reads the family for this wallet and chain. */
function isRead(wallet: View, family: string, chain: string): boolean {
  const target = `${wallet.labels['address']}:${chain}`
  return isRunning(wallet, readers[family]!, family === TRANSACTIONS ? `address:${target}` : target)
}

const outgoing: Expected = {
  expectation: 'outgoing',
  families: [TRANSACTIONS, TOKENS],
  isAsked: (wallet, chain) => outgoing.families.some((family) => isRead(wallet, family, chain)),
}

const minBalance: Expected = {
  expectation: 'min_balance',
  families: [BALANCE, NATIVE_BALANCE],
  isAsked(wallet, chain) {
    if (minBalance.families.some((family) => isRead(wallet, family, chain))) return true
    // Nodes are asked for the P-Chain alone, under the name that the configuration gives to it.
    const mayBeP = chain === 'p-chain' || wallet.of('chain', { chain }).has(CHAIN_TRACKED)
    return mayBeP && isRunning(wallet, 'node-balances', wallet.labels['address']!)
  },
}

/** Chains on which one of the metrics reports on the expectation. */
const chainsOf = (wallet: View, expectation: string, metrics: readonly string[]): ReadonlySet<string> =>
  new Set(
    metrics
      .flatMap((metric) => wallet.all(metric))
      .filter(({ labels }) => labels['expectation'] === expectation)
      .map(({ labels }) => labels['chain']!),
  )

const partOf = (family: string, chain: string) => `${family} ${chain}`

/** The families that report, by chain. */
const reportedBy = ({ expectation, families }: Expected): Remembered => ({
  name: `reported_${expectation}`,
  of: 'wallet',
  for: DAY,
  read: (wallet) =>
    new Map(
      families.flatMap((family) =>
        [...chainsOf(wallet, expectation, [family])].map((chain) => [partOf(family, chain), 1] as const),
      ),
    ),
})
const outgoingReported = reportedBy(outgoing)
const minBalanceReported = reportedBy(minBalance)

/** After a start, a collector says that it runs when its first run has ended (seconds). */
const FIRST_RUN = 10 * MINUTE

/** Whether every family that reported within the day and is still read does so: a chain may have two families. */
const isComplete = (wallet: View, { expectation, families }: Expected, reported: Remembered, chain: string) =>
  families.every(
    (family) =>
      wallet.value(family, { chain, expectation }) !== undefined ||
      greatest(
        wallet.track(reported, partOf(family, chain)),
        wallet.now,
        isRead(wallet, family, chain) ? DAY : FIRST_RUN,
      ) === undefined,
  )

/** A node judges the minimum on the P-Chain alone, under the name that the configuration gives to the chain. */
const isPChain = (wallet: View, chain: string) =>
  chain === 'p-chain' || wallet.value(NODE_BALANCE, { chain }) !== undefined

/** What can be spent at once on a chain, by the data service; a node knows it on the P-Chain alone. */
const spendable = (wallet: View, chain: string) => [
  wallet.value(OF_EVM, { chain }),
  wallet.value(OF_SERVICE, { chain, state: 'unlocked_unstaked' }),
  ...(isPChain(wallet, chain) ? [wallet.value(OF_NODE, { state: 'unlocked' })] : []),
]

const UNREPORTED = unknown('nothing reports whether it is as declared')

/** Without a declaration there is nothing to hold, nor on a chain that nothing asks for: a reload may have removed either. */
function partsOf(
  wallet: View,
  condition: string,
  expected: Expected,
  metrics: readonly string[],
  verdictOf: (labels: OnChain) => Verdict,
): Parts {
  const { expectation, isAsked } = expected
  const isDeclared = wallet.value(KNOWN, { expectation }) !== undefined
  const chains = chainsOf(wallet, expectation, metrics)
  const silent = wallet.firedParts(condition).flatMap(({ chain }) => (chains.has(chain!) ? [] : chain!))
  const parts = [...chains, ...silent].map((chain) => {
    const labels = { chain, expectation }
    if (chains.has(chain)) return { labels, verdict: verdictOf(labels) }
    return { labels, verdict: isDeclared && isAsked(wallet, chain) ? UNREPORTED : NOT_APPLICABLE }
  })
  return onlyParts(parts, isDeclared ? (chains.size === 0 ? UNREPORTED : undefined) : NOT_APPLICABLE)
}

export const unexpectedOutflow: Condition = {
  alert: 'StakewatchUnexpectedOutflow',
  panel: 'wallets: Expectations of wallets',
  severity: 'critical',
  // An outflow cannot be undone, and the next reading is minutes away.
  for: 0,
  heldBy: ['transactions', 'erc20-transfers'],
  parts: ['chain', 'expectation'],
  reads: [KNOWN, TRANSACTIONS, TOKENS, INTERVAL, outgoingReported],
  judge: {
    wallet(wallet) {
      const { families } = outgoing
      return partsOf(wallet, 'unexpected_outflow', outgoing, families, (labels) => {
        if (families.some((family) => wallet.value(family, labels) === 0)) return problem(0)
        const isKnown = isComplete(wallet, outgoing, outgoingReported, labels.chain)
        return isKnown ? OK : unknown('one of its lists is missing')
      })
    },
  },
  title: '{{ $labels.address }}: unexpected outflow',
  summary: 'Unexpected outflow from a wallet that allows none.',
  action:
    'Ask your team who sent from {{ $labels.address }} on {{ $labels.chain }}; if no one did, move what is left to new keys.',
  description: `Unexpected outflow from wallet {{ $labels.address }} on {{ $labels.network }} ({{ $labels.chain }}) within the last day; the configuration allows none.${ifKnown('taken', ` The newest transaction took ${AMOUNT}.`)}${ifKnown('left', ` The wallet had ${AMOUNT} when its balance was last read, perhaps before that.`)} If your team did not send it, someone else has its key.`,
  details: {
    reads: [TAKEN, NODE_BALANCE, ...balances],
    of(wallet, { chain, expectation }) {
      const isOfTransactions = wallet.value(TRANSACTIONS, { chain: chain!, expectation: expectation! }) === 0
      return {
        // Other tokens may have left without any of the staking token.
        taken: isOfTransactions ? wallet.value(TAKEN, { chain: chain! }) || undefined : undefined,
        left: spendable(wallet, chain!).find((one) => one !== undefined),
      }
    },
  },
}

type OnChain = Readonly<Record<'chain' | 'expectation', string>>

/** What is known of each balance that the data service reports. */
const standings = (wallet: View, labels: OnChain): readonly (readonly [family: string, Standing])[] =>
  Object.entries(balanceCollectors)
    .filter(([family]) => wallet.value(family, labels) !== undefined)
    .map(([family, collector]) => [family, standingOfWallet(wallet, collector, labels.chain)])

/** If both report, the data service decides; StakewatchSourcesDisagree covers contradictions. */
function minimumVerdict(wallet: View, labels: OnChain): Verdict {
  const known = standings(wallet, labels)
  const counted = known.filter(([, standing]) => standing !== 'outdated')
  if (counted.some(([family]) => wallet.value(family, labels) === 0)) return problem(0)
  const isByNode = !counted.some(([family]) => family === BALANCE)
  if (isByNode && wallet.value(NODE_BALANCE, labels) === 0) return problem(0)
  if (counted.length < known.length) return unknown(OUTDATED)
  if (!isComplete(wallet, minBalance, minBalanceReported, labels.chain)) {
    return unknown('one of its balances is missing')
  }
  // A repair counts once the data service is known to be up to date.
  const isOpen = known.some(([, standing]) => standing === 'unconfirmed')
  return isOpen ? unknown('it is not known yet whether the data service is up to date') : OK
}

const MINIMUM = 'stakewatch_address_minimum_balance_tokens'
/** By the first source that is below the minimum. What is missing is rounded up: less would leave the alert. */
function missingOn(wallet: View, chain: string) {
  const minimum = wallet.value(MINIMUM)
  if (minimum === undefined) return {}
  const balance = spendable(wallet, chain).find((one) => one !== undefined && one < minimum)
  return balance === undefined ? {} : { balance, minimum, missing: Math.ceil((minimum - balance) * 1_000) / 1_000 }
}

const toWallet = '{{ $labels.address }} on {{ $labels.chain }}.'

export const walletLow: Condition = {
  alert: 'StakewatchWalletLow',
  panel: 'wallets: What can be spent',
  // It pages because a relayer that cannot pay delivers nothing, and no other page covers that.
  severity: 'critical',
  for: 5 * MINUTE,
  heldBy: ['balances', 'native-balances', 'node-balances'],
  parts: ['chain', 'expectation'],
  reads: [KNOWN, ...minBalance.families, NODE_BALANCE, CHAIN_TRACKED, minBalanceReported, ...OUT_OF_DATE_READS],
  judge: {
    wallet(wallet) {
      const metrics = [...minBalance.families, NODE_BALANCE]
      return partsOf(wallet, 'wallet_low', minBalance, metrics, (labels) => minimumVerdict(wallet, labels))
    },
  },
  title: '{{ $labels.address }} low on {{ $labels.chain }}',
  summary: 'The wallet balance is below its minimum.',
  action: ifKnown('missing', `Send at least ${AMOUNT} to ${toWallet}`, `Send tokens to ${toWallet}`),
  description: `Wallet {{ $labels.address }} on {{ $labels.network }} holds less on {{ $labels.chain }} than its min_balance${ifKnown('balance', `: ${AMOUNT}`)}${ifKnown('minimum', ` of ${NUMBER}`)}${ifKnown('missing', `, so it lacks ${NUMBER}`)}. Top it up: everything that it pays for stops when it is empty.`,
  details: {
    reads: [MINIMUM, ...balances],
    of: (wallet, { chain }) => missingOn(wallet, chain!),
  },
}

export const walletUnknown: Condition = {
  alert: 'StakewatchWalletUnknown',
  panel: 'wallets: Wallets and their chains',
  severity: 'warning',
  // Balances are read four times an hour.
  for: 25 * MINUTE,
  quietFor: 'wallet',
  reads: [TRACKED, ...balances, ...FAILING_READS, ...AWAY_READS],
  judge: {
    wallet(wallet) {
      if (!wallet.has(TRACKED)) return NOT_APPLICABLE
      if (balances.some((metric) => wallet.has(metric))) return OK
      // Failing collectors and unavailable sources have alerts of their own.
      const network = wallet.of('network')
      if (isFailing(network, isTargetOfWallet(wallet.labels['address']!))) return unknown('its collector fails')
      if (network.fact(isDataServiceAway)) return unknown('the data service is away')
      return problem(1)
    },
  },
  title: '{{ $labels.address }}: no balance is known',
  summary: 'There is no data about the balance of a configured wallet.',
  action: 'Check the addresses and chains of {{ $labels.address }} in the configuration.',
  description:
    'No balance of wallet {{ $labels.address }} on {{ $labels.network }} is known, although the sources answer. Check that a data service is configured and that the addresses are right. StakewatchWalletLow cannot fire for it.',
}

export const rewardOverdue: Condition = {
  alert: 'StakewatchRewardOverdue',
  panel: 'wallets: Stakes',
  severity: 'warning',
  for: 10 * MINUTE,
  reads: [NEXT_END, ...BEHIND_READS],
  judge: {
    wallet(wallet) {
      const network = wallet.of('network')
      const end = wallet.value(NEXT_END)
      const asked = lastSuccess(network, 'pending-rewards', `address:${wallet.labels['address']}`)
      if (end === undefined || asked === undefined) return NOT_APPLICABLE
      const overdue = asked - end
      return overdue > wallet.limits.rewardOverdue && !network.fact(isBehind) ? problem(overdue) : OK
    },
  },
  title: '{{ $labels.address }}: reward is overdue',
  summary: 'A staking reward is overdue.',
  action: 'Look in an explorer whether the reward of {{ $labels.address }} was paid.',
  description:
    'A stake ended {{ humanizeDuration $value }} ago, and wallet {{ $labels.address }} on {{ $labels.network }} has not received its reward: the data service still lists it as pending.',
}
