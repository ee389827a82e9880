// What happens to an L1 and its validators.

import { action, type Incident, informs, pages, warns } from '../incident.ts'
import { plannedEnd, ESSENTIAL } from '../stage.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** orchard has eight validators with weights of 54, 137, 62, 162, 46, 72, 40 and 90: 663 in all. */
const disconnect = (nodeId: string | undefined) => action({ kind: 'disconnect', nodeId })
export const lasting = (nodeId: string | undefined, seconds: number) =>
  action({ kind: 'set-balance', subnet: 'orchard', nodeId, seconds })
export const weighing = (nodeId: string | undefined, weight: number) =>
  action({ kind: 'set-weight', subnet: 'orchard', nodeId, weight })
const orchard = [{ subnet: 'orchard' }]
const ofNodes = (...ids: (string | undefined)[]) => ids.map((id) => ({ node_id: id! }))

const NODES = {
  [0]: 'NodeID-6n2e6YQbbHcGTFd8pPjDHL9VDyrVAphsG',
  [3]: 'NodeID-5JTQJ6qTP1xPMpbDJpXLHf6Eak81iDPVP',
  [4]: 'NodeID-KMobx8UKpSaVJhfQiXUnF7HGx7WESoHGM',
  [6]: 'NodeID-L1yyRf4GnJK9SrM9AuozHbNaPPTu3zWV1',
} as const

