// Nodes: identity, health, whether they have the data service's blocks, and how far their indexes reach.

import { thresholds } from '../../../src/alerts/thresholds.ts'
import { toPanel } from '../links.ts'
import { countBad, graph, NONE, RATHER_NONE, type States, tile } from '../panels.ts'
import { inRows, NODE, NODE_CHAIN, ofChains, quantileOf, whole } from '../select.ts'
import { NETWORK_KEY, table } from '../table.ts'
import { COUNT, HEIGHT, SECONDS, SHARE } from '../units.ts'
import { found } from '../verdicts.ts'
import { checks, unhealthy } from './tiles.ts'

const { age, grown, least, left, one, perSecond, stateNumber } = ofChains
const namesOf = (states: States) => Object.values(states).map(([name]) => name)
const INDEX = `${NODE_CHAIN}, index`
const NODE_CHECK = `${NODE}, check`
const OF_NODE = '{{source}} {{network}}'
const OF_CHAIN = '{{chain}} {{source}} {{network}}'
const indexAge = age(INDEX, 'index_last_accepted_timestamp_seconds')
const evmAge = age(NODE_CHAIN, 'node_evm_head_timestamp_seconds')
const onChain = least(NODE_CHAIN, 'node_on_canonical_chain')
const passing = `(${checks(ofChains)})`
const behind = one(NODE_CHAIN, 'node_behind_blocks')
const adminAnswers = one(NODE, 'node_admin_api_reachable')
const adminExpected = one(NODE, 'node_admin_api_expected')
const inNetwork = one(NODE, 'node_in_network')
/** Every configured node, even if it does not answer. */
const configured = one(NODE, 'collector_interval_seconds', 'collector="node-identity"')
/** A node that does not answer, or belongs to another network, has a row without version. */
const identity = `(${one(`${NODE}, id, version`, 'node_info')} or on (${NODE}) ${configured})`
/** Custom networks have no configured number. */
const belongs = `(${inNetwork} or ${one(NODE, 'node_network_id')} * 0 + 2 or ${configured} * 0 - 1)`

/** Of `stakewatch_node_evm_chain_state`, by number. */
const evmStates: States = {
  0: ['running', 'green'],
  1: ['bootstrapping', 'orange'],
  2: ['dead', 'red'],
  3: ['failed', 'red'],
  4: ['untracked', 'text'],
}

const voteStates: States = {
  0: ['granted', 'green'],
  1: ['undecided', 'orange'],
  2: ['refused', 'red'],
}
const vote = stateNumber(NODE, 'node_vote_state', namesOf(voteStates))

/** Of `stakewatch_node_state`, by number. */
const nodeStates: States = {
  0: ['running', 'text'],
  1: ['bootstrapping', 'orange'],
  2: ['starting', 'orange'],
  3: ['not_answering', 'red'],
}
const nodeState = stateNumber(NODE, 'node_state', namesOf(nodeStates))
/** Whether all of P, X and C that the node runs are bootstrapped. */
const caughtUp = `min by (${NODE}) (${one(`${NODE}, blockchain`, 'node_bootstrapped')})`
const chainsFailed = `sum by (${NODE}) (${one(`${NODE}, check`, 'node_chain_failed')}) or 0 * ${one(NODE, 'node_state', 'state="running"')}`

/** Columns of the same table that highlight any number but 0. */
const COUNTED = ['Failed', 'Starts', 'Exchanged']

const nodeKeys = [{ label: 'source', title: 'Node' }, NETWORK_KEY] as const

