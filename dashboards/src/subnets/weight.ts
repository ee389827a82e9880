// The participating weight of L1s.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { toPanel } from '../links.ts'
import { tile } from '../panels.ts'
import { ofFleet, orUnconfigured, SUBNET } from '../select.ts'
import { SHARE } from '../units.ts'

const { one } = ofFleet
/** Share by L1, from the node with a vote that is connected to most, else the weight with a balance. */
export const online = one(SUBNET, 'l1_weight_online_ratio')

/** What a tile of L1s shows. */
export const orNoL1 = (expr: string) =>
  orUnconfigured(ofFleet, expr, 'no L1', 'l1-validators', 'l1-liveness', 'listed-l1s')

export const leastWeight = tile(
  {
    title: 'L1 weight',
    description:
      'Share of the weight of the weakest L1 that is online: connected weight by the node that sees most, else the weight that has a balance. Blocks need 75 %, a starting node needs 80 %.',
    unit: SHARE,
  },
  {
    ...orNoL1(`bottomk(1, ${online})`),
    marks: ['red', [thresholds.l1Blocks, 'orange'], [thresholds.l1Healthy, 'green']],
    names: ['subnet'],
    to: toPanel('l1s', 'Weight of L1s by their own chain', 'network', 'subnet'),
  },
)