export const subnets: readonly Incident[] = [
  {
    name: 'the validators of an L1 go away one after the other',
    minutes: 36,
    orders: ({ orchard: [a, , , , e, , g, h] }) => ({
      // 79.5, 73.5 and 65.3 percent are left.
      0: [disconnect(h), disconnect(e)],
      10: [disconnect(g)],
      20: [disconnect(a)],
    }),
    alerts: [
      pages('StakewatchL1WeightLow', orchard, {
        until: 20,
        fills: {
          l1: { eroding: 'l1s/Weight of L1s by their own chain', unhealthy: 'l1s/Weight of L1s by their own chain' },
          route: { eroding: 'fleet/L1 weight' },
        },
      }),
      pages('StakewatchL1Stalled', orchard, { at: 10, until: 30, fills: { l1: { offline: 'fleet/L1 weight' } } }),
      pages('StakewatchL1MessagesUnsigned', orchard, {
        at: 20,
        fills: { l1: { offline: 'l1s/Weight of L1s by their own chain' }, route: { unreachable: 'fleet/L1 weight' } },
      }),
      pages('StakewatchL1ValidatorDisconnected', [{ validator: 'golf' }], { at: 20 }),
    ],
  },
  {
    name: 'a validator of an L1 goes away, and the heaviest one must not',
    minutes: 24,
    orders: ({ orchard: [, , , , , , , h] }) => ({ 0: [disconnect(h)] }),
    alerts: [
      warns('StakewatchL1OneStepFromStall', orchard, {
        fills: { l1: { eroding: 'l1s/Weight that an L1 may still lose' } },
      }),
    ],
  },
  {
    name: 'the balance of the validator runs out without which an L1 stands still',
    scenery: { nodes: 'bystander' },
    minutes: 45,
    orders: ({ orchard: [, , , d] }) => ({
      // More than a quarter of 671.
      [-5]: [weighing(d, 170)],
      0: [lasting(d, 14 * DAY + 20 * MINUTE)],
    }),
    alerts: [
      informs('StakewatchL1BalanceLow', ofNodes(NODES[3])),
      warns('StakewatchL1OneStepFromStall', orchard, { at: 20, fills: { l1: { 'running out': 'l1s/To spare' } } }),
    ],
  },
  {
    name: 'balances of an L1 that carry a third of its weight run out within a week',
    scenery: { nodes: 'bystander' },
    minutes: 30,
    orders: ({ orchard: [, , , d, , , g] }) => ({
      0: [lasting(d, 7 * DAY + 5 * MINUTE), lasting(g, 7 * DAY + 5 * MINUTE)],
    }),
    alerts: [
      informs('StakewatchL1BalanceLow', ofNodes(NODES[3], NODES[6]), { until: 15 }),
      warns('StakewatchL1WeightEnding', orchard, {
        at: 5,
        fills: { l1: { 'running out': 'l1s/Weight about to go inactive' } },
      }),
    ],
  },
  {
    name: 'the balance of a validator of an L1 runs out',
    minutes: 66,
    // The balance of golf ends as it is planned.
    scenery: { nodes: 'bystander', declared: { golf: plannedEnd(20 * DAY) } },
    orders: ({ orchard: [a, , , , , , g] }) => ({
      0: [lasting(g, 30 * DAY + 10 * MINUTE), lasting(a, 20 * DAY)],
      13: [lasting(g, 7 * DAY + 10 * MINUTE)],
      26: [lasting(g, 1.5 * DAY + 10 * MINUTE)],
      39: [lasting(g, 10 * MINUTE)],
    }),
    alerts: [
      informs('StakewatchL1BalanceLow', ofNodes(NODES[6]), {
        at: 10,
        within: 3,
        until: 33,
        fills: { l1Validator: { 'running out': 'fleet/L1 runway' } },
      }),
      warns('StakewatchL1BalanceEnding', ofNodes(NODES[6]), {
        at: 32,
        within: 5,
        until: 46,
        fills: { l1Validator: { 'running out': 'fleet/L1 runway' } },
      }),
      pages('StakewatchL1BalanceRunningOut', ofNodes(NODES[6]), {
        at: 36,
        within: 3,
        fills: { l1Validator: { 'running out': 'fleet/L1 runway' } },
      }),
      pages('StakewatchL1ValidatorInactive', ofNodes(NODES[6]), {
        at: 49,
        fills: { l1Validator: { 'running out': 'l1s/Inactive' } },
      }),
      // Without its 40, the 162 of the heaviest one are more than the L1 can spare: 461 of 663 are left.
      warns('StakewatchL1OneStepFromStall', orchard, { at: 49 }),
    ],
  },
  {
    name: 'two validators of an L1 run dry on the same day, and it stands still',
    scenery: { nodes: 'bystander' },
    minutes: 26,
    orders: ({ orchard: [, , , d, , , g] }) => ({
      0: [lasting(d, 5 * MINUTE), lasting(g, 10 * MINUTE)],
    }),
    alerts: [
      // That a balance has run out does not end its page.
      pages('StakewatchL1BalanceRunningOut', ofNodes(NODES[3], NODES[6])),
      pages('StakewatchL1Stalled', orchard, {
        at: 10,
        fills: { l1: { stalled: 'l1s/Weight of L1s by their own chain' } },
      }),
    ],
  },
  {
    name: 'a budget ends within a day, and then L1 validation costs half as much again as a day before',
    minutes: 1_560,
    sampleMinutes: 15,
    // Of which a day takes 48,200.
    scenery: { pollMinutes: 15, only: ESSENTIAL, budget: '{ per_day: 50500 }' },
    orders: () => ({
      // Above the target of ten thousand the price does not fall.
      1_500: [action({ kind: 'join-l1s', count: 8_600 }), action({ kind: 'set-l1-price', price: 1_000 })],
    }),
    alerts: [
      warns('StakewatchBudgetExhausted', [{ source: 'data-api' }], { at: 1_425, within: 30 }),
      informs('StakewatchL1PriceRising', undefined, {
        at: 1_500,
        within: 45,
        fills: {
          l1Validator: { 'running out': 'l1s/Price of an L1 validator' },
          l1: { 'running out': 'l1s/Price of an L1 validator' },
        },
      }),
    ],
  },
  {
    name: 'a subnet gets another owner',
    minutes: 20,
    scenery: { nodes: 'bystander' },
    orders: () => ({
      0: [action({ kind: 'transfer-subnet', subnet: 'orchard', owner: 'fuji1v2zq3r2msm9pcxyeg8z2en0u4gl6upf2rmff3h' })],
    }),
    alerts: [
      pages('StakewatchSubnetChanged', [{ subnet: 'orchard', what: 'owner' }], {
        fills: { l1: { changed: 'l1s/Changes' }, route: { changed: 'l1s/Changes' } },
      }),
    ],
  },
]
