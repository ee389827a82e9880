// Tiles about the health of nodes.

import { toPanel } from '../links.ts'
import { countBad, NONE, tile } from '../panels.ts'
import { type Narrowed, NODE } from '../select.ts'
import { COUNT } from '../units.ts'

/** The node's own health checks, and ours: whether it belongs to the configured network. */
export const checks = ({ one }: Narrowed) =>
  `${one(`${NODE}, check`, 'node_health_check_passing')} or label_replace(${one(NODE, 'node_in_network')}, "check", "belongs to its network", "", "")`

export const unhealthy = (narrowed: Narrowed) =>
  tile(
    {
      title: 'Unhealthy',
      description: 'Nodes with at least one failing health check, or in another network.',
      unit: COUNT,
    },
    {
      expr: countBad(`min by (${NODE}) (${checks(narrowed)}) == bool 0`),
      names: ['source'],
      marks: NONE,
      to: toPanel('chains', 'Health checks of nodes'),
    },
  )
