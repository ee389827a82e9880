// Whether each chain has stalled, by the rule of the alert StakewatchChainStalled.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { CHAIN, type Narrowed, NODE_CHAIN } from '../select.ts'

/** 1 or 0 for each chain that can stall. */
export function stalled({ one, select }: Narrowed): string {
  /** Age of the newest block when it was read: the chain may go on while an upstream does not answer. */
  const ageOf = (by: string, collector: string, head: string) =>
    `max by (${by}) (label_replace(${select('collector_last_success_timestamp_seconds', `collector="${collector}"`)}, "chain", "$1", "target", "(.+)")) - ${one(by, head)}`

  /** From both lists of the data service, and from the nodes with the newest block. */
  const ages = [
    ['listed', ageOf(CHAIN, 'primary-blocks', 'chain_head_timestamp_seconds')],
    ['evm', ageOf(CHAIN, 'evm-blocks', 'evm_head_timestamp_seconds')],
    [
      'node',
      `min by (${CHAIN}) (${one(NODE_CHAIN, 'node_head_read_timestamp_seconds')} - ${one(NODE_CHAIN, 'node_head_timestamp_seconds')})`,
    ],
    ['evm node', `min by (${CHAIN}) (${ageOf(NODE_CHAIN, 'evm-node-heads', 'node_evm_head_timestamp_seconds')})`],
  ].map(([by, age]) => `label_replace(${age!}, "by", "${by!}", "", "")`)

  const isOld = `(min by (${CHAIN}) (${ages.join(' or ')}) > bool ${one(CHAIN, 'chain_stall_threshold_seconds')})`
  const isListed = `(${one(CHAIN, 'node_head_height')} - ${one(CHAIN, 'chain_head_height')} <= bool ${thresholds.listedBehindBlocks})`
  return `${isOld} * ${isListed} or ${isOld}`
}
