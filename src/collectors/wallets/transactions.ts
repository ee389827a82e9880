// transactions: transactions of wallets on the primary network, and top-ups of tracked L1 validators, each counted
// once. List latest transactions (document 1, operation 4).

import type { Network } from '../../config/schema.ts'
import { equal } from '../../judgements/expectations.ts'
import { plainAddress, type PrimaryChain, primaryChains } from '../../lib/primary-network.ts'
import { toTokens } from '../../lib/units.ts'
import { ofAddress, type Sample } from '../../metrics/define.ts'
import { listLatestTransactions } from '../../operations/data/primary-network-transactions.ts'
import { getCurrentValidators } from '../../operations/node/platform-validators.ts'
import { aboutChain, mismatchOf, publishMismatch } from '../answers/chain-info.ts'
import { boundedWord } from '../answers/spelling.ts'
import { identity, memory, newestFirst, plus, type Totals, type TransactionRun } from './counted-transactions.ts'
import { defineCollector, asExpectations } from '../define.ts'
import { followHistory, type HistoryOf, joinPages } from './history.ts'
import { burnedBy, isOutgoing, partiesOf, type Transaction } from './movements.ts'
import { FIRST_LOOK, updateMarks, outgoingOf } from './outgoing.ts'
import { collectTopups, l1Subjects, topupTotal } from './topups.ts'
import { askedOf, evmWallets, ownItems, walletsOnChains, type WalletOnChain } from './wallets.ts'

const transactionsTotal = ofAddress.counter('stakewatch_address_transactions_total', {
  help: 'Transactions of the wallet on the chain since counting began, by type (data service).',
  labels: ['chain', 'tx_type'],
})
const burnedTotal = ofAddress.counter('stakewatch_address_burned_tokens_total', {
  help: "Fees that the wallet's outgoing transactions burned since counting began; absent once unknown (data service).",
  labels: ['chain'],
})
const lastTransaction = ofAddress.gauge('stakewatch_address_last_transaction_timestamp_seconds', {
  is: 'past',
  help: "Time of the wallet's newest transaction on the chain; absent without any (data service).",
  labels: ['chain'],
})
const lastOutgoing = ofAddress.gauge('stakewatch_address_last_outgoing_timestamp_seconds', {
  is: 'past',
  help: 'Time of the newest transaction that cost the wallet more than it returned, fees included; absent without any (data service).',
  labels: ['chain'],
})
const lastOutgoingTokens = ofAddress.gauge('stakewatch_address_last_outgoing_tokens', {
  help: 'Staking tokens that the newest outgoing transaction took from the wallet, fees included; absent without any (data service).',
  labels: ['chain'],
})
const expectationMet = ofAddress.gauge('stakewatch_address_transactions_expectation_met', {
  help: "Whether the wallet's transactions meet the configured expectation: 1 or 0; absent while unknown (data service).",
  details: '`outgoing`: nothing left the wallet within a day and since the first run.',
  labels: ['chain', 'expectation'],
})
const gapsTotal = ofAddress.counter('stakewatch_address_transactions_gaps_total', {
  help: 'How often transactions went uncounted because the list did not reach back to those counted before (data service).',
  labels: ['chain'],
})
const mismatch = ofAddress.gauge('stakewatch_transactions_chain_mismatch', {
  ...mismatchOf('transactions'),
  labels: ['chain'],
})

/** Usual transactions of wallets on each chain. Counters of other types begin when one is first listed. */
const types: Readonly<Record<PrimaryChain, readonly string[]>> = {
  P: [
    'BaseTx',
    'ImportTx',
    'ExportTx',
    'AddPermissionlessValidatorTx',
    'AddPermissionlessDelegatorTx',
    'AddValidatorTx',
    'AddDelegatorTx',
    'RewardValidatorTx',
    'ConvertSubnetToL1Tx',
    'RegisterL1ValidatorTx',
    'IncreaseL1ValidatorBalanceTx',
  ],
  X: ['BaseTx', 'ImportTx', 'ExportTx'],
  C: ['ImportTx', 'ExportTx'],
}

interface WalletSubject extends Omit<WalletOnChain, 'wallet'> {
  of: 'address'
  isStill: boolean
}

export const transactions = defineCollector({
  name: 'transactions',
  about: 'Transactions of wallets on the primary network, and top-ups of tracked L1 validators.',
  every: '15m',
  uses: [listLatestTransactions, getCurrentValidators],
  isReserved: true,
  isFirst: (subject) => subject.of === 'address' && subject.isStill,
  metrics: [
    transactionsTotal,
    burnedTotal,
    lastTransaction,
    lastOutgoing,
    lastOutgoingTokens,
    expectationMet,
    gapsTotal,
    mismatch,
    topupTotal,
  ],
  memory,
  subjects: (network: Network) => [...walletSubjects(network), ...l1Subjects(network)],
  // The first run may read more, see FIRST_PAGES.
  estimate: (subject) =>
    subject.of === 'address'
      ? { calls: [listLatestTransactions], series: types[subject.chain].length + 7 }
      : { series: 1 },
  collect: ({ subject, ...run }) =>
    subject.of === 'address' ? collectWallet({ ...run, subject }) : collectTopups({ ...run, subject }),
})

function walletSubjects(network: Network): WalletSubject[] {
  return [...walletsOnChains(network), ...evmWalletsOnC(network)].map(({ wallet, ...subject }) => ({
    ...subject,
    // A wallet and a validator may have the same name: the target says which of them it is.
    name: `address:${subject.name}`,
    of: 'address',
    isStill: wallet.expect.outgoing === 'none',
  }))
}