export const attention = [
  unhealthy(ofChains),
  tile(
    {
      title: 'Forked',
      description:
        'Nodes, counted once per chain, that have another block than the data service at the same height: a fork.',
      unit: COUNT,
    },
    {
      expr: countBad(found(ofChains, NODE_CHAIN, 'node_forked')),
      names: ['source', 'chain'],
      marks: NONE,
      to: toPanel('chains', 'Heads of nodes'),
    },
  ),
  tile(
    {
      title: 'Chain dead',
      description: 'Nodes on which the process of a chain has died; they do not restart it.',
      unit: COUNT,
    },
    {
      expr: countBad(found(ofChains, NODE, 'chain_process_dead')),
      names: ['source'],
      marks: NONE,
      to: toPanel('chains', 'Heads of nodes'),
    },
  ),
  tile(
    {
      title: 'Not ready',
      description: 'Nodes whose software does not know the upgrade that most of the stake knows.',
      unit: COUNT,
    },
    {
      expr: countBad(found(ofChains, NODE, 'node_not_upgraded')),
      names: ['source'],
      marks: RATHER_NONE,
      to: toPanel('chains', 'Peers of nodes and the next upgrade'),
    },
  ),
  tile(
    {
      title: 'Most behind',
      description: 'Blocks that the node farthest behind the data service has to catch up on.',
      unit: COUNT,
    },
    {
      expr: `topk(1, ${behind})`,
      marks: ['green', [thresholds.nodeBehindBlocks, 'orange']],
      names: ['source', 'chain'],
      to: toPanel('chains', 'Blocks behind the data service', 'network', 'chain', 'source'),
    },
  ),
  tile(
    {
      title: 'Admin faults',
      description: 'Nodes whose admin API answers although it must not, or does not answer although it must.',
      unit: COUNT,
    },
    {
      expr: countBad(`${adminAnswers} != bool ${adminExpected}`),
      names: ['source'],
      marks: NONE,
      to: toPanel('chains', 'Nodes themselves'),
    },
  ),
  table({
    text: {
      title: 'Nodes themselves',
      description:
        'Identity of each node. Network: whether it is in the configured one; others and unknown ones come first, and are not polled further. State: whether it runs, bootstraps or does not answer. Caught up: P, X and C. Failed: subnet chains that it tracks but could not create. Starts: starts that stakewatch saw in the time shown. Exchanged: how often another node answered at its address in that time. Admin: whether the admin API behaves as configured.',
    },
    height: 6,
    keys: [...nodeKeys, { label: 'version', title: 'Version', letters: 18 }, { label: 'id', title: 'Node ID' }],
    rows: identity,
    columns: (
      [
        [
          'Its network',
          belongs,
          { 1: ['yes', 'text'], 0: ['NO', 'red'], 2: ['custom', 'text'], [-1]: ['no data', 'grey'] },
        ],
        ['State', nodeState, nodeStates],
        ['Caught up', caughtUp, { 1: ['yes', 'text'], 0: ['not yet', 'orange'] }],
        ['Admin', `${adminAnswers} == bool ${adminExpected}`, { 1: ['as set', 'text'], 0: ['NOT AS SET', 'red'] }],
        ['Network id', one(NODE, 'node_network_id'), undefined],
        ['Failed', chainsFailed, undefined],
        ['Starts', whole(grown(NODE, 'node_restarts_total')), undefined],
        ['Exchanged', whole(grown(NODE, 'node_id_changes_total')), undefined],
      ] as const
    ).map(([title, expr, states]) => ({
      title,
      expr: inRows(`(${identity} * 0 + 1)`, NODE, expr),
      ...(states === undefined ? { unit: COUNT } : { states }),
      ...(COUNTED.includes(title) && { marks: ['text', [1, 'orange']] as const }),
    })),
    sortBy: ['Its network', 'Node'],
    first: ['Node', 'State', 'Its network'],
  }),
]

