// The newest blocks of chains, as lists of the data service and nodes tell them, and whether the lists are behind.

import { FOREIGN, MUTED } from './causes.ts'
import { latest, lastAsked } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** How old the newest block was when it was read: by the two lists of the data service, and by each node. */
export const primaryAge = `${lastAsked('primary-blocks', 'chain')} - ${latest('stakewatch_chain_head_timestamp_seconds')}`
const evmAge = `${lastAsked('evm-blocks', 'chain')} - ${latest('stakewatch_evm_head_timestamp_seconds')}`
const nodeAges = `${lastAsked('evm-node-heads', 'chain')} - ${latest('stakewatch_node_evm_head_timestamp_seconds')}`
const headAges = `${latest('stakewatch_node_head_read_timestamp_seconds')} - ${latest('stakewatch_node_head_timestamp_seconds')}`

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
  'stakewatch_node_head_timestamp_seconds',
].join(' or ')
/** Lists that nodes are compared with and that are not behind: the data service as a whole is not late. */
const KEEPING_UP = `(
      ${latest('stakewatch_chain_head_height')} and on (job, network, chain) stakewatch_node_head_height
      or ${latest('stakewatch_evm_head_height')} and on (job, network, chain) stakewatch_node_evm_head_height
    ) unless on (job, network, chain) ${BEHIND}`

/** A chain that has only its genesis block has not begun, so it has not stalled. */
const begun = (age: string, height: string, more = '') => `${age}
      unless on (job, network, chain${more}) ${latest(height)} == 0`

/**
 * Chains whose newest block is too old: how old it is. The youngest counts, as a source that has an older one may lag. A
 * list that is behind is no witness. While the data service is behind on every chain that nodes tell of, none of its lists
 * is: it may be as late on the chains that no node tells of.
 */
export const stalled = (limits: Thresholds) => `min without (source) (
    (
      ${asSource(begun(primaryAge, 'stakewatch_chain_head_height'), 'primary blocks')}
      or
      ${asSource(begun(evmAge, 'stakewatch_evm_head_height'), 'evm blocks')}
    )
    unless on (job, network, chain) (
      ${BEHIND}
      or ${ahead('stakewatch_node_head_height', 'stakewatch_chain_head_height', limits)}
    )
    unless on (job, network) (${BEHIND} unless on (job, network) (${KEEPING_UP}))
  or (
    ${begun(nodeAges, 'stakewatch_node_evm_head_height', ', source')}
    or
    ${begun(headAges, 'stakewatch_node_head_height', ', source')}
  ) unless on (job, network, source) ${MUTED}
) > ${THRESHOLD}`

/** Whether anything tells how old the newest block of a chain is. */
export const HEAD_KNOWN = `(
      stakewatch_chain_head_timestamp_seconds
      or stakewatch_evm_head_timestamp_seconds
      or stakewatch_node_head_timestamp_seconds
      or stakewatch_node_evm_head_timestamp_seconds
    )`

/** As it is recorded: the time of the newest block of an L1, as nodes and the data service tell it of its chain. */
export const L1_HEAD = 'subnet:stakewatch_evm_head_timestamp_seconds:max'

/** An L1 and its chain are configured under names of their own: the id of the chain joins them. */
export const l1Head = `max by (job, network, subnet) (
  max by (job, network, subnet, blockchain_id) (label_replace(stakewatch_l1_chain_info, "blockchain_id", "$1", "id", "(.+)"))
  * on (job, network, blockchain_id) group_left () max by (job, network, blockchain_id) (
    max by (job, network, chain, blockchain_id) (stakewatch_blockchain_info)
    * on (job, network, chain) group_left () max by (job, network, chain) (
      ${ofNetwork('stakewatch_node_evm_head_timestamp_seconds')} or stakewatch_evm_head_timestamp_seconds
    )
  )
)`
