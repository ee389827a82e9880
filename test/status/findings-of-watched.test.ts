// What needs attention of nodes, chains, wallets and messages, case by case. The limits are those of the alert rules:
// src/alerts/thresholds.ts.

import { describe, expect, test } from 'vitest'
import { groupsOf } from '../../src/alerts/rules.ts'
import { needHistory } from '../../src/status/findings.ts'
import { DAY, NOW, shown, VAL_1 } from '../support/status.ts'

const HOUR = 3_600
const L1_CHAIN = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'
const yaml = `networks:
  - name: fuji
    nodes:
      - { name: node-a, url: 'http://10.0.0.1:9650', admin: forbidden }
      - { name: node-b, url: 'http://10.0.0.2:9650' }
    data_api: { url: 'https://data.example' }
    validators: [{ node_id: ${VAL_1}, name: val-1 }]
    chains: [{ id: p-chain, name: p }, { id: c-chain, name: c, evm_chain_id: 43113 }]
    addresses: [{ name: relayer, addresses: [P-fuji10ke8vrnt6nwcsnfgrj7d3e7ay7ynv62l72s4h7] }]
    icm: { routes: [{ name: there, from: '43113', to: '99999' }] }
    signature_probes: [{ name: probe, message: '00' }]
collectors: { signature-probe: { enabled: true } }
`

const line = (metric: string, labels: Readonly<Record<string, string>>, value: number) => {
  const inside = Object.entries({ network: 'fuji', ...labels }).map(([name, text]) => `${name}="${text}"`)
  return `stakewatch_${metric}{${inside.join(',')}} ${value}`
}
/** When a collector last succeeded; by default at this moment. */
const asked = (collector: string, target: string, at = NOW, source = '') =>
  line('collector_last_success_timestamp_seconds', { collector, target, source }, at)

/** Alerts of node-a, and of what else is watched, by name. */
function found(lines: readonly string[], rows: Parameters<typeof shown>[0]['rows'] = []) {
  const { upstreams, watched } = shown({ yaml, lines, rows }).status()
  const node = upstreams.find(({ source }) => source === 'node-a')!
  return Object.fromEntries(
    [{ name: 'node-a', findings: node.findings }, ...watched]
      .filter(({ findings }) => findings.length > 0)
      .map(({ name, findings }) => [name, findings.map(({ alert }) => alert.replace('Stakewatch', ''))]),
  )
}

const a = { source: 'node-a' }
const check = (name: string, isPassing: boolean) => line('node_health_check_passing', { ...a, check: name }, +isPassing)
const madeAt = (at: number) => line('node_health_check_timestamp_seconds', { ...a, check: 'network' }, at)
const askedForHealth = asked('node-health', 'all', NOW, 'node-a')
const starting = (since: number) => [
  check('bootstrapped', false),
  check('network', false),
  line('node_health_check_failing_since_timestamp_seconds', { ...a, check: 'bootstrapped' }, since),
  askedForHealth,
]
const isTracked = line('node_info', { ...a, id: VAL_1, version: '1' }, 1)
const foreign = line('node_in_network', a, 0)
const behind = (blocks: number, chain = 'p') => line('node_behind_blocks', { ...a, chain }, blocks)
const forked = line('node_on_canonical_chain', { ...a, chain: 'p' }, 0)
const dead = line('l1_chain_state', { ...a, subnet: 'my-l1', state: 'dead' }, 1)
const index = (at: number, chain = 'p') =>
  line('index_last_accepted_timestamp_seconds', { ...a, chain, index: 'block' }, at)
const rewarding = (share: number) => line('node_rewarding_stake_ratio', a, share)
const lost = ['node-b'].flatMap((source) => [
  line('validator_reward_state', { subnet: 'primary', node_id: VAL_1, validator: 'val-1', source, state: 'lost' }, 1),
])
const ready = (own: number, peers: number) => [
  line('node_upgrade_ready', a, own),
  line('node_peers_upgrade_ready_ratio', a, peers),
]
const upgradeIn = (seconds: number) => line('node_upgrade_timestamp_seconds', { ...a, upgrade: 'next' }, NOW + seconds)
const toldReady = (value: number) =>
  line('validator_upgrade_ready', { subnet: 'primary', node_id: VAL_1, validator: 'val-1', source: 'node-b' }, value)
const peers = (...shares: number[]) =>
  shares.map((share, at) => line('node_peer_stake_ratio', { ...a, version: `1.${at}` }, share))
const admin = (isReachable: number, isExpected: number) => [
  line('node_admin_api_reachable', a, isReachable),
  line('node_admin_api_expected', a, isExpected),
]
const logger = (level: string, output = 'log') => line('node_logger_level', { ...a, logger: 'C', output, level }, 1)
const weight = (of: string, value: number) => line('l1_weight', { ...a, subnet: 'my-l1', of }, value)

