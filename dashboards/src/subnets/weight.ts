// The weight of an L1 that takes part.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { toPanel } from '../links.ts'
import { tile } from '../panels.ts'
import { ofFleet, SUBNET } from '../select.ts'
import { SHARE } from '../units.ts'

const { one } = ofFleet
const OF_NODE = `${SUBNET}, source`
const seen = (of: string) => one(OF_NODE, 'l1_weight', `of="${of}"`)
const listed = (of: string) => one(SUBNET, 'l1_listed_weight', `of="${of}"`)

/** Share of each L1, by the node that is connected to most; where none tells, what the data service lists with a balance. */
export const takesPart = `max by (${SUBNET}) (${seen('connected')} / on (${OF_NODE}) ${seen('total')}) or ${listed('active')} / on (${SUBNET}) ${listed('total')}`

export const leastWeight = tile(
  {
    title: 'L1 weight',
    description:
      'Share of the weight that takes part, of the L1 that has least: what the node is connected to that sees most, or where no node tells, what has a balance by the data service. Blocks need 75 %, a node that starts 80 %.',
    unit: SHARE,
  },
  {
    expr: `bottomk(1, ${takesPart})`,
    marks: ['red', [thresholds.l1Blocks, 'orange'], [thresholds.l1Healthy, 'green']],
    legend: '{{network}} {{subnet}}',
    to: toPanel('l1s', 'Weight of L1s by their own chain', 'network', 'subnet'),
  },
)
