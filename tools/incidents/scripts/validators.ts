// What happens to validators.

import { nodeIdOf } from '../../../src/simulator/world/ids.ts'
import { action, fault, type Incident, informs, pages, repair, status, warns } from '../incident.ts'
import { plannedEnd } from '../stage.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const AVAX = 1_000_000_000

/** Seconds before delta's reward is lost: it needs 80 percent of 350.15 days. */
const DELTA = 6_050_534
const past = (nodeId: string | undefined, left: number) => action({ kind: 'set-past', nodeId, seconds: DELTA - left })
const [BRAVO, CHARLIE] = [nodeIdOf('1/node/1'), nodeIdOf('charlie')]
const ofNodes = (...ids: string[]) => ids.map((id) => ({ node_id: id }))
const of = (...names: string[]) => names.map((validator) => ({ validator }))

/** The collectors that ask a node for the list of validators every minute, and those that do every five minutes. */
const LISTING = [
  { collector: 'validators', target: 'primary' },
  { collector: 'validators', target: 'orchard' },
  { collector: 'uptime', source: 'node-a' },
  { collector: 'uptime', source: 'node-b' },
  { collector: 'l1-validators', target: 'all' },
  { collector: 'l1-liveness', source: 'node-a' },
  { collector: 'l1-liveness', source: 'node-b' },
]
const LISTING_SLOWLY = [
  { collector: 'renewals', target: 'primary' },
  { collector: 'subnet', target: 'primary' },
  { collector: 'subnet', target: 'orchard' },
]