const nodes: readonly [string, readonly string[], readonly string[]][] = [
  ['of another network', [foreign], ['NodeOfOtherNetwork']],
  ['of this network', [line('node_in_network', a, 1)], []],
  [
    'of another network, whatever it says of this one',
    [foreign, check('network', false), behind(99), forked],
    ['NodeOfOtherNetwork'],
  ],
  ['that is well', [check('network', true), check('bootstrapped', true), madeAt(NOW - 30), askedForHealth], []],
  ['with a check that fails', [check('network', false)], ['NodeUnhealthy']],
  ['that is tracked, with a check that fails', [isTracked, check('network', false)], ['OwnNodeUnhealthy']],
  ['that began to catch up 5 minutes ago', starting(NOW - 300), []],
  ['that began to catch up a second earlier', starting(NOW - 301), ['NodeUnhealthy']],
  ['that does not know an upgrade, as a check says', [check('futureupgrade', false), ...ready(0, 0.4)], []],
  ['with the same check for another reason', [check('futureupgrade', false), ...ready(1, 0.4)], ['NodeUnhealthy']],
  [
    'with a failing chain of an L1',
    [check(L1_CHAIN, false), weight('connected', 80), weight('total', 100)],
    ['NodeUnhealthy'],
  ],
  [
    'with a failing chain of an L1 with too little weight',
    [check(L1_CHAIN, false), weight('connected', 79), weight('total', 100)],
    [],
  ],
  ['that made its checks 2 minutes ago', [check('network', true), madeAt(NOW - 120), askedForHealth], []],
  [
    'that made its checks a second earlier',
    [check('network', true), madeAt(NOW - 121), askedForHealth],
    ['NodeUnhealthy'],
  ],
  ['with other blocks', [forked], ['NodeForked']],
  ['with other blocks, and behind', [forked, behind(21)], ['NodeForked']],
  ['with a dead process', [dead], ['ChainProcessDead']],
  ['with a dead process, and what follows from it', [dead, check('network', false), behind(21)], ['ChainProcessDead']],
  ['20 blocks behind', [behind(20)], []],
  ['21 blocks behind', [behind(21)], ['NodeBehind']],
  ['that is behind and unwell', [behind(21), check('network', false)], ['NodeUnhealthy']],
  [
    'whose index is 10 minutes behind the list',
    [index(NOW - 600), behind(0), line('chain_head_timestamp_seconds', { chain: 'p' }, NOW)],
    [],
  ],
  [
    'whose index is a second later',
    [index(NOW - 601), behind(0), line('chain_head_timestamp_seconds', { chain: 'p' }, NOW)],
    ['IndexStalled'],
  ],
  [
    'whose index and head are late',
    [index(NOW - 601), behind(21), line('chain_head_timestamp_seconds', { chain: 'p' }, NOW)],
    ['NodeBehind'],
  ],
  [
    'whose index is behind its own head',
    [index(NOW - 601, 'c'), line('node_evm_head_timestamp_seconds', { ...a, chain: 'c' }, NOW)],
    ['IndexStalled'],
  ],
  ['for whose reward 95 % would vote', [rewarding(0.95)], []],
  ['for whose reward less would vote', [rewarding(0.949)], ['RewardingStakeLow']],
  ['whose reward is lost anyway', [rewarding(0.949), isTracked, ...lost], []],
  ['that does not know an upgrade that most do', [...ready(0, 0.51), upgradeIn(2 * DAY)], ['NodeNotUpgraded']],
  ['that does not know one that half of the stake does', [...ready(0, 0.5), upgradeIn(2 * DAY)], []],
  ['that does not know one that is near', [...ready(0, 0.51), upgradeIn(DAY)], []],
  ['that is a tracked validator that does not know it', [...ready(0, 0.51), isTracked, toldReady(0)], []],
  [
    'that is a tracked validator that has told otherwise',
    [...ready(0, 0.51), isTracked, toldReady(1)],
    ['NodeNotUpgraded'],
  ],
  ['with an admin interface that answers', admin(1, 0), ['AdminApiExposed']],
  ['with an admin interface that must', admin(1, 1), []],
  ['with an admin interface that does not', admin(0, 0), []],
  ['connected to 80 % of the stake', peers(0.5, 0.3), []],
  ['connected to less', peers(0.5, 0.29), ['PeerStakeLow']],
  ['that writes everything', [logger('debug'), logger('info', 'display')], ['LoggerVerbose']],
  ['that writes what it should', [logger('info')], []],
]
test.each(nodes)('a node %s', (_, lines, alerts) => {
  expect(found(lines)['node-a'] ?? []).toEqual(alerts)
})

