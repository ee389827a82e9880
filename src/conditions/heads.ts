// Facts about the newest blocks of chains: how old they are, by the lists of the data service and by nodes, and whether the lists
// are behind.

import { isForeign, isVoting, VOTE_READS } from './nodes.ts'
import { lastSuccess } from './upstreams.ts'
import type { View } from './view.ts'

const THRESHOLD = 'stakewatch_chain_stall_threshold_seconds'
export const STALE = 'stakewatch_collector_stale_since_timestamp_seconds'

interface List {
  collector: string
  height: string
  time: string
  /** The heights that nodes report of the same chains. */
  heightOfNodes: string
}

/** The two lists of the data service: of the chains of the primary network, and of EVM chains. */
const primaryList: List = {
  collector: 'primary-blocks',
  height: 'stakewatch_chain_head_height',
  time: 'stakewatch_chain_head_timestamp_seconds',
  heightOfNodes: 'stakewatch_node_head_height',
}
const evmList: List = {
  collector: 'evm-blocks',
  height: 'stakewatch_evm_head_height',
  time: 'stakewatch_evm_head_timestamp_seconds',
  heightOfNodes: 'stakewatch_node_evm_head_height',
}
const lists = [primaryList, evmList]

interface Reports {
  height: string
  time: string
  /** When a node was asked (seconds since the epoch). */
  askedAt: (chain: View, source: string) => number | undefined
}

/** What nodes report. Where both exist, the first one counts. */
const reports: readonly Reports[] = [
  {
    height: 'stakewatch_node_evm_head_height',
    time: 'stakewatch_node_evm_head_timestamp_seconds',
    askedAt: (chain, source) => askedAt(chain, 'evm-node-heads', source),
  },
  {
    height: 'stakewatch_node_head_height',
    time: 'stakewatch_node_head_timestamp_seconds',
    askedAt: (chain, source) => chain.value('stakewatch_node_head_read_timestamp_seconds', { source }),
  },
]

const witnesses = [...lists, ...reports].map(({ time }) => time)

export const HEAD_KNOWN_READS = [THRESHOLD, ...witnesses]
/** Whether the data service is behind the nodes. */
export const BEHIND_READS = [
  ...lists.flatMap(({ height, time, heightOfNodes }) => [height, time, heightOfNodes]),
  'stakewatch_collector_last_success_timestamp_seconds',
  STALE,
  'stakewatch_node_in_network',
]
/** Whether its lists are out of date. */
export const LIST_READS = [THRESHOLD, ...BEHIND_READS]
/** The age of the newest block. */
export const HEAD_READS = [
  ...LIST_READS,
  ...reports.map(({ time }) => time),
  'stakewatch_node_head_read_timestamp_seconds',
  ...VOTE_READS,
]

const askedAt = (chain: View, collector: string, source = '') =>
  lastSuccess(chain.of('network'), collector, chain.labels['chain']!, source)

/** Greatest age of the newest block before the chain counts as stalled (seconds). */
export const stallThreshold = (chain: View) => chain.value(THRESHOLD)

/** Whether a source reports the age of the newest block. */
export const isHeadKnown = (chain: View) => witnesses.some((metric) => chain.has(metric))

const minus = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : one - other

/** Age of the newest block that the list has. */
const listAge = (chain: View, { collector, time }: List) => minus(askedAt(chain, collector), chain.value(time))

const primaryAge = (chain: View) => listAge(chain, primaryList)

/** Blocks that a node has and the list does not; undefined if they are few enough to be normal. */
function missing(chain: View, { height, heightOfNodes }: List): number | undefined {
  const listed = chain.value(height)
  if (listed === undefined) return undefined
  const heights = chain
    .all(heightOfNodes)
    // Nodes of another network have other blocks.
    .filter(({ labels }) => !chain.of('node', { source: labels['source']! }).fact(isForeign))
    .map(({ value }) => value)
  const ahead = Math.max(...heights) - listed
  return ahead > chain.limits.listedBehindBlocks ? ahead : undefined
}

/** How many blocks the data service does not list although nodes have had them for minutes; undefined if it keeps up. */
export function blocksBehind(chain: View): number | undefined {
  for (const list of lists) {
    const [blocks, age] = [missing(chain, list), listAge(chain, list)]
    if (blocks !== undefined && age !== undefined && age > chain.limits.listedBehind) return blocks
  }
  return undefined
}

const isSeenByNodes = (chain: View) =>
  lists.some(({ height, heightOfNodes }) => chain.has(height) && chain.has(heightOfNodes))

