// The participating weight of L1s.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { toPanel } from '../links.ts'
import { tile } from '../panels.ts'
import { ofFleet, orUnconfigured, SUBNET } from '../select.ts'
import { SHARE } from '../units.ts'

const { one } = ofFleet
const OF_NODE = `${SUBNET}, source`
const seen = (of: string) => one(OF_NODE, 'l1_weight', `of="${of}"`)
const listed = (of: string) => one(SUBNET, 'l1_listed_weight', `of="${of}"`)

/** Share by L1, from the node that is connected to most, else the weight with a balance in the data service. */
export const takesPart = `max by (${SUBNET}) (${seen('connected')} / on (${OF_NODE}) ${seen('total')}) or ${listed('active')} / on (${SUBNET}) ${listed('total')}`

/** What a tile of L1s shows. */
export const orNoL1 = (expr: string) =>
  orUnconfigured(ofFleet, expr, 'no L1', 'l1-validators', 'l1-liveness', 'listed-l1s')

export const leastWeight = tile(
  {
    title: 'L1 weight',
    description:
      'Participating share of the weight of the weakest L1: connected weight by the node that sees most, else active weight by the data service. Blocks need 75 %, a starting node needs 80 %.',
    unit: SHARE,
  },
  {
    ...orNoL1(`bottomk(1, ${takesPart})`),
    marks: ['red', [thresholds.l1Blocks, 'orange'], [thresholds.l1Healthy, 'green']],
    names: ['subnet'],
    to: toPanel('l1s', 'Weight of L1s by their own chain', 'network', 'subnet'),
  },
)