const threshold = (chain: string, seconds: number) => line('chain_stall_threshold_seconds', { chain }, seconds)
const listed = (height: number, at: number) => [
  line('chain_head_height', { chain: 'p' }, height),
  line('chain_head_timestamp_seconds', { chain: 'p' }, at),
  asked('primary-blocks', 'p'),
]
const listedEvm = (height: number, at: number) => [
  line('evm_head_height', { chain: 'c' }, height),
  line('evm_head_timestamp_seconds', { chain: 'c' }, at),
  asked('evm-blocks', 'c'),
]
const onNode = (height: number) => line('node_head_height', { ...a, chain: 'p' }, height)
const evmOnNode = (height: number, at: number, source = 'node-a') => [
  line('node_evm_head_height', { source, chain: 'c' }, height),
  line('node_evm_head_timestamp_seconds', { source, chain: 'c' }, at),
  asked('evm-node-heads', 'c', NOW, source),
]
const state = (name: string, source = 'node-a') => line('node_evm_chain_state', { source, chain: 'c', state: name }, 1)
const tps = (window: string, value: number) =>
  line('chain_throughput_tps', { chain: 'c', statistic: 'average', window }, value)

const chains: readonly [string, readonly string[], Readonly<Record<string, readonly string[]>>][] = [
  ['with a block as old as it may be', [threshold('p', 300), ...listed(10, NOW - 300)], {}],
  ['with a block that is older', [threshold('p', 300), ...listed(10, NOW - 301)], { p: ['ChainStalled'] }],
  [
    'that was last asked for when its block was young',
    [threshold('p', 300), ...listed(10, NOW - 900).slice(0, 2), asked('primary-blocks', 'p', NOW - 700)],
    {},
  ],
  [
    'that is old on the list and young on a node',
    [threshold('c', 300), ...listedEvm(10, NOW - 301), ...evmOnNode(10, NOW - 9)],
    {},
  ],
  [
    'that is old on the list and on a node',
    [threshold('c', 300), ...listedEvm(10, NOW - 301), ...evmOnNode(10, NOW - 301)],
    { c: ['ChainStalled'] },
  ],
  [
    'of which nodes have three blocks more than are listed',
    [...listed(10, NOW - 301), onNode(13)],
    { p: ['DataServiceBehind'] },
  ],
  ['of which nodes have two blocks more', [...listed(10, NOW - 301), onNode(12)], {}],
  ['of which the list is as late as it may be', [...listed(10, NOW - 300), onNode(13)], {}],
  [
    'of which a node of another network has more',
    [...listed(10, NOW - 301), onNode(13), foreign],
    { 'node-a': ['NodeOfOtherNetwork'] },
  ],
  [
    'with an EVM, whose list is late',
    [...listedEvm(10, NOW - 301), ...evmOnNode(13, NOW)],
    { c: ['DataServiceBehind'] },
  ],
  [
    'that seems to stand still where another list is late',
    [threshold('c', 300), ...listedEvm(10, NOW - 301), ...listed(10, NOW - 301), onNode(13)],
    { p: ['DataServiceBehind'] },
  ],
  [
    'that no node runs',
    [threshold('c', 300), state('bootstrapping'), state('bootstrapping', 'node-b')],
    { c: ['ChainNotRunning'] },
  ],
  ['that one node runs', [threshold('c', 300), state('bootstrapping'), state('running', 'node-b')], {}],
  ['that no node runs, and that is listed', [threshold('c', 300), state('bootstrapping'), ...listedEvm(10, NOW)], {}],
  ['that no node tracks', [threshold('c', 300), state('untracked')], {}],
  [
    'whose blocks are those of another',
    [line('primary_blocks_chain_mismatch', { chain: 'p' }, 1)],
    { p: ['SourcesDisagree'] },
  ],
  ['whose blocks are its own', [line('primary_blocks_chain_mismatch', { chain: 'p' }, 0)], {}],
  ['that takes a tenth of its transactions', [tps('hour', 1), tps('day', 10)], {}],
  ['that takes less', [tps('hour', 0.99), tps('day', 10)], { c: ['ThroughputCollapsed'] }],
  ['that never takes many', [tps('hour', 0), tps('day', 0.09)], {}],
]
test.each(chains)('a chain %s', (_, lines, expected) => {
  expect(found(lines)).toEqual(expected)
})

test.each([
  [10, {}],
  [10.1, { fuji: ['GasPriceHigh'] }],
])('gas that costs %d times the least price', (price, expected) => {
  expect(found([line('p_chain_gas_price_tokens', {}, price), line('p_chain_gas_min_price_tokens', {}, 1)])).toEqual(
    expected,
  )
})

const wallet = { address: 'relayer' }
const met = (metric: string, expectation: string, value: number) =>
  line(metric, { ...wallet, chain: 'p', expectation }, value)
