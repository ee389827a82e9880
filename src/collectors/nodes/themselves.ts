// The nodes of a network, for what each of them tells of itself.

import type { Network } from '../../config/schema.ts'
import type { Subject } from '../define.ts'

/** Nothing where no node is configured: then there is nobody to ask. */
export function nodesThemselves({ nodes }: Network): Subject[] {
  return nodes.length === 0 ? [] : [{ name: 'all', labels: {} }]
}
