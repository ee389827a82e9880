// Facts about the lists of blocks of the data service.

import { isForeign } from './nodes.ts'
import { lastSuccess } from './upstreams.ts'
import type { View } from './view.ts'

/** The lists of a chain: by whom they are read, and with what nodes say they are compared. */
const lists = [
  {
    collector: 'primary-blocks',
    height: 'stakewatch_chain_head_height',
    time: 'stakewatch_chain_head_timestamp_seconds',
    ofNodes: 'stakewatch_node_head_height',
  },
  {
    collector: 'evm-blocks',
    height: 'stakewatch_evm_head_height',
    time: 'stakewatch_evm_head_timestamp_seconds',
    ofNodes: 'stakewatch_node_evm_head_height',
  },
] as const

export const LIST_READS = [
  ...lists.flatMap(({ height, time, ofNodes }) => [height, time, ofNodes]),
  'stakewatch_collector_last_success_timestamp_seconds',
  'stakewatch_node_in_network',
]

/** Nodes have had blocks of the chain for minutes that the data service does not list. A node of another network has other blocks. */
export function isListBehind(chain: View): boolean {
  const { listedBehindBlocks, listedBehind } = chain.limits
  return lists.some(({ collector, height, time, ofNodes }) => {
    const [listed, newest] = [chain.value(height), chain.value(time)]
    const asked = lastSuccess(chain.of('network'), collector, chain.labels['chain']!)
    if (listed === undefined || newest === undefined || asked === undefined || !(asked - newest > listedBehind))
      return false
    return chain
      .all(ofNodes)
      .some(
        ({ labels, value }) =>
          value - listed > listedBehindBlocks && !isForeign(chain.of('node', { source: labels['source']! })),
      )
  })
}

/** The data service is behind on a chain of the network. */
export const isAnyListBehind = (network: View) => [...network.every('chain')].some((chain) => chain.fact(isListBehind))