/** Whether the list of the chain can be compared with nodes and keeps up with them. */
const keepsUp = (chain: View) => blocksBehind(chain) === undefined && isSeenByNodes(chain)

/** The list of the chain now ends before blocks that it had. Its age says nothing: it is not used. */
export const isListCut = (chain: View) =>
  lists.some(({ collector }) => chain.of('run', { collector, target: chain.labels['chain']!, source: '' }).has(STALE))

/** The data service is behind on one of the chains of the network. */
export function isBehind(network: View): boolean {
  for (const chain of network.every('chain')) if (isListCut(chain) || blocksBehind(chain) !== undefined) return true
  return false
}

/** Whether anything shows if the list of the chain is out of date. */
export const isAgeKnown = (chain: View) => isSeenByNodes(chain) || stallThreshold(chain) !== undefined

/** The list of the chain is not what the chain is: by nodes, by itself or, without nodes, because it has no new block. */
export function isListOutOfDate(chain: View): boolean {
  if (isListCut(chain) || blocksBehind(chain) !== undefined) return true
  const age = Math.max(...lists.map((list) => listAge(chain, list) ?? -Infinity))
  return !isSeenByNodes(chain) && age > (stallThreshold(chain) ?? Infinity)
}

/** It is behind on every chain that nodes report too, so it may be as late on the others. */
function isBehindOnAll(network: View): boolean {
  return network.fact(isBehind) && ![...network.every('chain')].some(keepsUp)
}

/** On one of the chains of the network, the list of the primary network has no new block. */
export function isPrimaryListOld(network: View): boolean {
  for (const chain of network.every('chain')) {
    if ((primaryAge(chain) ?? -Infinity) > (stallThreshold(chain) ?? Infinity)) return true
  }
  return false
}

/** A chain with only its genesis block has not started, so it has not stalled. */
const hasBegun = (height: number | undefined) => height !== 0

/** Ages by the lists. One that is behind does not count. */
function listAges(chain: View): (number | undefined)[] {
  if (blocksBehind(chain) !== undefined || missing(chain, primaryList) !== undefined) return []
  if (chain.of('network').fact(isBehindOnAll)) return []
  return lists.filter(({ height }) => hasBegun(chain.value(height))).map((list) => listAge(chain, list))
}

/** Ages by the nodes that vote. */
function nodeAges(chain: View): readonly number[] {
  const bySource = new Map<string, number>()
  for (const { height, time, askedAt } of reports) {
    for (const { labels, value } of chain.all(time)) {
      const source = labels['source']!
      const asked = askedAt(chain, source)
      if (asked === undefined || bySource.has(source) || !hasBegun(chain.value(height, { source }))) continue
      if (chain.of('node', { source }).fact(isVoting)) bySource.set(source, asked - value)
    }
  }
  return [...bySource.values()]
}

/** Age of the newest block by the source that reports the youngest one, because the others may lag; undefined if none counts. */
export function headAge(chain: View): number | undefined {
  const ages = [...listAges(chain), ...nodeAges(chain)].filter((age) => age !== undefined)
  return ages.length === 0 ? undefined : Math.min(...ages)
}

const EVM_HEAD = 'stakewatch_evm_head_timestamp_seconds'
const NODE_EVM_HEAD = 'stakewatch_node_evm_head_timestamp_seconds'
const L1_CHAIN = 'stakewatch_l1_chain_info'
const CHAIN_INFO = 'stakewatch_blockchain_info'
export const L1_HEAD_READS = [EVM_HEAD, NODE_EVM_HEAD, L1_CHAIN, CHAIN_INFO]

/** The configured chains of a network by their blockchain ids: the configuration names an L1 and its chain separately. */
const chainsById = (network: View): ReadonlyMap<string, View> =>
  new Map(
    [...network.every('chain')].flatMap((chain) =>
      chain.all(CHAIN_INFO).map(({ labels }) => [labels['blockchain_id']!, chain] as const),
    ),
  )

/** When the newest block of the L1 was made, by any source of this network (seconds since the epoch). */
export function newestBlockOfL1(subnet: View): number | undefined {
  const chains = subnet.of('network').fact(chainsById)
  const times = subnet.all(L1_CHAIN).flatMap(({ labels }) => {
    const chain = chains.get(labels['id']!)
    if (!chain) return []
    const ofNodes = chain
      .all(NODE_EVM_HEAD)
      .filter(({ labels: { source } }) => !chain.of('node', { source: source! }).fact(isForeign))
    return [...ofNodes, ...chain.all(EVM_HEAD)].map(({ value }) => value)
  })
  return times.length === 0 ? undefined : Math.max(...times)
}
