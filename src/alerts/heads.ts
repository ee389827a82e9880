// The newest blocks of chains, from the lists of the data service and from nodes, and whether the lists are behind.

import { FOREIGN } from './causes.ts'
import { latest, lastAsked } from './rule.ts'
import type { Thresholds } from './thresholds.ts'

/** Age of the newest block that each list of the data service has, when it was read. */
const primaryAge = `${lastAsked('primary-blocks', 'chain')} - ${latest('stakewatch_chain_head_timestamp_seconds')}`
const evmAge = `${lastAsked('evm-blocks', 'chain')} - ${latest('stakewatch_evm_head_timestamp_seconds')}`

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
