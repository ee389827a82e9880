// Which pages ring. PagerDuty and Opsgenie keep a group of Alertmanager as one incident, and call when it opens: a second
// object needs a group of its own. A chat rings for each message. One outage of many stays few messages in both.

import { beforeAll, describe, expect, test } from 'vitest'
import { type Incident, notificationsOf, type Notice } from '../../tools/notifications.ts'
import { exampleText } from './support/alertmanager.ts'

type Labels = Record<string, string>

const page = (alert: string, labels: Labels, from: number) => ({
  alert: `Stakewatch${alert}`,
  severity: 'critical',
  labels: { network: 'fuji', ...labels },
  from,
  until: 16,
})
const validator = (name: string, subnet = 'primary') => ({ subnet, node_id: `NodeID-${name}`, validator: name })
const ten = Array.from({ length: 10 }, (_, at) => `val-${at}`)

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
  ['balances of one L1', 'L1BalanceRunningOut', ten.map((name) => validator(name, 'lantern'))],
  ['validators without a list', 'ValidatorUnknown', ten.map((name) => validator(name))],
  ['validators without an upgrade', 'UpgradeNear', ten.map((name) => validator(name))],
]

const plays: Incident[] = [
  ...seconds.map(([what, alert, first, second]) => ({
    name: what,
    alerts: [page(alert, first, 1), page(alert, second, 11)],
  })),
  ...crowds.map(([what, alert, all]) => ({ name: what, alerts: all.map((labels) => page(alert, labels, 1)) })),
]

/** The comment in the example says to delete this line for a chat. */
const PAGER_GROUPS = /^ +group_by: \[.*\bnode_id\b.*\]\n/m

const ringsIn = (sent: readonly Notice[]) =>
  sent.filter(({ receiver, kind }) => receiver === 'pager' && kind === 'fires')

describe('a service that keeps incidents', () => {
  let sent: Record<string, Notice[]>
  beforeAll(async () => {
    sent = await notificationsOf(plays)
  }, 60_000)

  test.each(seconds)('calls for a second %s ten minutes after the first', (what) => {
    const rings = ringsIn(sent[what]!)
    expect(rings).toHaveLength(2)
    expect(new Set(rings.map(({ group }) => group)).size).toBe(2)
    expect(rings[0]!.minute).toBeLessThan(11)
    expect(rings[1]!.minute).toBeGreaterThanOrEqual(11)
  })

  test.each(crowds)('calls once for all %s', (what) => {
    expect(ringsIn(sent[what]!)).toHaveLength(1)
  })
})

describe('a chat, without the line that the example says to delete', () => {
  let sent: Record<string, Notice[]>
  beforeAll(async () => {
    const together = ten.map((name) => page('ValidatorDisconnected', validator(name), 1))
    const following = page('ValidatorDisconnected', validator('b'), 11)
    sent = await notificationsOf(
      [...plays, { name: 'ten', alerts: together }, { name: 'eleven', alerts: [...together, following] }],
      undefined,
      exampleText.replace(PAGER_GROUPS, ''),
    )
  }, 60_000)

  test.each(seconds)('gets another message for a second %s ten minutes after the first', (what) => {
    expect(ringsIn(sent[what]!)).toHaveLength(2)
  })

  test('has one such line', () => {
    expect(exampleText.match(new RegExp(PAGER_GROUPS, 'gm'))).toHaveLength(1)
  })

  test('gets one message for ten validators that fail together, and another one for one that follows', () => {
    expect(ringsIn(sent['ten']!)).toHaveLength(1)
    expect(ringsIn(sent['eleven']!)).toHaveLength(2)
  })
})
