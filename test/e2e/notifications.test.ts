// How many notifications incidents make with the example configuration of Alertmanager: one cause is one, and no page is
// held back by another. PagerDuty and Opsgenie keep a group of Alertmanager as one incident, and call when it opens: a second
// object needs a group of its own. A chat rings for each message.

import { beforeAll, describe, expect, test } from 'vitest'
import { groupsOf } from '../../src/alerts/rules.ts'
import { countsOf, type Incident, notificationsOf, type Notice } from '../../tools/notifications.ts'
import { exampleText } from './support/alertmanager.ts'

type Firing = Incident['alerts'][number]
type Counts = Record<string, Partial<Record<Notice['kind'], number>>>

const alerts =
  (severity: string) =>
  (alert: string, labels: Record<string, string>, from: number, until: number): Firing => ({
    alert: `Stakewatch${alert}`,
    severity,
    labels: { network: 'fuji', ...labels },
    from,
    until,
  })
const critical = alerts('critical')
const warning = alerts('warning')
const info = alerts('info')
const validator = (node_id: string, subnet = 'primary') => ({ subnet, node_id, validator: node_id })
const ten = Array.from({ length: 10 }, (_, at) => `NodeID-${at}`)

const table: [what: string, counts: Counts, alerts: Firing[]][] = [
  ['nothing that fires', {}, []],
  ['one alert', { pager: { fires: 1, resolves: 1 } }, [critical('ValidatorDisconnected', validator('a'), 2, 8)]],
  ['a warning', { team: { fires: 1, resolves: 1 } }, [warning('StakeEnding', validator('a'), 2, 8)]],
  ['an alert that only dashboards show', {}, [info('GasPriceHigh', {}, 2, 8)]],
  [
    'an alert that comes back after its end',
    { pager: { fires: 2, resolves: 2 } },
    [2, 14].map((from) => critical('ValidatorDisconnected', validator('a'), from, from + 4)),
  ],
  [
    'ten validators of an L1',
    { pager: { fires: 1, resolves: 1 } },
    ten.map((id) => critical('L1BalanceRunningOut', validator(id, 'lantern'), 2, 8)),
  ],
  [
    'nine validators that disconnect together, and one that follows',
    { pager: { fires: 10, resolves: 10 } },
    ten.map((id, at) => critical('ValidatorDisconnected', validator(id, 'lantern'), at < 9 ? 2 : 8, 14)),
  ],
  [
    'ten validators of two L1s',
    { pager: { fires: 2, resolves: 2 } },
    ten.map((id, at) => critical('L1BalanceRunningOut', validator(id, at < 5 ? 'lantern' : 'harbour'), 2, 8)),
  ],
  [
    'two networks',
    { pager: { fires: 2, resolves: 2 } },
    ['fuji', 'mainnet'].map((network) => critical('NodesDown', { network }, 2, 8)),
  ],
  [
    'two replicas that are down',
    { pager: { fires: 1, resolves: 1 } },
    ['a:19650', 'b:19650'].map((instance) => critical('Down', { network: '', instance }, 2, 8)),
  ],
  [
    'nodes that are all down, and what follows from it',
    { pager: { fires: 1, resolves: 1 } },
    [
      critical('NodesDown', {}, 2, 14),
      ...['node-a', 'node-b'].flatMap((source) => [
        warning('UpstreamDown', { source }, 3, 14),
        warning('CollectorFailing', { source, collector: 'uptime', target: 'primary' }, 3, 14),
        warning('NodeBehind', { source, chain: 'p-chain' }, 3, 14),
      ]),
      warning('ValidatorNotInSet', validator('a'), 3, 14),
      warning('ExpectationUnknown', { ...validator('a'), expectation: 'auto_renew' }, 3, 14),
      warning('ExpectationUnknown', { chain: 'c-chain', expectation: 'status' }, 3, 14),
      warning('ChainUnknown', { chain: 'c-chain' }, 3, 14),
    ],
  ],
  [
    'nodes that are all down, and what does not follow from it',
    { pager: { fires: 3, resolves: 3 }, team: { fires: 4, resolves: 4 } },
    [
      critical('NodesDown', {}, 2, 14),
      critical('ValidatorUnknown', validator('a'), 3, 14),
      critical('WalletLow', { address: 'P-fuji1a', chain: 'P' }, 3, 14),
      warning('UpstreamDown', { source: 'data-api' }, 3, 14),
      warning('CredentialsRejected', { source: 'node-a' }, 3, 14),
      warning('ValidatorUnreachable', validator('a'), 3, 14),
      warning('NodeBehind', { network: 'mainnet', source: 'node-a', chain: 'p-chain' }, 3, 14),
    ],
  ],
  [
    'a node of several that is down',
    { team: { fires: 2, resolves: 2 } },
    [
      warning('UpstreamDown', { source: 'node-a' }, 2, 14),
      warning('NodeBehind', { source: 'node-a', chain: 'p-chain' }, 3, 14),
      // Another node says so of itself.
      warning('PeerStakeLow', { source: 'node-b' }, 3, 14),
    ],
  ],
  [
    'a key that is rejected',
    { team: { fires: 1, resolves: 1 } },
    [
      warning('CredentialsRejected', { source: 'data-api' }, 2, 14),
      warning('UpstreamDown', { source: 'data-api' }, 3, 14),
      warning('CollectorFailing', { source: 'data-api', collector: 'balances', target: 'a' }, 4, 14),
    ],
  ],
  [
    'a warning that stood before stakewatch was down',
    { pager: { fires: 1, resolves: 1 }, team: { fires: 1, resolves: 1 } },
    [
      warning('StakeEnding', validator('a'), 0, 4),
      critical('Down', { network: '', instance: 'a:19650' }, 2, 12),
      // It had not ended: no scrape saw it.
      warning('StakeEnding', validator('a'), 13, 20),
    ],
  ],
  [
    'a page while stakewatch polls nothing',
    { pager: { fires: 2, resolves: 2 } },
    [
      critical('SchedulerStalled', { network: '', instance: 'a:19650' }, 2, 14),
      critical('ChainStalled', { chain: 'c-chain' }, 3, 14),
      warning('NodeBehind', { source: 'node-a', chain: 'c-chain' }, 3, 14),
    ],
  ],
  [
    'a lesser step, then a worse one',
    { team: { fires: 1, resolves: 1 }, pager: { fires: 1, resolves: 1 } },
    [warning('DowntimeBudgetSmall', validator('a'), 2, 14), critical('DowntimeBudgetEnding', validator('a'), 10, 14)],
  ],
  [
    'a lesser step together with a worse one',
    { pager: { fires: 1, resolves: 1 } },
    [
      warning('StakeEnding', validator('a'), 2, 14),
      critical('StakeEndsSoon', validator('a'), 2, 14),
      info('StakeEndPlanned', validator('a'), 2, 14),
    ],
  ],
  [
    'a worse step of one validator and a lesser one of another',
    { pager: { fires: 1, resolves: 1 }, team: { fires: 1, resolves: 1 } },
    [
      critical('L1BalanceRunningOut', validator('a', 'lantern'), 2, 14),
      warning('L1BalanceEnding', validator('a', 'lantern'), 2, 14),
      warning('L1BalanceEnding', validator('b', 'lantern'), 2, 14),
    ],
  ],
  [
    'a worse step, and a lesser one on the way back up',
    { pager: { fires: 1, resolves: 1 } },
    [critical('L1Stalled', { subnet: 'lantern' }, 2, 14), warning('L1OneStepFromStall', { subnet: 'lantern' }, 8, 12)],
  ],
  [
    'a worse step that ends before the lesser one',
    { pager: { fires: 1, resolves: 1 }, team: { fires: 1, resolves: 1 } },
    [critical('L1WeightLow', { subnet: 'lantern' }, 2, 6), warning('L1WeightEnding', { subnet: 'lantern' }, 2, 14)],
  ],
]

