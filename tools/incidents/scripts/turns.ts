// Turns to build blocks that pass, of validators and on whole chains.

import { action, type Incident, pages, warns } from '../incident.ts'
import type { Scenery } from '../stage.ts'

/** Its C-Chain always has work. */
const BUSY: Scenery = { paces: { C: 1 } }

const stop = (nodeId: string) => action({ kind: 'stop-building', nodeId })
const resume = (nodeId: string) => action({ kind: 'resume-building', nodeId })

export const turns: readonly Incident[] = [
  {
    name: 'the C-Chain of a validator hangs while its peers are connected, first for a minute and then for half an hour',
    minutes: 60,
    scenery: BUSY,
    orders: ({ validators: { delta } }) => ({
      [-4]: [stop(delta!)],
      [-3]: [resume(delta!)],
      0: [stop(delta!)],
      30: [resume(delta!)],
    }),
    alerts: [
      pages('StakewatchTurnsMissed', [{ validator: 'delta', chain: 'c-chain' }], {
        at: 6,
        until: 42,
        fills: { primary: { stalled: 'validator/Turns missed and blocks due' } },
      }),
    ],
  },
  {
    name: 'a validator builds no block of chains on which no one can tell a miss, for three quarters of an hour',
    minutes: 75,
    orders: ({ validators: { bravo } }) => ({ 0: [stop(bravo!)], 45: [resume(bravo!)] }),
    alerts: [
      warns('StakewatchValidatorSilent', [{ chain: 'p-chain' }, { chain: 'c-chain' }], {
        at: 28,
        within: 14,
        until: 58,
        fills: { primary: { stalled: 'validator/Turns missed and blocks due' } },
      }),
    ],
  },
  {
    name: 'a validator builds no block for three quarters of an hour, and no node has an index: the data service names builders',
    minutes: 75,
    scenery: { isUnindexed: true },
    orders: ({ validators: { bravo } }) => ({ 0: [stop(bravo!)], 45: [resume(bravo!)] }),
    alerts: [warns('StakewatchValidatorSilent', [{ chain: 'p-chain' }], { at: 28, within: 14, until: 58 })],
  },
  {
    name: 'three of the largest validators build nothing, and blocks of a busy chain come late',
    minutes: 60,
    scenery: { ...BUSY, nodes: 3 },
    orders: ({ nodes: [, second, third], validators: { delta } }) => {
      const away = [second!, third!, delta!]
      return { 0: away.map(stop), 30: away.map(resume) }
    },
    alerts: [
      pages('StakewatchTurnsMissed', [{ validator: 'bravo' }, { validator: 'delta' }], { at: 6, until: 42 }),
      warns('StakewatchBlocksLate', [{ chain: 'c-chain' }], {
        at: 8,
        within: 12,
        until: 46,
        fills: { cChain: { eroding: 'chains/Missed turns' } },
      }),
    ],
  },
  {
    name: 'another rule draws the proposers, while a validator builds nothing',
    minutes: 60,
    scenery: BUSY,
    orders: ({ validators: { delta } }) => ({
      0: [action({ kind: 'change-draw' })],
      1: [stop(delta!)],
      30: [action({ kind: 'restore-draw' }), resume(delta!)],
    }),
    alerts: [
      warns('StakewatchDrawContradicted', [{ chain: 'p-chain' }, { chain: 'c-chain' }], {
        at: 5,
        within: 10,
        until: 41,
        fills: { self: { contradicted: 'chains/Missed turns' } },
      }),
    ],
  },
  {
    name: 'a large validator restarts within a few of its turns, and a small one has none',
    minutes: 20,
    scenery: BUSY,
    orders: ({ validators: { bravo, charlie } }) => ({
      0: [stop(bravo!), action({ kind: 'disconnect', nodeId: bravo })],
      2: [action({ kind: 'reconnect', nodeId: bravo })],
      2.4: [resume(bravo!)],
      3: [stop(charlie!)],
    }),
    alerts: [],
  },
  {
    name: 'no node has an index any more, and then a validator builds nothing',
    minutes: 24,
    scenery: BUSY,
    orders: ({ validators: { delta } }) => ({
      0: ['node-a', 'node-b'].map((node) => action({ kind: 'disable', node, api: 'index' })),
      1: [stop(delta!)],
    }),
    alerts: [
      warns(
        'StakewatchExpectationNotMet',
        ['node-a', 'node-b'].flatMap((source) => ['p-chain', 'c-chain'].map((chain) => ({ source, chain }))),
      ),
    ],
  },
  {
    name: 'a validator builds nothing, and one of two nodes loses its way to it',
    minutes: 45,
    scenery: BUSY,
    orders: ({ validators: { alpha, delta } }) => ({
      0: [stop(delta!), action({ kind: 'part', nodeId: delta, observer: alpha })],
      20: [resume(delta!)],
      35: [action({ kind: 'meet', nodeId: delta, observer: alpha })],
    }),
    alerts: [
      pages('StakewatchTurnsMissed', [{ validator: 'delta', chain: 'c-chain' }], { at: 6, until: 32 }),
      warns('StakewatchObserversDisagree', [{ validator: 'delta' }]),
    ],
  },
  {
    name: 'a validator builds nothing, and the first node has no index any more: the second one has',
    minutes: 40,
    scenery: BUSY,
    orders: ({ validators: { delta } }) => ({
      0: [stop(delta!)],
      1: [action({ kind: 'disable', node: 'node-a', api: 'index' })],
      20: [resume(delta!)],
    }),
    alerts: [
      pages('StakewatchTurnsMissed', [{ validator: 'delta', chain: 'c-chain' }], { at: 6, until: 32 }),
      warns(
        'StakewatchExpectationNotMet',
        ['p-chain', 'c-chain'].map((chain) => ({ source: 'node-a', chain })),
      ),
    ],
  },
  {
    name: 'the indexes of all nodes begin again, and then a validator builds nothing',
    minutes: 40,
    scenery: BUSY,
    orders: ({ validators: { alpha, bravo, delta } }) => ({
      0: [alpha!, bravo!].map((nodeId) => action({ kind: 'begin-index', nodeId, chain: 'C' })),
      5: [stop(delta!)],
      20: [resume(delta!)],
    }),
    alerts: [pages('StakewatchTurnsMissed', [{ validator: 'delta', chain: 'c-chain' }], { at: 12, until: 32 })],
  },
]