export const nodes = [
  table({
    text: {
      title: 'Health checks of nodes',
      description:
        'Whether each check passes, how long it has failed, and how long ago it ran; failing ones first. P, X, C and ids are chains. A stuck node keeps reporting success, but its checks grow old.',
    },
    height: 8,
    keys: [{ label: 'check', title: 'Check', letters: 26 }, ...nodeKeys],
    rows: passing,
    columns: [
      { title: 'Passes', expr: passing, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
      {
        title: 'Failing for',
        // 0 while it passes.
        expr: `(${age(NODE_CHECK, 'node_health_check_failing_since_timestamp_seconds')}) or (${passing} == 1) * 0`,
        unit: SECONDS,
      },
      {
        title: 'Age',
        expr: age(NODE_CHECK, 'node_health_check_timestamp_seconds'),
        unit: SECONDS,
        marks: ['text', [thresholds.healthStill, 'orange']],
      },
    ],
    sortBy: ['Passes', 'Node', 'Check'],
  }),
  table({
    text: {
      title: 'Heads of nodes',
      description:
        "The newest block of each node on each chain, and that of its index. Behind: blocks that the data service lists beyond it. Same chain: whether the node has the service's blocks; empty while it is behind. Index: whether a node that is configured with an index has one. EVM chain: state of an EVM chain on the node, followed by the data of its interface.",
    },
    height: 8,
    keys: [...nodeKeys, { label: 'chain', title: 'Chain' }],
    rows: `${one(NODE_CHAIN, 'node_head_height')} or ${one(NODE_CHAIN, 'node_evm_head_height')}`,
    columns: [
      { title: 'Head', expr: one(NODE_CHAIN, 'node_head_height'), unit: HEIGHT },
      { title: 'Behind', expr: behind, unit: COUNT, marks: ['text', [thresholds.nodeBehindBlocks, 'orange']] },
      { title: 'Same chain', expr: onChain, states: { 1: ['yes', 'text'], 0: ['NO', 'red'] } },
      {
        title: 'Index',
        expr: one(NODE_CHAIN, 'node_index_reachable'),
        states: { 1: ['yes', 'text'], 0: ['MISSING', 'red'] },
      },
      { title: 'Index head', expr: one(NODE_CHAIN, 'index_last_accepted', 'index="block"'), unit: HEIGHT },
      {
        title: 'Index age',
        expr: `max by (${NODE_CHAIN}) (${indexAge})`,
        unit: SECONDS,
        marks: ['text', [thresholds.indexBehind, 'orange']],
      },
      {
        title: 'EVM chain',
        expr: stateNumber(NODE_CHAIN, 'node_evm_chain_state', namesOf(evmStates)),
        states: evmStates,
      },
      { title: 'EVM head', expr: one(NODE_CHAIN, 'node_evm_head_height'), unit: HEIGHT },
      { title: 'EVM age', expr: evmAge, unit: SECONDS },
    ],
    sortBy: ['Node', 'Chain'],
    first: ['Node', 'Chain', 'Behind', 'Same chain'],
  }),
  table({
    text: {
      title: 'Peers of nodes and the next upgrade',
      description:
        "Number of peers, and of benched peers. Ready: whether the node's software knows the upgrade that most of the stake knows; Stake ready: the share of stake that knows it; Upgrade in: time until the next upgrade that the node knows. Empty while none is scheduled. Vote: what more than half of the stake would decide on the reward of a node that is a validator; Uptime: the mean that the others see.",
    },
    height: 6,
    keys: nodeKeys,
    rows: one(NODE, 'node_peers'),
    columns: [
      { title: 'Peers', expr: one(NODE, 'node_peers'), unit: COUNT },
      { title: 'Benched', expr: one(NODE, 'node_benched_peers'), unit: COUNT, marks: ['text', [1, 'orange']] },
      {
        title: 'Ready',
        expr: one(NODE, 'node_upgrade_ready'),
        states: { 1: ['yes', 'text'], 0: ['NO', 'red'] },
      },
      {
        title: 'Stake ready',
        expr: one(NODE, 'node_peers_upgrade_ready_ratio'),
        unit: SHARE,
        marks: ['text', [thresholds.upgradeOfMost, 'orange']],
      },
      {
        title: 'Upgrade in',
        expr: `min by (${NODE}) (${left(`${NODE}, upgrade`, 'node_upgrade_timestamp_seconds')} > 0)`,
        unit: SECONDS,
        marks: ['red', [thresholds.upgradeNear, 'text']],
      },
      { title: 'Vote', expr: vote, states: voteStates },
      { title: 'Uptime', expr: one(NODE, 'node_observed_uptime_ratio'), unit: SHARE },
    ],
    sortBy: ['Node'],
    first: ['Node', 'Peers', 'Benched', 'Ready'],
  }),
  graph(
    {
      title: 'Stake that would vote for the reward',
      description:
        'For each node that is a validator: the share of stake that saw enough uptime, as the node reports it; and the shares that would vote for or against, or are undecided, from its peers.',
      unit: SHARE,
    },
    [
      [OF_NODE, one(NODE, 'node_rewarding_stake_ratio')],
      [`${OF_NODE} {{vote}} by the peers`, one(`${NODE}, vote`, 'node_vote_stake_ratio')],
    ],
    { isBadWhenLow: true, limits: [[thresholds.rewardingStake, 'orange']] },
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Stake of the peers by version',
      description:
        'Share of the stake that each node is connected to, by version. A growing new version is a release that you need too. A node whose lines add up to less than 80 % counts as unhealthy.',
      unit: SHARE,
    },
    [
      [`${OF_NODE} {{version}}`, one(`${NODE}, version`, 'node_peer_stake_ratio')],
      [`${OF_NODE} in all`, `sum by (${NODE}) (${one(`${NODE}, version`, 'node_peer_stake_ratio')})`],
    ],
    { isBadWhenLow: true, limits: [[thresholds.peerStake, 'orange']] },
  )
    .min(0)
    .max(1),
  graph(
    {
      title: 'Blocks behind the data service',
      description:
        'Blocks that each node has to catch up on. A few are normal, as node and service are not polled at the same time.',
      unit: COUNT,
    },
    [[OF_CHAIN, behind]],
    { scale: 'symlog', limits: [[thresholds.nodeBehindBlocks, 'orange']] },
  )
    .min(0)
    .decimals(0),
  graph(
    {
      title: 'Age of the newest blocks on nodes',
      description:
        "Time since each node added a block to its index, and since the newest block of each EVM chain. If one node's line climbs, that node no longer follows its chain; if all climb, the chain has stalled. Accepts every: the 95th percentile of the time between blocks of an index.",
      unit: SECONDS,
    },
    [
      [`${OF_CHAIN} {{index}}`, indexAge],
      [`${OF_CHAIN} (EVM)`, evmAge],
      [
        `${OF_CHAIN} {{index}} accepts every`,
        quantileOf(0.95, perSecond(`${INDEX}, le`, 'index_acceptance_interval_seconds_bucket')),
      ],
    ],
    { scale: 'log', limits: [[thresholds.indexBehind, 'orange']] },
  ),
  table({
    text: {
      title: 'Loggers of nodes',
      description:
        'Lowest level that each logger writes to its file (log) and to the console (display). A logger left at debug or below fills the disk.',
    },
    height: 8,
    keys: [
      { label: 'level', title: 'Level', letters: 12 },
      { label: 'logger', title: 'Logger' },
      { label: 'output', title: 'Output', letters: 12 },
      ...nodeKeys,
    ],
    rows: `${one(`${NODE}, logger, output, level`, 'node_logger_level')} == 1`,
    columns: [],
    sortBy: ['Level'],
  }),
]