type Labels = Record<string, string>
const ofNode = { source: 'node-a' }
const ofValidator = validator('a', 'lantern')
const ofL1 = { subnet: 'lantern' }
const ofChain = { chain: 'c-chain' }

/** While the first alert, of these labels, fires, those that follow are held back; those of another network, L1, ... are not. */
const held: [by: Firing['alert'], Labels, lesser: Record<string, Labels>, apart: string[]][] = [
  ['NodesDown', {}, { UpstreamDown: ofNode, NodeBehind: { ...ofNode, ...ofChain } }, ['network']],
  ['NodesDown', {}, { ValidatorNotInSet: ofValidator, ExpectationNotMet: ofValidator }, ['network']],
  ['NodesDown', {}, { ChainUnknown: ofChain, ExpectationUnknown: ofChain }, ['network']],
  ['CredentialsRejected', ofNode, { UpstreamDown: ofNode }, ['network', 'source']],
  ['RateLimited', ofNode, { UpstreamDown: ofNode }, ['network', 'source']],
  ['BudgetExhausted', ofNode, { UpstreamDown: ofNode }, ['network', 'source']],
  ['UpstreamDown', ofNode, { PeerStakeLow: ofNode, CollectorFailing: ofNode }, ['network', 'source']],
  ['OwnNodeUnhealthy', ofNode, { PeerStakeLow: ofNode }, ['network', 'source']],
  ['NodeForked', { ...ofNode, ...ofChain }, { NodeBehind: ofNode, NodeUnhealthy: ofNode }, ['network', 'source']],
  ['ChainProcessDead', ofNode, { IndexStalled: ofNode }, ['network', 'source']],
  ['NodeOfOtherNetwork', ofNode, { NodeBehind: ofNode }, ['network', 'source']],
  ...(
    [
      ['ValidatorDisconnected', ['ObserversDisagree', 'ValidatorUnreachable']],
      ['DowntimeBudgetEnding', ['DowntimeBudgetSmall']],
      ['RewardLost', ['DowntimeBudgetSmall']],
      ['StakeEndsSoon', ['StakeEnding']],
      ['ValidatorGone', ['ValidatorNotInSet', 'StakeEnding']],
      ['ValidatorRemoved', ['ValidatorNotInSet', 'StakeEnding']],
      ['L1BalanceRunningOut', ['L1BalanceEnding']],
      ['L1ValidatorInactive', ['L1BalanceEnding']],
      ['ValidatorTampered', ['ExpectationNotMet']],
    ] as const
  ).map(([by, lesser]): (typeof held)[number] => [
    by,
    ofValidator,
    Object.fromEntries(lesser.map((one) => [one, ofValidator])),
    ['network', 'subnet', 'node_id'],
  ]),
  ...['L1WeightLow', 'L1Stalled', 'L1MessagesUnsigned'].map((by): (typeof held)[number] => [
    by,
    ofL1,
    { L1OneStepFromStall: ofL1, L1WeightEnding: ofL1 },
    ['network', 'subnet'],
  ]),
]