const pending = (end: number) => [
  line('address_pending_reward_next_end_timestamp_seconds', wallet, end),
  asked('pending-rewards', 'address:relayer'),
]
const wallets: readonly [string, readonly string[], readonly string[]][] = [
  [
    'from which something has left',
    [met('address_transactions_expectation_met', 'outgoing', 0)],
    ['UnexpectedOutflow'],
  ],
  ['from which a token has left', [met('address_erc20_expectation_met', 'outgoing', 0)], ['UnexpectedOutflow']],
  ['from which nothing has left', [met('address_transactions_expectation_met', 'outgoing', 1)], []],
  ['with too little', [met('address_balance_expectation_met', 'min_balance', 0)], ['WalletLow']],
  [
    'with too little of the own token of a chain',
    [met('address_native_balance_expectation_met', 'min_balance', 0)],
    ['WalletLow'],
  ],
  ['with enough', [met('address_balance_expectation_met', 'min_balance', 1)], []],
  ['whose reward is due for 6 hours', pending(NOW - 6 * HOUR), []],
  ['whose reward is due for a second more', pending(NOW - 6 * HOUR - 1), ['RewardOverdue']],
  [
    'whose balances are those of another chain',
    [line('balances_chain_mismatch', { ...wallet, chain: 'p' }, 1)],
    ['SourcesDisagree'],
  ],
]
test.each(wallets)('a wallet %s', (_, lines, alerts) => {
  expect(found(lines)['relayer'] ?? []).toEqual(alerts)
})

const oldest = (at: number) => [
  line('icm_oldest_pending_timestamp_seconds', { route: 'there' }, at),
  asked('icm', 'there'),
]
const messages: readonly [string, readonly string[], Readonly<Record<string, readonly string[]>>][] = [
  ['pending for half an hour', oldest(NOW - 1_800), {}],
  ['pending for a second more', oldest(NOW - 1_801), { there: ['IcmStuck'] }],
  [
    'pending where the list is late',
    [...oldest(NOW - 1_801), ...listed(10, NOW - 301), onNode(13)],
    { p: ['DataServiceBehind'] },
  ],
  [
    'that too few sign',
    [line('signature_aggregation_success', { probe: 'probe' }, 0)],
    { probe: ['SignaturesMissing'] },
  ],
  ['that enough sign', [line('signature_aggregation_success', { probe: 'probe' }, 1)], {}],
]
test.each(messages)('a message %s', (_, lines, expected) => {
  expect(found(lines)).toEqual(expected)
})

describe('of what nothing is known', () => {
  const planned = shown({ yaml }).status().tasks
  const rows = (failing = '') =>
    planned.map(({ collector, network, target, source }) => {
      const key = [collector, network, target, ...(source === null ? [] : [source])].join('/')
      const result = key === failing ? ('failure' as const) : ('success' as const)
      return { key, network, result, reason: '', source: '', finishedAt: NOW * 1_000 }
    })
  const known = [
    onNode(1),
    state('running'),
    line('address_balance_tokens', { ...wallet, chain: 'p', state: 'unlocked' }, 0),
  ]
  const down = (source: string) => line('upstream_up', { source }, 0)
  const all = { p: ['ChainUnknown'], c: ['ChainUnknown'], relayer: ['WalletUnknown'] }
  test.each<[string, readonly string[], ReturnType<typeof rows>, Readonly<Record<string, readonly string[]>>]>([
    ['nothing is news before all was asked', [], rows().slice(1), {}],
    ['each thing is news then', [], rows(), all],
    ['what is known is none', known, rows(), {}],
    ['what a task fails for is none', [], rows('primary-blocks/fuji/p'), { c: all.c, relayer: all.relayer }],
    ['nothing is where the data service is away', [down('data-api')], rows(), {}],
    ['wallets alone are where a node is away', [down('node-b')], rows(), { relayer: all.relayer }],
  ])('%s', (_, lines, ended, expected) => {
    const { 'node-a': __, ...others } = found(lines, ended)
    expect(others).toEqual(expected)
  })
})

test('each alert about these things has a case here, or the reason why one moment does not tell it', () => {
  const rooms = ['stakewatch-chains', 'stakewatch-nodes', 'stakewatch-wallets', 'stakewatch-messages']
  const alerts = groupsOf()
    .filter(({ name }) => rooms.includes(name))
    .flatMap(({ rules }) => rules.map(({ alert }) => alert))
  const cases = [
    ...[...nodes, ...wallets].flatMap(([, , named]) => named),
    ...[...chains, ...messages].flatMap(([, , named]) => Object.values(named).flat()),
    'GasPriceHigh',
    'ChainUnknown',
    'WalletUnknown',
  ].map((name) => `Stakewatch${name}`)
  expect(new Set([...cases, ...Object.keys(needHistory)])).toEqual(new Set(alerts))
  expect(cases.filter((alert) => alert in needHistory)).toEqual([])
})
