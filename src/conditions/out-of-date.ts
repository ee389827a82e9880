// Whether the data service was out of date when a collector read it. Balances do not say how old they are, but the lists of
// blocks do, which are read more often: what one of them finds holds for all that the service says about the chain.

import type { Labels } from '../lib/label-text.ts'
import { DAY } from '../lib/seconds.ts'
import { isAgeKnown, isListOutOfDate, LIST_READS, STALE } from './heads.ts'
import { INTERVAL, runsOf } from './runs.ts'
import { type Track, valueAgo } from './track.ts'
import { isOverBudget, lastSuccess, OVER_BUDGET_READS, walletOf } from './upstreams.ts'
import type { Remembered, View } from './view.ts'

const LAST_SUCCESS = 'stakewatch_collector_last_success_timestamp_seconds'

/** While the answers of a run go back: when they last did not (seconds since the epoch). */
const currentUntil: Remembered = {
  name: 'run_current_until',
  of: 'run',
  for: DAY,
  read: (run) => (run.has(STALE) ? (run.value(LAST_SUCCESS) ?? 0) : undefined),
}

/** Whether the list of the chain is behind the nodes. If our own queue makes it late, this is not known. */
const listedLate: Remembered = {
  name: 'chain_listed_late',
  of: 'chain',
  for: DAY,
  read(chain) {
    if (!isAgeKnown(chain) || isOverBudget(chain.of('node', { source: 'data-api' }))) return undefined
    return Number(isListOutOfDate(chain))
  },
}

export const OUT_OF_DATE_READS = [INTERVAL, ...LIST_READS, currentUntil, listedLate, ...OVER_BUDGET_READS]

/** Why a verdict is unknown. */
export const OUTDATED = 'the data service was out of date when it was asked'

/** `unconfirmed`: no list has been read since. */
export type Standing = 'current' | 'unconfirmed' | 'outdated'

/** What shows how old the data service is: lists of blocks, and other runs that may find it older than before. */
interface Witnesses {
  lists: readonly View[]
  others: readonly View[]
  /** Whether the lists are of the same chain; else only all of them together count. */
  isOwn: boolean
}

const blockLists = (network: View): readonly View[] =>
  ['primary-blocks', 'evm-blocks'].flatMap((collector) => runsOf(collector)(network))

function witnessesOf(network: View, isOwnList: (list: View) => boolean, others: readonly View[] = []): Witnesses {
  const lists = network.fact(blockLists)
  const own = lists.filter(isOwnList)
  return own.length > 0 ? { lists: own, others, isOwn: true } : { lists, others, isOwn: false }
}

const chainOf = (list: View) => list.of('chain', { chain: list.labels['target']! })

/** Whether the answers of the run went back before it was asked again, so that this moment lies in between. */
function hadGoneBack(run: View, at: number): boolean {
  const track: Track = run.track(currentUntil)
  for (let index = 0; index < track.length; index += 2) {
    // Not known: they did not go back.
    if (track[index + 1]! < at && at <= (track[index + 2] ?? run.now)) return true
  }
  return false
}

const isTrue = (values: readonly boolean[], isOwn: boolean) =>
  isOwn ? values.includes(true) : values.length > 0 && !values.includes(false)

/** What is known of an answer that arrived at this time. */
function standingAt(at: number, { lists, others, isOwn }: Witnesses): Standing {
  const [first] = lists
  if (!first) return others.some((run) => hadGoneBack(run, at)) ? 'outdated' : 'current'
  const late = lists.flatMap((list) => {
    const wasLate = valueAgo(chainOf(list).track(listedLate), list.now, list.now - at)
    return wasLate === undefined ? [] : wasLate === 1
  })
  if (isTrue(late, isOwn) || [...lists, ...others].some((run) => hadGoneBack(run, at))) return 'outdated'
  const isRead = lists.some((list) => (list.value(LAST_SUCCESS) ?? -Infinity) >= at)
  // A list that fails confirms nothing: then the answer counts in the end.
  const wait = Math.max(...lists.map((list) => list.value(INTERVAL) ?? 0))
  return isRead || first.now - at > wait ? 'current' : 'unconfirmed'
}

/** A fact of the network: looking through all runs for each wallet would take the square of their number. */
const transactionsByWallet = (network: View): ReadonlyMap<string | undefined, readonly View[]> =>
  Map.groupBy(runsOf('transactions')(network), ({ labels }) => walletOf(labels['target']!))

const walletWitnesses = (network: View, address: string, chain: string) =>
  witnessesOf(network, ({ labels }) => labels['target'] === chain, network.fact(transactionsByWallet).get(address))

/** Balances of L1 validators are on the P-Chain. */
const l1Witnesses = (network: View) => witnessesOf(network, ({ labels }) => labels['collector'] === 'primary-blocks')

/** What is known of the balance of a wallet on a chain that the collector read last. */
export function standingOfWallet(wallet: View, collector: string, chain: string): Standing {
  const [network, address] = [wallet.of('network'), wallet.labels['address']!]
  const at = lastSuccess(network, collector, `${address}:${chain}`)
  return at === undefined ? 'current' : standingAt(at, walletWitnesses(network, address, chain))
}

/** What is known of the balances of the validators of an L1 that the data service listed last: a fact of the L1. */
export function standingOfList(subnet: View): Standing {
  const network = subnet.of('network')
  const at = lastSuccess(network, 'listed-l1s', subnet.labels['subnet']!)
  return at === undefined ? 'current' : standingAt(at, network.fact(l1Witnesses))
}

const ofWallets: ReadonlySet<string> = new Set(['balances', 'native-balances', 'transactions'])

/** What shows how old the answers of the run are. Undefined for those on which no page depends. */
function witnessesOfRun(run: View): Witnesses | undefined {
  const { collector = '', target = '' } = run.labels
  const network = run.of('network')
  if (collector === 'listed-l1s') return network.fact(l1Witnesses)
  const [, address, chain] = /^(?:address:)?([^:]+):(.+)$/.exec(target) ?? []
  if (!ofWallets.has(collector) || address === undefined || chain === undefined) return undefined
  return witnessesOf(network, ({ labels }) => labels['target'] === chain)
}

/** The last answers were out of date or were refused for that, and the data service is up to date again. */
function isToRepeat(run: View): boolean {
  const times = [run.value(LAST_SUCCESS), run.value(STALE)].filter((time) => time !== undefined)
  const witnesses = times.length === 0 ? undefined : witnessesOfRun(run)
  if (!witnesses || !times.some((at) => standingAt(at, witnesses) === 'outdated')) return false
  return !witnesses.lists.some((list) => list.has(STALE) || isListOutOfDate(chainOf(list)))
}

/** The runs of the network that should not wait for their turn. */
export const runsToRepeat = (network: View): readonly Labels[] =>
  [...ofWallets, 'listed-l1s']
    .flatMap((collector) => runsOf(collector)(network))
    .filter(isToRepeat)
    .map(({ labels }) => labels)
