// Tiles about the health of nodes.

import { toPanel } from '../links.ts'
import { countBad, NONE, tile } from '../panels.ts'
import { type Narrowed, NODE } from '../select.ts'
import { COUNT } from '../units.ts'
import { found } from '../verdicts.ts'

/** The node's own health checks, and ours: whether it belongs to the configured network. */
export const checks = ({ one }: Narrowed) =>
  `${one(`${NODE}, check`, 'node_health_check_passing')} or label_replace(${one(NODE, 'node_in_network')}, "check", "belongs to its network", "", "")`

export const unhealthy = (narrowed: Narrowed) =>
  tile(
    {
      title: 'Unhealthy',
      description:
        'Nodes that fail a health check, whose checks stand still, or that belong to another network. Without those in maintenance, and without what has an alert of its own, such as an L1 that has stalled.',
      unit: COUNT,
    },
    {
      expr: countBad(found(narrowed, NODE, 'own_node_unhealthy', 'node_unhealthy', 'node_of_other_network')),
      names: ['source'],
      marks: NONE,
      to: toPanel('chains', 'Health checks of nodes'),
    },
  )
