// Subjects of collectors that poll each node about itself.

import type { Network } from '../../config/schema.ts'
import type { Subject } from '../define.ts'

/** Empty if no node is configured. */
export function nodesThemselves({ nodes }: Network): Subject[] {
  return nodes.length === 0 ? [] : [{ name: 'all', labels: {} }]
}
