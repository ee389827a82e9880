// The newest blocks of chains, from the lists of the data service and from nodes, and whether the lists are behind.

import { FOREIGN, MUTED } from './causes.ts'
import { latest, lastAsked } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Age of the newest block when it was read: from the two lists of the data service, and from each node. */
export const primaryAge = `${lastAsked('primary-blocks', 'chain')} - ${latest('stakewatch_chain_head_timestamp_seconds')}`
const evmAge = `${lastAsked('evm-blocks', 'chain')} - ${latest('stakewatch_evm_head_timestamp_seconds')}`
const nodeAges = `${lastAsked('evm-node-heads', 'chain')} - ${latest('stakewatch_node_evm_head_timestamp_seconds')}`
const headAges = `${latest('stakewatch_node_head_read_timestamp_seconds')} - ${latest('stakewatch_node_head_timestamp_seconds')}`

export const THRESHOLD = latest('stakewatch_chain_stall_threshold_seconds')

/** Labels each list with a source of its own. It has a space, which names of nodes cannot have. */
const asSource = (age: string, source: string) => `label_replace(${age}, "source", "${source}", "", "")`

/** Excludes nodes of another network, which have other blocks. */
const ofNetwork = (metric: string) => `(${latest(metric)} unless on (job, network, source) ${FOREIGN})`
const ahead = (ofNodes: string, listed: string, { listedBehindBlocks }: Thresholds) =>
  `max without (source) ${ofNetwork(ofNodes)} - ${latest(listed)} > ${listedBehindBlocks}`

/** The name of its recording rule. */
export const BEHIND = 'chain:stakewatch_chain_head_height:behind'

/** Chains with blocks that nodes have had for minutes and the data service does not list: how many blocks. */
export const behind = (limits: Thresholds) => `(
    ${ahead('stakewatch_node_head_height', 'stakewatch_chain_head_height', limits)}
    and on (job, network, chain) ${primaryAge} > ${limits.listedBehind}
  )
  or (
    ${ahead('stakewatch_node_evm_head_height', 'stakewatch_evm_head_height', limits)}
    and on (job, network, chain) ${evmAge} > ${limits.listedBehind}
  )`

/** Series that report the age of the newest block of a chain. */
export const witnesses = [
  'stakewatch_chain_head_timestamp_seconds',
  'stakewatch_evm_head_timestamp_seconds',
  'stakewatch_node_evm_head_timestamp_seconds',
  'stakewatch_node_head_timestamp_seconds',
].join(' or ')
/** Lists that can be compared with nodes and are not behind: with one of these, the data service as a whole is not late. */
const KEEPING_UP = `(
      ${latest('stakewatch_chain_head_height')} and on (job, network, chain) stakewatch_node_head_height
      or ${latest('stakewatch_evm_head_height')} and on (job, network, chain) stakewatch_node_evm_head_height
    ) unless on (job, network, chain) ${BEHIND}`

/** A chain with only its genesis block has not started, so it has not stalled. */
const begun = (age: string, height: string, more = '') => `${age}
      unless on (job, network, chain${more}) ${latest(height)} == 0`

/**
 * Age of the newest block of chains where it is too old. The youngest block counts, because the other sources may lag. Lists
 * that are behind do not count. While the data service is behind on every chain that nodes report, none of its lists counts:
 * it may be as late on the other chains.
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

/** Chains with a known age of their newest block. */
export const HEAD_KNOWN = `(
      stakewatch_chain_head_timestamp_seconds
      or stakewatch_evm_head_timestamp_seconds
      or stakewatch_node_head_timestamp_seconds
      or stakewatch_node_evm_head_timestamp_seconds
    )`

/** The name of the recording rule for the time of the newest block of an L1. */
export const L1_HEAD = 'subnet:stakewatch_evm_head_timestamp_seconds:max'

/** The configuration names an L1 and its chain separately: the id of the chain joins them. */
export const l1Head = `max by (job, network, subnet) (
  max by (job, network, subnet, blockchain_id) (label_replace(stakewatch_l1_chain_info, "blockchain_id", "$1", "id", "(.+)"))
  * on (job, network, blockchain_id) group_left () max by (job, network, blockchain_id) (
    max by (job, network, chain, blockchain_id) (stakewatch_blockchain_info)
    * on (job, network, chain) group_left () max by (job, network, chain) (
      ${ofNetwork('stakewatch_node_evm_head_timestamp_seconds')} or stakewatch_evm_head_timestamp_seconds
    )
  )
)`
