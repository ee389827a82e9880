// Whether the nodes are well.

import { toPanel } from '../links.ts'
import { NONE, tile } from '../panels.ts'
import { type Narrowed, NODE } from '../select.ts'
import { COUNT } from '../units.ts'

export const unhealthy = ({ one }: Narrowed) =>
  tile(
    { title: 'Unhealthy', description: 'Nodes of which at least one health check fails.', unit: COUNT },
    {
      expr: `sum(min by (${NODE}) (${one(`${NODE}, check`, 'node_health_check_passing')}) == bool 0)`,
      marks: NONE,
      to: toPanel('chains', 'Health checks of nodes'),
    },
  )