/** Wallets with 0x addresses on the C-Chain: their imports from and exports to other chains. */
function evmWalletsOnC(configured: Network): WalletOnChain[] {
  const isC = (chain: string) => configured.chains.some(({ id, name }) => name === chain && primaryChains[id] === 'C')
  return evmWallets(configured)
    .filter(({ chain }) => isC(chain))
    .map(({ name, labels, wallet, chain: chainName }) => ({
      name,
      labels,
      wallet,
      network: configured.data_api!.network,
      addresses: wallet.addresses.join(','),
      chain: 'C',
      chainName,
      blockchainId: 'c-chain',
    }))
}

/**
 * Maximum number of pages that the first run reads to find what left a wallet in the last half hour that is expected to
 * keep still. These are 1,000 transactions and cost 1,000 request units, a third of the default budget of a minute. A
 * usual wallet needs one page. If these pages do not reach back far enough, the expectation is unknown.
 */
const FIRST_PAGES = 10

async function collectWallet({ subject, memory: remembered, now, pages, flawed }: TransactionRun<WalletSubject>) {
  const asked = askedOf(subject)
  const from = remembered?.asked === asked ? remembered : undefined
  const { network, blockchainId, addresses, chain: onChain, chainName: chain, isStill } = subject
  const own = new Set(addresses.split(',').map(plainAddress))
  const { only, isOther } = aboutChain({ chain: onChain, network })
  let lost = 0
  let isWhole = false
  async function* ofWallet() {
    const params = { network, blockchainId, addresses, ...newestFirst }
    for await (const { value, dropped } of only(pages(listLatestTransactions, params))) {
      lost += dropped
      // A transaction need not name the wallet: it is accepted unless the whole page names only others.
      ownItems({ addresses: [...own].join(',') }, value.transactions, (one) => partiesOf(one, own))
      yield value.transactions
    }
    isWhole = true
  }
  const list = isStill && !from ? joinPages(ofWallet(), reachesBack(now)) : ofWallet()
  const counted = await followHistory(ofOutgoing(subject, own), list, from, now)
  const { history, listed, isBehind, problem, refused } = counted
  if (isOther()) return publishMismatch(mismatch.sample({ chain }, 1), flawed)
  if (from && refused) return { samples: [], memory: { ...from, ...history }, refused }
  if (problem) flawed(problem)
  const totals = from ? history.totals : withTypes(history.totals, listed)
  const isGap = lost > 0 || problem !== undefined || isBehind || history.gaps > (from?.gaps ?? 0)
  const oldest = from || isWhole ? -Infinity : oldestOf(listed, now)
  const unread = isGap ? now : oldest > now - FIRST_LOOK ? oldest : undefined
  const marks = updateMarks({ listed, own, network, from: remembered, isFirst: !from, now, unread })
  const taken = marks.outgoing?.tokens
  return {
    samples: [
      ...totalSamples(totals, chain),
      gapsTotal.sample({ chain }, history.gaps),
      ...(history.position === '0' ? [] : [lastTransaction.sample({ chain }, Number(history.position))]),
      ...(marks.outgoing ? [lastOutgoing.sample({ chain }, marks.outgoing.time)] : []),
      ...lastOutgoingTokens.ifKnown({ chain }, taken === undefined ? undefined : toTokens(BigInt(taken))),
      ...mismatch.ifKnown({ chain }, isOther()),
    ],
    expectations: asExpectations(
      expectationMet,
      equal('outgoing', isStill ? 'none' : undefined, outgoingOf(marks, now)),
    ),
    memory: { ...history, totals, ...marks, asked },
  }
}

function reachesBack(now: number) {
  let pages = 0
  const isOlder = (one: Transaction) => timeOf(one) * 1_000 <= now - FIRST_LOOK
  return (page: readonly Transaction[]) => ++pages >= FIRST_PAGES || page.some(isOlder)
}

/** Milliseconds. */
function oldestOf(listed: readonly Transaction[], now: number): number {
  return listed.reduce((oldest, one) => Math.min(oldest, timeOf(one) * 1_000), now)
}

/** Seconds. A transaction without a time does not show how far a page reaches back. */
function timeOf(transaction: Transaction): number {
  return identity.time(transaction) ?? Infinity
}

function ofOutgoing({ chain, network }: WalletSubject, own: ReadonlySet<string>): HistoryOf<Transaction, Totals> {
  return {
    ...identity,
    start: { types: Object.fromEntries(types[chain].map((type) => [type, 0])), tokens: '0' },
    add({ types: counts, tokens }, transaction) {
      const type = boundedWord(counts, typeOf(transaction))
      const isOut = isOutgoing(transaction, own)
      // Senders pay the fees of incoming transactions.
      const burned = isOut === false ? 0n : isOut && burnedBy(transaction, network)
      return { types: { ...counts, [type]: (counts[type] ?? 0) + 1 }, tokens: plus(tokens, burned) }
    },
  }
}

function typeOf({ txType = 'other' }: Transaction): string {
  return txType
}

/** The first run counts nothing, but the types in use start at 0: `increase()` misses a series that begins at 1. */
function withTypes({ types: known, tokens }: Totals, listed: readonly Transaction[]): Totals {
  const counts = { ...known }
  for (const transaction of listed) counts[boundedWord(counts, typeOf(transaction))] ??= 0
  return { types: counts, tokens }
}

function totalSamples({ types: counts, tokens }: Totals, chain: string): Sample[] {
  return [
    ...Object.entries(counts).map(([tx_type, count]) => transactionsTotal.sample({ chain, tx_type }, count)),
    ...(tokens === undefined ? [] : [burnedTotal.sample({ chain }, toTokens(BigInt(tokens)))]),
  ]
}