export const validators: readonly Incident[] = [
  {
    name: 'a machine goes away that validates the primary network and an L1',
    minutes: 20,
    scenery: { ownL1: true },
    orders: ({ validators: { alpha } }) => ({ 0: [action({ kind: 'disconnect', nodeId: alpha })] }),
    alerts: [pages('StakewatchValidatorDisconnected', [{ validator: 'alpha' }], { within: 7 })],
  },
  {
    name: 'a validator goes away, and comes back after twenty minutes',
    minutes: 40,
    orders: ({ validators: { charlie } }) => ({
      0: [action({ kind: 'disconnect', nodeId: charlie })],
      20: [action({ kind: 'reconnect', nodeId: charlie })],
    }),
    // A poll sees it within a minute, and the rule holds for ten.
    alerts: [
      pages('StakewatchValidatorDisconnected', of('charlie'), {
        until: 31,
        fills: { primary: { offline: 'fleet/Offline' } },
      }),
    ],
  },
  {
    name: 'one of two nodes loses its way to a validator',
    orders: ({ validators: { alpha, charlie } }) => ({
      0: [action({ kind: 'part', nodeId: charlie, observer: alpha })],
    }),
    alerts: [
      warns('StakewatchObserversDisagree', of('charlie'), {
        fills: {
          primary: {
            unreachable: 'validator/Connection by observer',
            contradicted: 'validator/Connection by observer',
          },
        },
      }),
    ],
  },
  {
    name: 'the only node is the validator itself',
    minutes: 10,
    scenery: { nodes: 1 },
    orders: () => ({}),
    alerts: [
      warns('StakewatchValidatorUnobserved', undefined, {
        at: -6,
        fills: { primary: { unknown: 'fleet/Which validators may stop now' } },
      }),
    ],
  },
  {
    name: 'a validator answers less than half of the requests of the data service',
    scenery: { nodes: 'bystander' },
    orders: ({ validators: { charlie, delta } }) => ({
      0: [
        action({ kind: 'set-reachability', nodeId: charlie, share: 0.4 }),
        action({ kind: 'set-reachability', nodeId: delta, share: 0.7 }),
      ],
    }),
    // The list of the data service is read once in five minutes.
    alerts: [
      warns('StakewatchValidatorUnreachable', of('charlie'), {
        fills: { primary: { unreachable: 'validator/Answers to the data service' } },
      }),
    ],
  },
  {
    name: 'a validator stays away until its reward is lost',
    scenery: { nodes: 'bystander' },
    minutes: 65,
    orders: ({ validators: { delta } }) => ({
      0: [past(delta, 3 * DAY + 12 * MINUTE), action({ kind: 'disconnect', nodeId: delta })],
      // What it has been away for counts as well.
      24: [past(delta, DAY + 34 * MINUTE)],
      42: [past(delta, 47 * MINUTE)],
    }),
    alerts: [
      pages('StakewatchValidatorDisconnected', of('delta')),
      // Less than a day is left in minute 34: the page takes over.
      warns('StakewatchDowntimeBudgetSmall', of('delta'), {
        at: 12,
        within: 13,
        until: 44,
        fills: { primary: { eroding: 'validator/Downtime budget by observer' } },
      }),
      // That the reward is lost does not end it: the validator is still away.
      pages('StakewatchDowntimeBudgetEnding', of('delta'), { at: 34 }),
      warns('StakewatchRewardLost', of('delta'), { at: 46, fills: { primary: { eroding: 'fleet/Reward lost' } } }),
    ],
  },
  {
    name: 'a validator with eight hours of downtime left comes and goes',
    scenery: { nodes: 'bystander' },
    minutes: 75,
    orders: ({ validators: { delta } }) => ({
      [-5]: [past(delta, 8 * HOUR)],
      ...Object.fromEntries(
        [0, 8, 16, 24, 32, 40, 48, 56, 64, 72].flatMap((minute) => [
          [minute, [action({ kind: 'disconnect', nodeId: delta })]],
          [minute + 3, [action({ kind: 'reconnect', nodeId: delta })]],
        ]),
      ),
    }),
    alerts: [
      // Six minutes of the hour are over in its second outage.
      warns('StakewatchValidatorUnsteady', of('delta'), { at: 10, within: 4 }),
      // What an hour takes is known an hour after the first look, in minute 54: 24 times 21 minutes are more than is left. Then
      // the page takes over.
      warns('StakewatchDowntimeBudgetSmall', of('delta'), { until: 64 }),
      pages('StakewatchDowntimeBudgetEnding', of('delta'), {
        at: 51,
        fills: { primary: { 'running out': 'fleet/Budget' } },
      }),
    ],
  },
  {
    name: 'a validator with a stake of five hours has used half of its downtime',
    minutes: 40,
    scenery: { nodes: 'bystander', declared: { charlie: plannedEnd(5 * HOUR) } },
    orders: ({ validators: { charlie } }) => ({
      0: [action({ kind: 'set-end', nodeId: charlie, seconds: 290 * MINUTE, isLast: true })],
      5: [action({ kind: 'set-past', nodeId: charlie, seconds: 8 * MINUTE })],
      22: [action({ kind: 'set-past', nodeId: charlie, seconds: 16 * MINUTE })],
    }),
    alerts: [warns('StakewatchDowntimeBudgetSmall', of('charlie'), { at: 22 })],
  },
  {
    name: 'stakes come to their ends',
    minutes: 40,
    scenery: {
      nodes: 'bystander',
      declared: { delta: plannedEnd(5 * DAY + 20 * HOUR), bravo: plannedEnd(6 * DAY + 12 * HOUR) },
    },
    orders: ({ validators: { bravo, charlie, delta, echo } }) => ({
      0: [
        action({ kind: 'set-end', nodeId: charlie, seconds: 14 * DAY + 10 * MINUTE }),
        ...[bravo, delta, echo].map((nodeId) => action({ kind: 'set-end', nodeId, seconds: 5 * DAY })),
      ],
      13: [action({ kind: 'set-end', nodeId: charlie, seconds: 7 * DAY + 10 * MINUTE })],
      26: [action({ kind: 'set-end', nodeId: charlie, seconds: 1.5 * DAY + 10 * MINUTE })],
    }),
    alerts: [
      warns('StakewatchStakeEnding', of('bravo'), { within: 3, fills: { primary: { ending: 'fleet/Leaves in' } } }),
      informs('StakewatchStakeEndPlanned', of('charlie'), {
        at: 10,
        within: 2,
        until: 33,
        fills: { primary: { ending: 'fleet/Leaves in' } },
      }),
      warns('StakewatchStakeEnding', of('charlie'), { at: 23, within: 2 }),
      pages('StakewatchStakeEndsSoon', of('charlie'), {
        at: 36,
        within: 2,
        fills: { primary: { ending: 'fleet/Leaves in' } },
      }),
    ],
  },
  {
    name: 'a stake ends and is not renewed',
    minutes: 40,
    scenery: { nodes: 'bystander', declared: { delta: plannedEnd(10 * MINUTE) } },
    orders: ({ validators: { charlie, delta } }) => ({
      0: [charlie, delta].map((nodeId) => action({ kind: 'set-end', nodeId, seconds: 10 * MINUTE, isLast: true })),
    }),
    alerts: [
      // The stake is over in minute 10.
      pages('StakewatchStakeEndsSoon', of('charlie'), { within: 3, until: 20 }),
      warns('StakewatchValidatorNotInSet', of('charlie'), {
        at: 10,
        fills: { primary: { leaving: 'fleet/Not in set' } },
      }),
    ],
  },
  {
    name: 'an auto-renewed validator loses the reward of its period, and leaves at the end of it',
    scenery: { nodes: 'bystander' },
    minutes: 60,
    orders: ({ validators: { echo } }) => ({
      0: [
        action({ kind: 'set-end', nodeId: echo, seconds: 40 * MINUTE }),
        action({ kind: 'disconnect', nodeId: echo }),
      ],
      12: [action({ kind: 'reconnect', nodeId: echo })],
    }),
    alerts: [
      pages('StakewatchValidatorDisconnected', of('echo'), {
        until: 22,
        fills: { renewed: { offline: 'fleet/Offline' } },
      }),
      // A tenth of fifty minutes. The period ends in minute 40, and the validator with it.
      pages('StakewatchStakeEndsSoon', of('echo'), {
        at: 4,
        within: 4,
        until: 50,
        fills: { renewed: { ending: 'fleet/Validators that renew themselves' } },
      }),
      warns('StakewatchRewardLost', of('echo'), {
        at: 4,
        until: 50,
        fills: { renewed: { eroding: 'fleet/Reward lost' } },
      }),
      // Three looks in a row, five minutes apart.
      warns('StakewatchValidatorRemoved', of('echo'), {
        at: 40,
        fills: { renewed: { leaving: 'fleet/Validators that renew themselves' } },
      }),
    ],
  },
  {
    name: 'much of what is delegated to a validator leaves within a week',
    minutes: 55,
    // Delegations are read hourly otherwise.
    scenery: { nodes: 'bystander', pollMinutes: 5 },
    orders: ({ validators: { charlie, delta } }) => ({
      [-5]: [
        action({ kind: 'delegate', nodeId: charlie, amount: 1_000 * AVAX, duration: 60 * DAY }),
        action({ kind: 'delegate', nodeId: charlie, amount: 170 * AVAX, duration: 7 * DAY + 31 * MINUTE }),
        action({ kind: 'delegate', nodeId: delta, amount: 1_000 * AVAX, duration: 60 * DAY }),
        action({ kind: 'delegate', nodeId: delta, amount: 75 * AVAX, duration: 6 * DAY }),
      ],
    }),
    alerts: [
      informs('StakewatchDelegationEnding', of('charlie'), {
        at: 26,
        within: 18,
        fills: {
          primary: { leaving: 'validator/Delegations that end' },
          renewed: { leaving: 'validator/Delegations that end' },
        },
      }),
    ],
  },
  {
    name: 'a tracked validator of an L1 is removed',
    minutes: 20,
    scenery: { nodes: 'bystander' },
    orders: ({ orchard: [nodeId] }) => ({ 0: [action({ kind: 'set-weight', subnet: 'orchard', nodeId, weight: 0 })] }),
    alerts: [
      pages('StakewatchValidatorGone', of('golf'), {
        fills: { l1Validator: { leaving: 'fleet/Not in set' }, l1: { leaving: 'fleet/Not in set' } },
      }),
    ],
  },
  {
    name: 'the weight of a validator of an L1 is changed twice',
    scenery: { nodes: 'bystander' },
    minutes: 72,
    orders: ({ orchard: [nodeId] }) => ({
      // By 4 percent, and when an hour has passed by more than 5.
      0: [action({ kind: 'set-weight', subnet: 'orchard', nodeId, weight: 56 })],
      62: [action({ kind: 'set-weight', subnet: 'orchard', nodeId, weight: 59 })],
    }),
    alerts: [
      warns('StakewatchWeightChanged', of('golf'), {
        at: 62,
        fills: {
          l1Validator: { changed: 'validator/Its weight' },
          permissioned: { changed: 'validator/Its weight' },
        },
      }),
    ],
  },
  {
    name: 'an upgrade comes that a validator and a node do not know',
    minutes: 56,
    orders: ({ validators: { bravo, charlie, ...others } }) => ({
      0: [
        action({
          kind: 'schedule-upgrade',
          seconds: 1.5 * DAY + 40 * MINUTE,
          share: 0.85,
          without: [bravo, charlie],
        }),
        ...Object.values(others).map((nodeId) => action({ kind: 'install-release', nodeId })),
      ],
    }),
    alerts: [
      warns('StakewatchValidatorNotUpgraded', ofNodes(BRAVO, CHARLIE), {
        until: 50,
        fills: { primary: { lagging: 'validator/Observers' } },
      }),
      pages('StakewatchUpgradeNear', ofNodes(BRAVO, CHARLIE), {
        at: 40,
        fills: {
          primary: { lagging: 'chains/Peers of nodes and the next upgrade' },
          node: { lagging: 'chains/Not ready' },
        },
      }),
    ],
  },
  {
    name: 'an upgrade is known to less than half of the stake',
    orders: ({ validators: { alpha, bravo } }) => ({
      0: [action({ kind: 'schedule-upgrade', seconds: DAY, share: 0.4, without: [alpha, bravo] })],
    }),
    alerts: [],
  },
  {
    name: 'no node lists the validators any more',
    minutes: 32,
    orders: () => ({
      0: ['node-a', 'node-b'].map((node) => fault(node, status(500), 'platform.getCurrentValidators')),
    }),
    alerts: [
      // What was said last holds for some minutes.
      pages('StakewatchValidatorUnknown', of('alpha', 'bravo', 'charlie', 'delta', 'echo', 'golf'), {
        at: 4,
        fills: { primary: { unknown: 'fleet/Without data' }, l1Validator: { unknown: 'fleet/Without data' } },
      }),
      // Whatever asks for that list: after ten minutes, or three intervals of five.
      warns('StakewatchCollectorFailing', LISTING, {
        at: 10,
        within: 5,
        fills: { node: { unknown: 'self/Collectors' } },
      }),
      warns('StakewatchCollectorFailing', LISTING_SLOWLY, { at: 10, within: 10 }),
      // They accept a list that is up to ten minutes old.
      warns(
        'StakewatchCollectorFailing',
        ['node-a', 'node-b'].map((source) => ({ collector: 'node-peers', source })),
        { at: 15, within: 13 },
      ),
    ],
  },
  {
    name: 'the rewards of a validator and the balance of another get other owners',
    scenery: { nodes: 'bystander' },
    minutes: 20,
    orders: ({ validators: { delta }, orchard: [nodeId] }) => ({
      0: [
        action({ kind: 'set-reward-owner', nodeId: delta, owner: 'fuji1v2zq3r2msm9pcxyeg8z2en0u4gl6upf2rmff3h' }),
        action({
          kind: 'set-balance-owner',
          subnet: 'orchard',
          nodeId,
          owner: 'fuji1v2zq3r2msm9pcxyeg8z2en0u4gl6upf2rmff3h',
        }),
      ],
    }),
    alerts: [
      pages('StakewatchValidatorTampered', of('delta', 'golf'), {
        fills: {
          primary: { changed: 'fleet/Expectations of validators' },
          l1Validator: { changed: 'fleet/Expectations of validators' },
        },
      }),
    ],
  },
  {
    name: 'a validator goes away while the data service is down',
    scenery: { nodes: 'bystander' },
    minutes: 44,
    orders: ({ validators: { charlie } }) => ({
      0: [fault('data', status(503))],
      5: [action({ kind: 'disconnect', nodeId: charlie })],
      28: [repair],
    }),
    alerts: [
      warns('StakewatchUpstreamDown', [{ source: 'data-api' }], { until: 38 }),
      pages('StakewatchValidatorDisconnected', of('charlie'), { at: 5 }),
    ],
  },
]
