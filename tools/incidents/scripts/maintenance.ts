// Maintenance windows: what they suppress, what they must not, what they cost, and what is still down afterwards.

import { action, fault, gone, type Incident, pages, repair } from '../incident.ts'

const HOUR = 60
const DAY = 24 * HOUR

const disconnect = (nodeId: string | undefined) => action({ kind: 'disconnect', nodeId })
const reconnect = (nodeId: string | undefined) => action({ kind: 'reconnect', nodeId })
const restart = (node: string) => ({
  start: action({ kind: 'start', node }),
  bootstrap: action({ kind: 'bootstrap', node }),
  bootstrapped: action({ kind: 'bootstrapped', node }),
})

/** A window over charlie, whose grace ends in minute 15. */
const overCharlie: Incident['scenery'] = {
  nodes: 'bystander',
  maintenance: { upgrade: { covers: 'validators: [charlie]', from: -2, to: 10 } },
}

export const maintenance: readonly Incident[] = [
  {
    name: 'a validator restarts three times inside a window over it',
    minutes: 60,
    scenery: { nodes: 'bystander', maintenance: { upgrade: { covers: 'validators: [charlie]', from: 0, to: 30 } } },
    orders: ({ validators: { charlie } }) => ({
      1: [disconnect(charlie)],
      10: [reconnect(charlie)],
      12: [disconnect(charlie)],
      20: [reconnect(charlie)],
      22: [disconnect(charlie)],
      30: [reconnect(charlie)],
    }),
    alerts: [],
  },
  {
    name: 'a validator goes away after a window over it',
    minutes: 40,
    scenery: { nodes: 'bystander', maintenance: { upgrade: { covers: 'validators: [charlie]', from: 0, to: 5 } } },
    orders: ({ validators: { charlie } }) => ({ 20: [disconnect(charlie)] }),
    alerts: [
      { alert: 'StakewatchValidatorDisconnected', severity: 'critical', of: [{ validator: 'charlie' }], at: 20 },
    ],
  },
  {
    name: 'a validator goes away inside a window over another one',
    minutes: 20,
    scenery: { nodes: 'bystander', maintenance: { upgrade: { covers: 'validators: [delta]', from: -2, to: 30 } } },
    orders: ({ validators: { charlie } }) => ({ 0: [disconnect(charlie)] }),
    alerts: [{ alert: 'StakewatchValidatorDisconnected', severity: 'critical', of: [{ validator: 'charlie' }] }],
  },
  {
    name: 'a validator is still down after a window and its grace, and comes back later',
    minutes: 95,
    scenery: overCharlie,
    orders: ({ validators: { charlie } }) => ({ 0: [disconnect(charlie)], 75: [reconnect(charlie)] }),
    alerts: [
      {
        alert: 'StakewatchMaintenanceOverrun',
        severity: 'critical',
        of: [{ validator: 'charlie', window: 'upgrade' }],
        at: 15,
        within: 3,
        until: 86,
        fills: { primary: { offline: 'fleet/Offline' } },
      },
    ],
  },
  {
    name: 'a validator comes back inside a window over it, and is away for a minute right after the grace',
    minutes: 40,
    scenery: overCharlie,
    orders: ({ validators: { charlie } }) => ({
      0: [disconnect(charlie)],
      8: [reconnect(charlie)],
      17: [disconnect(charlie)],
      18.2: [reconnect(charlie)],
    }),
    alerts: [],
  },
  {
    name: 'a validator comes back inside a window over it, and goes away for good right after the grace',
    minutes: 40,
    scenery: overCharlie,
    orders: ({ validators: { charlie } }) => ({
      0: [disconnect(charlie)],
      8: [reconnect(charlie)],
      17: [disconnect(charlie)],
    }),
    alerts: [pages('StakewatchValidatorDisconnected', [{ validator: 'charlie' }], { at: 17 })],
  },
  {
    name: 'a machine of two subnets is still down after a window over one of its validators',
    minutes: 40,
    scenery: { ownL1: true, maintenance: { upgrade: { covers: 'validators: [alpha]', from: -2, to: 10 } } },
    orders: ({ validators: { alpha } }) => ({ 0: [disconnect(alpha)] }),
    alerts: [pages('StakewatchMaintenanceOverrun', [{ validator: 'alpha', window: 'upgrade' }], { at: 15, within: 3 })],
  },
  {
    name: 'a node that stayed up in a window over it does not answer for a minute right after the grace',
    minutes: 40,
    scenery: { nodes: 3, maintenance: { upgrade: { covers: 'nodes: [node-c]', from: -2, to: 10 } } },
    orders: () => ({ 16: [fault('node-c', gone)], 17.2: [repair] }),
    alerts: [],
  },
  {
    name: 'a node that is a tracked validator restarts inside a window over the node',
    minutes: 60,
    scenery: { maintenance: { upgrade: { covers: 'nodes: [node-b]', from: 0, to: 30 } } },
    orders: ({ validators: { bravo } }) => ({
      1: [fault('node-b', gone), disconnect(bravo)],
      15: [repair, restart('node-b').start],
      16: [restart('node-b').bootstrap],
      20: [restart('node-b').bootstrapped, reconnect(bravo)],
    }),
    fails: ['uptime', 'l1-liveness', 'node-health'],
    alerts: [],
  },
  {
    name: 'a node does not answer after a window over it',
    minutes: 40,
    scenery: { nodes: 3, maintenance: { upgrade: { covers: 'nodes: [node-c]', from: -2, to: 10 } } },
    orders: () => ({ 0: [fault('node-c', gone)] }),
    alerts: [
      {
        alert: 'StakewatchMaintenanceOverrun',
        severity: 'critical',
        of: [{ source: 'node-c' }],
        at: 15,
        within: 3,
        fills: { node: { unreachable: 'self/Upstreams' } },
      },
    ],
  },
  {
    name: 'a node in maintenance loses its way to a validator that the other node sees, and keeps it so until the window ends',
    minutes: 50,
    scenery: { maintenance: { upgrade: { covers: 'nodes: [node-a]', from: -2, to: 40 } } },
    orders: ({ validators: { alpha, charlie } }) => ({
      0: [action({ kind: 'part', nodeId: charlie, observer: alpha })],
      40: [action({ kind: 'meet', nodeId: charlie, observer: alpha })],
    }),
    alerts: [],
  },
  {
    name: 'a validator goes away for the only node that is not in maintenance',
    minutes: 20,
    scenery: { maintenance: { upgrade: { covers: 'nodes: [node-a]', from: -2, to: 60 } } },
    orders: ({ validators: { bravo, charlie } }) => ({
      0: [action({ kind: 'part', nodeId: charlie, observer: bravo })],
    }),
    alerts: [{ alert: 'StakewatchValidatorDisconnected', severity: 'critical', of: [{ validator: 'charlie' }] }],
  },
  {
    name: 'a validator goes away that only the node in maintenance watches',
    minutes: 20,
    scenery: { maintenance: { upgrade: { covers: 'nodes: [node-a]', from: -2, to: 60 } } },
    orders: ({ validators: { bravo } }) => ({ 0: [disconnect(bravo)] }),
    alerts: [{ alert: 'StakewatchValidatorDisconnected', severity: 'critical', of: [{ validator: 'bravo' }] }],
  },
  {
    name: 'the other node goes away as well while one of two is in maintenance',
    minutes: 20,
    scenery: { maintenance: { upgrade: { covers: 'nodes: [node-a]', from: -2, to: 60 } } },
    orders: () => ({ 0: [fault('node-a', gone)], 3: [fault('node-b', gone)] }),
    alerts: [{ alert: 'StakewatchNodesDown', severity: 'critical', at: 3 }],
  },
  {
    name: 'all nodes restart inside a window over the whole network',
    minutes: 45,
    scenery: { maintenance: { move: { covers: 'timezone: UTC', from: -2, to: 20 } } },
    orders: () => ({
      0: [fault('node-a', gone), fault('node-b', gone)],
      15: [repair],
    }),
    alerts: [],
  },
  {
    name: 'two windows over a validator overlap, and it is down until the second ends',
    minutes: 50,
    scenery: {
      nodes: 'bystander',
      maintenance: {
        first: { covers: 'validators: [charlie]', from: -2, to: 10 },
        second: { covers: 'validators: [charlie]', from: 5, to: 30 },
      },
    },
    orders: ({ validators: { charlie } }) => ({ 0: [disconnect(charlie)], 29: [reconnect(charlie)] }),
    alerts: [],
  },
  {
    name: 'a wallet is drained inside a window over everything',
    minutes: 20,
    scenery: { nodes: 'bystander', maintenance: { move: { covers: 'timezone: UTC', from: -2, to: 60 } } },
    orders: ({ vault }) => ({ 0: [action({ kind: 'drain', chain: 'P', address: vault })] }),
    alerts: [{ alert: 'StakewatchUnexpectedOutflow', severity: 'critical', of: [{ address: 'vault' }] }],
  },
  {
    name: 'an L1 stops making blocks inside a window over everything',
    minutes: 20,
    scenery: { maintenance: { move: { covers: 'timezone: UTC', from: -2, to: 60 } } },
    orders: ({ chains: { orchard } }) => ({ 0: [action({ kind: 'halt-chain', chain: orchard })] }),
    alerts: [{ alert: 'StakewatchChainStalled', severity: 'critical', of: [{ chain: 'orchard' }] }],
  },
  {
    name: 'a window is a day away that is longer than a validator may be down',
    minutes: 30,
    scenery: {
      nodes: 'bystander',
      maintenance: { move: { covers: 'validators: [echo]', from: DAY + 20, to: 26 * DAY } },
    },
    orders: () => ({}),
    alerts: [
      {
        alert: 'StakewatchMaintenanceTooLong',
        severity: 'warning',
        of: [{ validator: 'echo', window: 'move' }],
        at: 20,
        within: 2,
        fills: { primary: { eroding: 'validator/Maintenance windows over it' } },
      },
    ],
  },
  {
    name: 'two windows overlap that cover too much weight of an L1 together',
    minutes: 30,
    scenery: {
      ownL1: true,
      maintenance: {
        first: { covers: 'validators: [golf]', from: 2 * HOUR, to: 4 * HOUR },
        second: { covers: 'validators: [hotel]', from: 3 * HOUR, to: 5 * HOUR },
      },
    },
    // Of 843 golf then has 54 and hotel 180: together they are more than a quarter, and neither is alone.
    orders: ({ nodes: [a] }) => ({ 0: [action({ kind: 'set-weight', subnet: 'orchard', nodeId: a, weight: 180 })] }),
    alerts: [
      {
        alert: 'StakewatchMaintenanceStallsL1',
        severity: 'warning',
        of: [{ subnet: 'orchard', window: 'second' }],
        fills: { l1: { stalled: 'fleet/Maintenance windows' } },
      },
    ],
  },
  {
    name: 'an auto-renewed stake ends inside a window',
    minutes: 20,
    scenery: {
      nodes: 'bystander',
      maintenance: { move: { covers: 'validators: [echo]', from: 9 * HOUR, to: 11 * HOUR } },
    },
    orders: ({ validators: { echo } }) => ({ 0: [action({ kind: 'set-end', nodeId: echo, seconds: 10 * 3_600 })] }),
    alerts: [
      // Little of its period is left in which it may be down.
      { alert: 'StakewatchMaintenanceTooLong', severity: 'warning', of: [{ validator: 'echo', window: 'move' }] },
      {
        alert: 'StakewatchMaintenanceEndsStake',
        severity: 'warning',
        of: [{ validator: 'echo', window: 'move' }],
        fills: { renewed: { ending: 'fleet/Maintenance windows' } },
      },
    ],
  },
  {
    name: 'a validator renews itself before a window that takes longer than its period does',
    minutes: 30,
    // Two hours of its period are left, and the window is open for twenty.
    scenery: { maintenance: { move: { covers: 'validators: [echo]', from: 4 * 60, to: DAY } } },
    orders: ({ validators: { echo } }) => ({ 0: [action({ kind: 'set-end', nodeId: echo, seconds: 2 * 3_600 })] }),
    alerts: [],
  },
]