/** Both of them are sent. */
const free: [Firing['alert'], Labels, Firing['alert'], Labels][] = [
  ['NodesDown', {}, 'NodeForked', { ...ofNode, ...ofChain }],
  ['NodesDown', {}, 'ValidatorUnknown', ofValidator],
  ['NodesDown', {}, 'CollectorFailing', { collector: 'balances', target: 'P-fuji1a' }],
  ['NodesDown', {}, 'ExpectationUnknown', { address: 'P-fuji1a', ...ofChain }],
  ['NodesDown', {}, 'L1BalanceEnding', ofValidator],
  ['NodesDown', {}, 'SourcesDisagree', ofValidator],
  ['NodesDown', {}, 'CredentialsRejected', ofNode],
  ['NodesDown', {}, 'RateLimited', ofNode],
  ['NodesDown', {}, 'BudgetExhausted', ofNode],
  ['NodesDown', {}, 'UpstreamDown', { source: 'metrics-api' }],
  ['UpstreamDown', ofNode, 'AdminApiExposed', ofNode],
  ['Down', {}, 'WalletLow', { address: 'P-fuji1a' }],
  ['StakeEndsSoon', ofValidator, 'ValidatorDisconnected', ofValidator],
  ['RewardLost', ofValidator, 'DowntimeBudgetEnding', ofValidator],
]

