// The newest blocks of chains, as lists of the data service and nodes tell them, and whether the lists are behind.

import { FOREIGN } from './causes.ts'
import { latest, lastAsked } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** How old the newest block was when it was read: by the two lists of the data service, and by each node. */
export const primaryAge = `${lastAsked('primary-blocks', 'chain')} - ${latest('stakewatch_chain_head_timestamp_seconds')}`
const evmAge = `${lastAsked('evm-blocks', 'chain')} - ${latest('stakewatch_evm_head_timestamp_seconds')}`
const nodeAges = `${lastAsked('evm-node-heads', 'chain')} - ${latest('stakewatch_node_evm_head_timestamp_seconds')}`

export const THRESHOLD = latest('stakewatch_chain_stall_threshold_seconds')

/** A list is told from the other one by a source that no node can be: names have no spaces. */
const asSource = (age: string, source: string) => `label_replace(${age}, "source", "${source}", "", "")`

/** A node of another network has other blocks, and says nothing of this one. */
const ofNetwork = (metric: string) => `(${latest(metric)} unless on (job, network, source) ${FOREIGN})`
const ahead = (ofNodes: string, listed: string, { listedBehindBlocks }: Thresholds) =>
  `max without (source) ${ofNetwork(ofNodes)} - ${latest(listed)} > ${listedBehindBlocks}`

/** As it is recorded. */
export const BEHIND = 'chain:stakewatch_chain_head_height:behind'

/** Chains of which nodes have had blocks for minutes that the data service does not list: how many. */
export const behind = (limits: Thresholds) => `(
    ${ahead('stakewatch_node_head_height', 'stakewatch_chain_head_height', limits)}
    and on (job, network, chain) ${primaryAge} > ${limits.listedBehind}
  )
  or (
    ${ahead('stakewatch_node_evm_head_height', 'stakewatch_evm_head_height', limits)}
    and on (job, network, chain) ${evmAge} > ${limits.listedBehind}
  )`

/** Whatever reports how old the newest block of a chain is. */
export const witnesses = [
  'stakewatch_chain_head_timestamp_seconds',
  'stakewatch_evm_head_timestamp_seconds',
  'stakewatch_node_evm_head_timestamp_seconds',
].join(' or ')

/**
 * Chains whose newest block is too old: how old it is. The youngest counts, as whoever has an older one may lag. Nodes are
 * enough; a data service that lags on one chain is no witness for any.
 */
export const stalled = (limits: Thresholds) => `min without (source) (
    (
      ${asSource(primaryAge, 'primary blocks')}
      or
      ${asSource(evmAge, 'evm blocks')}
    ) unless on (job, network) ${BEHIND}
  or
    ${nodeAges}
) > ${THRESHOLD}
  unless on (job, network, chain) ${ahead('stakewatch_node_head_height', 'stakewatch_chain_head_height', limits)}`
