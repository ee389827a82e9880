// What must neither page nor notify.

import { action, fault, faultOfEvery, gone, type Incident, repair, status } from '../incident.ts'

const DAY = 86_400
const AVAX = 1_000_000_000
/** A node of another region is slow: each of its answers takes this many milliseconds of the machine that plays. */
const SLOW = 20

const scenes: readonly Omit<Incident, 'alerts'>[] = [
  { name: 'nothing happens', minutes: 60, orders: () => ({}) },
  {
    name: 'nothing happens while three shards of stakewatch watch the network',
    scenery: { shards: [0, 1, 2].map((ordinal) => ({ ordinal, shards: 3 })) },
    orders: () => ({}),
  },
  {
    name: 'a validator restarts within two minutes',
    orders: ({ validators: { charlie } }) => ({
      0: [action({ kind: 'disconnect', nodeId: charlie })],
      2: [action({ kind: 'reconnect', nodeId: charlie })],
    }),
  },
  {
    name: 'the data service is away for two and a half minutes',
    scenery: { nodes: 'bystander' },
    orders: () => ({ 0: [fault('data', status(503))], 2: [repair] }),
  },
  {
    name: 'the nodes restart one after the other',
    minutes: 32,
    orders: () => ({
      0: [action({ kind: 'start', node: 'node-a' })],
      2: [action({ kind: 'bootstrap', node: 'node-a' })],
      5: [action({ kind: 'bootstrapped', node: 'node-a' })],
      12: [action({ kind: 'start', node: 'node-b' })],
      14: [action({ kind: 'bootstrap', node: 'node-b' })],
      17: [action({ kind: 'bootstrapped', node: 'node-b' })],
    }),
  },
  {
    name: 'one of three observers has no connection to the validators that all three watch',
    minutes: 25,
    scenery: { nodes: 3 },
    orders: ({ nodes: [, , third], validators: { charlie, delta, echo } }) => ({
      [-5]: [charlie, delta, echo].map((nodeId) => action({ kind: 'part', nodeId, observer: third })),
    }),
  },
  {
    name: 'an L1 validator is topped up',
    scenery: { nodes: 'bystander' },
    orders: ({ validations: [first] }) => ({
      0: [action({ kind: 'top-up', validationId: first, amount: 5_000_000_000 })],
    }),
  },
  {
    name: 'a stake renews itself',
    scenery: { nodes: 'bystander' },
    minutes: 20,
    orders: ({ validators: { echo } }) => ({ 0: [action({ kind: 'set-end', nodeId: echo, seconds: 600 })] }),
  },
  {
    name: 'a delegation ends, and the delegator delegates again',
    minutes: 40,
    // Delegations are read hourly otherwise.
    scenery: { pollMinutes: 5 },
    orders: ({ validators: { charlie, delta } }) => ({
      [-5]: [
        // There the delegator goes of its own accord, for less than a week.
        action({ kind: 'delegate', nodeId: delta, amount: 8_000 * AVAX, duration: 60 * DAY }),
        action({ kind: 'delegate', nodeId: charlie, amount: 1_000 * AVAX, duration: 60 * DAY }),
        action({ kind: 'delegate', nodeId: charlie, amount: 90 * AVAX, duration: 1_200 }),
      ],
      20: [action({ kind: 'delegate', nodeId: charlie, amount: 90 * AVAX, duration: 60 * DAY })],
    }),
  },
  {
    name: 'stakewatch restarts',
    minutes: 25,
    orders: () => ({
      0: [{ daemon: 'stop' }, { daemon: 'start' }],
      10: [{ daemon: 'stop' }],
      12: [{ daemon: 'start' }],
    }),
  },
  {
    name: 'the clock of stakewatch is half a minute wrong, to either side',
    // What the service dates a moment ago lies in the future of a clock that is half a minute slow.
    fails: ['throughput'],
    scenery: { nodes: 'bystander' },
    orders: () => ({ 0: [{ skew: 30_000 }], 20: [{ skew: -60_000 }] }),
  },
  {
    name: 'a stake ends as it was planned',
    minutes: 25,
    scenery: { nodes: 'bystander', declared: { charlie: ', planned_end: 2026-05-28T20:50:00Z' } },
    orders: ({ validators: { charlie } }) => ({
      [-5]: [action({ kind: 'set-end', nodeId: charlie, seconds: 1_740, isLast: true })],
    }),
  },
  {
    name: 'a node restarts from a snapshot of half an hour ago and catches up',
    minutes: 30,
    // Its heights go back, which is believed after three runs.
    fails: ['head-check', 'index-head', 'evm-node-heads'],
    orders: ({ validators: { bravo } }) => ({
      0: [action({ kind: 'restore', nodeId: bravo, behind: 1_800, pace: 5 })],
    }),
  },
  {
    name: 'the data service is under maintenance for ten minutes',
    scenery: { nodes: 'bystander' },
    minutes: 25,
    orders: () => ({ 0: [fault('data', status(503))], 10: [repair] }),
  },
  {
    name: 'the metrics service is away for ten minutes',
    scenery: { nodes: 'bystander' },
    minutes: 20,
    orders: () => ({ 0: [fault('metrics', gone)], 10: [repair] }),
  },
  {
    name: 'an upgrade comes for which everybody is ready',
    orders: () => ({ 0: [action({ kind: 'schedule-upgrade', seconds: 1_200, share: 1 })] }),
  },
  {
    name: 'a chain is quiet',
    scenery: { nodes: 'bystander' },
    orders: ({ chains: { orchard } }) => ({
      0: [
        action({ kind: 'set-traffic', chain: 'C', factor: 0.3 }),
        action({ kind: 'set-traffic', chain: orchard, factor: 0 }),
      ],
    }),
  },
  {
    name: 'two of three observers do not see what the third one validates',
    minutes: 15,
    scenery: { nodes: 3 },
    orders: ({ nodes: [, , third], validators: { bravo } }) => ({
      0: [action({ kind: 'part', nodeId: bravo, observer: third })],
    }),
  },
  {
    name: 'the data service answers every fourth request of a minute with 429',
    scenery: { nodes: 'bystander' },
    orders: () => ({ 0: [faultOfEvery(4, 'data', status(429))], 1: [repair] }),
  },
  {
    name: 'messages are brought over ten minutes late',
    scenery: { nodes: 'bystander' },
    minutes: 25,
    orders: () => ({ 0: [action({ kind: 'stop-relayer' })], 10: [action({ kind: 'start-relayer' })] }),
  },
  {
    name: 'a node answers slowly',
    minutes: 10,
    orders: () => ({ 0: [fault('node-b', { kind: 'latency', ms: SLOW })] }),
  },
  {
    name: 'the data service lists blocks three minutes late',
    scenery: { nodes: 'bystander' },
    orders: () => ({ 0: [action({ kind: 'lag', seconds: 180 })], 20: [action({ kind: 'lag', seconds: 0 })] }),
  },
]

export const silent: readonly Incident[] = scenes.map((scene) => ({ ...scene, alerts: [] }))
