// What happens to stakewatch itself.

import { panelId } from '../../../src/alerts/rule.ts'
import { action, fault, gone, type Incident, type Order, repair } from '../incident.ts'

const NEW = 'NodeID-6ZmBHXTqjknJoZtXbnJ6x7af863rXDTwx'
const restarted: readonly Order[] = [{ daemon: 'stop' }, { daemon: 'start' }]

const first = { ordinal: 0, shards: 2 }
const second = { ordinal: 1, shards: 2 }

export const self: readonly Incident[] = [
  {
    name: 'a drill ends by itself, and a second one is ended',
    scenery: { nodes: 'bystander' },
    minutes: 30,
    orders: () => ({
      0: [{ drill: 'POST', query: 'severity=critical&network=fuji&validator=alpha&for=10m' }],
      15: [{ drill: 'POST', query: 'severity=warning&for=15m' }],
      20: [{ drill: 'DELETE', query: '' }],
    }),
    alerts: [
      {
        alert: 'StakewatchDrill',
        severity: 'critical',
        of: [{ network: 'fuji', validator: 'alpha' }],
        within: 2,
        until: 10,
        says: {
          description:
            'DRILL: `stakewatch drill` sent this critical alert to test that pages arrive. Nothing is wrong, and there is nothing to do. It ends with the command, or else by itself: after five minutes, or what `--for` says (15 at most).',
          dashboard_url: `http://localhost:3000/d/stakewatch-self?viewPanel=${panelId('Instances of stakewatch')}&var-network=fuji`,
        },
      },
      { alert: 'StakewatchDrill', severity: 'warning', of: [{ severity: 'warning' }], at: 15, within: 2, until: 20 },
    ],
  },
  {
    name: 'stakewatch ends and is not started again',
    scenery: { nodes: 'bystander' },
    minutes: 10,
    orders: () => ({ 0: [{ daemon: 'stop' }] }),
    alerts: [
      {
        alert: 'StakewatchDown',
        severity: 'critical',
        within: 5,
        fills: { self: { offline: 'self/Instances of stakewatch' } },
      },
    ],
  },
  {
    name: 'stakewatch restarts three times within a quarter of an hour, and later time and again',
    scenery: { nodes: 'bystander' },
    minutes: 44,
    orders: () => ({
      0: restarted,
      3: restarted,
      6: restarted,
      30: restarted,
      32: restarted,
      34: restarted,
      36: restarted,
      38: restarted,
    }),
    alerts: [
      {
        alert: 'StakewatchDown',
        severity: 'critical',
        at: 36,
        fills: { self: { flapping: 'self/Instances of stakewatch' } },
      },
    ],
  },
  {
    name: 'of two shards of stakewatch one is taken away',
    scenery: { nodes: 'bystander', shards: [first, second] },
    minutes: 10,
    orders: () => ({ 0: [{ instance: 'removed' }] }),
    alerts: [
      {
        alert: 'StakewatchShardMissing',
        severity: 'critical',
        of: [{ shard_ordinal: '1' }],
        within: 6,
        fills: { self: { leaving: 'self/Instances of stakewatch' } },
      },
    ],
  },
  {
    name: 'a shard of stakewatch is started a second time',
    scenery: { nodes: 'bystander', shards: [first, second] },
    minutes: 20,
    orders: () => ({ 0: [{ instance: second }] }),
    alerts: [
      {
        alert: 'StakewatchShardDuplicated',
        severity: 'warning',
        of: [{ shard_ordinal: '1' }],
        within: 17,
        fills: { self: { forked: 'self/Instances of stakewatch' } },
      },
    ],
  },
  {
    name: 'both nodes go down while two shards of stakewatch watch the network',
    minutes: 20,
    scenery: { shards: [first, second] },
    orders: () => ({ 0: [fault('node-a', gone), fault('node-b', gone)] }),
    alerts: [{ alert: 'StakewatchNodesDown', severity: 'critical' }],
  },
  {
    name: 'the timers of stakewatch stand still',
    scenery: { nodes: 'bystander' },
    minutes: 12,
    orders: () => ({ 0: [{ timers: 'held' }], 12: [{ timers: 'released' }] }),
    alerts: [
      { alert: 'StakewatchSchedulerStalled', severity: 'critical', fills: { self: { stalled: 'self/Instances' } } },
    ],
  },
  {
    name: 'a configuration with a mistake in it is rolled out',
    minutes: 10,
    orders: () => ({ 0: [{ configuration: 'broken' }] }),
    alerts: [
      {
        alert: 'StakewatchConfigReloadFailed',
        severity: 'warning',
        fills: { self: { changed: 'self/Configuration and storage' } },
      },
    ],
  },
  {
    name: 'a mistake in the configuration is corrected after three minutes',
    minutes: 14,
    orders: () => ({ 0: [{ configuration: 'broken' }], 3: [{ configuration: 'mended' }] }),
    alerts: [],
  },
  {
    name: 'the folder of the storage goes away',
    minutes: 12,
    scenery: { nodes: 'bystander', storage: true },
    orders: () => ({ 0: [{ storage: 'gone' }] }),
    alerts: [
      {
        alert: 'StakewatchStorageFailing',
        severity: 'warning',
        fills: { self: { unhealthy: 'self/Configuration and storage' } },
      },
    ],
  },
  {
    name: 'the disk of the storage hangs for three minutes, and later for a quarter of an hour',
    minutes: 45,
    scenery: { nodes: 'bystander', storage: true },
    orders: () => ({
      0: [{ storage: 'hangs' }],
      3: [{ storage: 'goes on' }],
      12: [{ storage: 'hangs' }],
      27: [{ storage: 'goes on' }],
    }),
    alerts: [{ alert: 'StakewatchStorageFailing', severity: 'warning', at: 12, within: 8, until: 37 }],
  },
  {
    name: 'an L1 grows, and there are more series than a collector may have',
    minutes: 10,
    // Five of each of eight validators, and one of the L1.
    scenery: { nodes: 'bystander', collectors: { 'l1-validators': 'max_series: 43' } },
    orders: () => ({
      0: [action({ kind: 'register', subnet: 'orchard', nodeId: NEW, weight: 1, balance: 50_000_000_000 })],
    }),
    alerts: [
      { alert: 'StakewatchSeriesDropped', severity: 'warning', fills: { self: { eroding: 'self/What was left out' } } },
    ],
  },
  {
    name: 'the budget of the data service is far too small',
    minutes: 20,
    scenery: { budget: '{ per_day: 1000 }' },
    orders: () => ({}),
    alerts: [
      {
        alert: 'StakewatchBudgetExhausted',
        severity: 'warning',
        of: [{ source: 'data-api' }],
        fills: { service: { 'running out': 'self/API budget left' } },
      },
    ],
  },
  {
    name: 'stakewatch restarts while both nodes are down',
    minutes: 38,
    orders: () => ({
      0: [fault('node-a', gone), fault('node-b', gone)],
      12: restarted,
      22: [repair],
    }),
    alerts: [{ alert: 'StakewatchNodesDown', severity: 'critical', until: 32 }],
  },
]