const severities = new Map(groupsOf().flatMap(({ rules }) => rules.map(({ alert, severity }) => [alert, severity])))
/** With the severity that its rule has. */
const ofRule = (alert: string, labels: Labels) => alerts(severities.get(`Stakewatch${alert}`)!)(alert, labels, 2, 4)
const pair = (by: string, ofBy: Labels, other: string, ofOther: Labels): Firing[] => [
  ofRule(by, ofBy),
  ofRule(other, ofOther),
]
const pairs: [name: string, notices: string[], alerts: Firing[]][] = [
  ...held.flatMap(([by, of, lesser, apart]) =>
    Object.entries(lesser).flatMap(([one, labels]): (typeof pairs)[number][] => [
      [`${one} under ${by}`, [by], pair(by, of, one, labels)],
      ...apart.map((label): (typeof pairs)[number] => [
        `${one} of another ${label} next to ${by}`,
        [by, one],
        pair(by, of, one, { ...labels, [label]: 'node-z' }),
      ]),
    ]),
  ),
  ...free.map(([by, of, other, labels]): (typeof pairs)[number] => [
    `${other} next to ${by}`,
    [by, other],
    pair(by, of, other, labels),
  ]),
]

/** The second of them fires ten minutes after the first. */
const seconds: [what: string, alert: string, first: Labels, second: Labels][] = [
  ['validator', 'ValidatorDisconnected', validator('a'), validator('b')],
  ['validator of one L1', 'ValidatorDisconnected', validator('a', 'lantern'), validator('b', 'lantern')],
  ['validator that loses its reward', 'DowntimeBudgetEnding', validator('a'), validator('b')],
  ['stake of a node that also validates an L1', 'StakeEndsSoon', validator('a'), validator('a', 'lantern')],
  ['node', 'OwnNodeUnhealthy', { source: 'node-a', check: 'P' }, { source: 'node-b', check: 'P' }],
  ['node of another network', 'NodeOfOtherNetwork', { source: 'node-a' }, { source: 'node-b' }],
  ['wallet', 'WalletLow', { address: 'P-fuji1a', chain: 'p-chain' }, { address: 'P-fuji1b', chain: 'p-chain' }],
  ['chain', 'ChainStalled', { chain: 'c-chain' }, { chain: 'x-chain' }],
  ['L1', 'L1Stalled', { subnet: 'lantern' }, { subnet: 'harbour' }],
  ['L1 that runs dry', 'L1BalanceRunningOut', validator('a', 'lantern'), validator('b', 'harbour')],
  ['route', 'IcmStuck', { route: 'a-b' }, { route: 'b-a' }],
  ['network', 'NodesDown', {}, { network: 'mainnet' }],
]

/** All of it fires at once, and rings once. */
const crowds: [what: string, alert: string, all: Labels[]][] = [
  ['checks of one node', 'OwnNodeUnhealthy', ['P', 'X', 'C'].map((check) => ({ source: 'node-a', check }))],
  ['chains of one node', 'NodeForked', ['p', 'x', 'c'].map((chain) => ({ source: 'node-a', chain }))],
  ['chains of one wallet', 'UnexpectedOutflow', ['p', 'x', 'c'].map((chain) => ({ address: '0xa', chain }))],
  ['validators without a list', 'ValidatorUnknown', ten.map((id) => validator(id))],
  ['validators without an upgrade', 'UpgradeNear', ten.map((id) => validator(id))],
]

const ringing: Incident[] = [
  ...seconds.map(([what, alert, first, second]) => ({
    name: `a second ${what}`,
    alerts: [critical(alert, first, 1, 16), critical(alert, second, 11, 16)],
  })),
  ...crowds.map(([what, alert, all]) => ({ name: what, alerts: all.map((labels) => critical(alert, labels, 1, 16)) })),
]
const ringsIn = (sent: readonly Notice[]) =>
  sent.filter(({ receiver, kind }) => receiver === 'pager' && kind === 'fires')

