// Judged numbers that pages, panels and texts show, as ordinary gauges.

import { nodeVotes, weightOnline } from '../self/judge-metrics.ts'
import type { Scalar } from '../metrics/define.ts'
import type { Kind } from './board.ts'
import { isL1, onlineShare } from './l1-weights.ts'
import { isNode, isVoting } from './nodes.ts'
import type { View } from './view.ts'

export interface Measure {
  metric: Scalar<never>
  of: Kind
  /** Undefined where there is nothing to measure. */
  read: (view: View) => number | undefined
}

export const measures: readonly Measure[] = [
  { metric: nodeVotes, of: 'node', read: (node) => (isNode(node) ? Number(node.fact(isVoting)) : undefined) },
  { metric: weightOnline, of: 'subnet', read: (subnet) => (isL1(subnet) ? onlineShare(subnet) : undefined) },
]