const SWITCH = 'the dead man’s switch'
let notices: Record<string, Notice[]>

beforeAll(async () => {
  const watchdog = alerts('none')('Watchdog', { network: '' }, 0, 20)
  notices = await notificationsOf([
    ...[...table, ...pairs].map(([name, , all]) => ({ name, alerts: all })),
    ...ringing,
    { name: SWITCH, alerts: [watchdog] },
  ])
})

test.each(table)('%s is %o', (what, counts) => {
  const none = { fires: 0, resolves: 0, repeats: 0 }
  expect(countsOf(notices[what]!)).toEqual(
    Object.fromEntries(Object.entries(counts).map(([receiver, some]) => [receiver, { ...none, ...some }])),
  )
})

test.each(pairs)('%s: sends %o', (name, names) => {
  const fired = notices[name]!.filter(({ kind }) => kind === 'fires').flatMap((one) => one.alerts)
  expect(fired.toSorted()).toEqual(names.map((one) => `Stakewatch${one}`).toSorted())
})

test.each(seconds)('a service that keeps incidents calls for a second %s ten minutes after the first', (what) => {
  const rings = ringsIn(notices[`a second ${what}`]!)
  expect(rings).toHaveLength(2)
  expect(new Set(rings.map(({ group }) => group)).size).toBe(2)
  expect(rings[0]!.minute).toBeLessThan(11)
  expect(rings[1]!.minute).toBeGreaterThanOrEqual(11)
})

test.each(crowds)('and calls once for all %s', (what) => {
  expect(ringsIn(notices[what]!)).toHaveLength(1)
})

describe('a chat, without the line that the example says to delete', () => {
  /** The comment in the example says to delete this line for a chat. */
  const pagerGroups = /^ +group_by: \[.*\bnode_id\b.*\]\n/m
  let sent: Record<string, Notice[]>
  beforeAll(async () => {
    const together = ten.map((id) => critical('ValidatorDisconnected', validator(id), 1, 16))
    const following = critical('ValidatorDisconnected', validator('b'), 11, 16)
    sent = await notificationsOf(
      [...ringing, { name: 'ten', alerts: together }, { name: 'eleven', alerts: [...together, following] }],
      undefined,
      exampleText.replace(pagerGroups, ''),
    )
  })

  test.each(seconds)('gets another message for a second %s ten minutes after the first', (what) => {
    expect(ringsIn(sent[`a second ${what}`]!)).toHaveLength(2)
  })

  test('has one such line', () => {
    expect(exampleText.match(new RegExp(pagerGroups, 'gm'))).toHaveLength(1)
  })

  test('gets one message for ten validators that fail together, and another one for one that follows', () => {
    expect(ringsIn(sent['ten']!)).toHaveLength(1)
    expect(ringsIn(sent['eleven']!)).toHaveLength(2)
  })
})

// On a busy machine all of it comes late, so there are no bounds above.
test('a page comes once its alert fires, and its end once that is over', () => {
  const [page, end] = notices['one alert']!
  expect(page).toMatchObject({ receiver: 'pager', kind: 'fires', alerts: ['StakewatchValidatorDisconnected'] })
  expect(page!.minute).toBeGreaterThanOrEqual(2)
  expect(end).toMatchObject({ receiver: 'pager', kind: 'resolves', alerts: ['StakewatchValidatorDisconnected'] })
  expect(end!.minute).toBeGreaterThanOrEqual(8)
})

test('the dead man’s switch is sent again and again, and never resolved', () => {
  const { 'dead-mans-switch': counts, ...others } = countsOf(notices[SWITCH]!)
  expect(others).toEqual({})
  expect(counts).toMatchObject({ fires: 1, resolves: 0 })
  expect(counts!.repeats).toBeGreaterThan(1)
})

test('incidents of the same name are refused: they would be one', async () => {
  const twins = [1, 2].map(() => ({ name: 'twin', alerts: [] }))
  await expect(notificationsOf(twins)).rejects.toThrow('two incidents have the same name')
})
